import { ApiError, NetworkError } from '../../lib/api.ts';

/**
 * Returns the message to show for an error: the server's own message, if the server sent one.
 * @param otherwise the message to return if the response contains no short plain-text message.
 */
export function errorText(error: unknown, otherwise?: string): string {
  if (error instanceof ApiError) {
    return error.reason ?? otherwise ?? `The server returned error ${error.status}. Try again.`;
  }
  if (error instanceof NetworkError) return error.message;
  return 'Something went wrong. Reload the page.';
}
