import { request } from '../../lib/api.ts';
import type { Request } from './signed-in-request.ts';

declare global {
  interface Window {
    /** The responses to the requests that a script in the page's head sends (`app/first-requests.ts`), by path. */
    firstAnswers?: Map<string, Promise<Response>>;
  }
}

/**
 * Sends a request, or uses the response if the page's head has already sent the same request. Each of those responses
 * is used only once.
 */
export const firstRequest: Request = (path: string, options: object = {}) => {
  const answer = window.firstAnswers?.get(path);
  window.firstAnswers?.delete(path);
  return request(path, answer ? { ...options, answer } : options);
};
