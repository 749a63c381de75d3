import { ApiError, NetworkError } from '../../lib/api.ts';

/**
 * What went wrong, in a sentence for the admin: the server's own words where it gave any, without the status.
 * @param otherwise said where the server gave none that are meant for people.
 */
export function errorText(error: unknown, otherwise?: string): string {
  if (error instanceof ApiError) {
    return error.reason ?? otherwise ?? `The server answered with status ${error.status}.`;
  }
  if (error instanceof NetworkError) return error.message;
  return 'Something went wrong on this page. Please reload it.';
}
