import { ApiError, NetworkError } from '../../lib/api.ts';

/** A longer text, or one with markup, is a proxy's page and not meant for a person. */
const longestText = 300;

/** What went wrong, in a sentence for the admin: the server's own words where it gave any, without the status. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) {
    const text = error.message.slice(`${error.status}: `.length);
    return text.length > longestText || /<\w/.test(text) ? `The server answered with status ${error.status}.` : text;
  }
  if (error instanceof NetworkError) return error.message;
  return 'Something went wrong on this page. Please reload it.';
}
