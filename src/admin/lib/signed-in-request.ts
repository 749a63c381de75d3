import { createContext, use } from 'react';
import { ApiError, request } from '../../lib/request/api.ts';

export type Request = typeof request;

/** Whether the API refused a request because there is no session. */
export function isSignedOut(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 401;
}

/** Whether the API refused a request because the last sign-in is too old for this action. */
export function needsConfirmation(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 403 && error.code === 'fresh_sign_in';
}

/**
 * Wraps the request helper for work that must survive the end of a session. If the server returns 401 or requires a
 * recent sign-in, asks the admin to sign in over the current screen, and sends the same request once more.
 * @param signInAgain resolves after the admin has signed in; rejects if the admin cancels.
 */
export function requestAcrossSessions(signInAgain: (refusal: ApiError) => Promise<void>, send: Request): Request {
  const askOn =
    (refused: (error: unknown) => error is ApiError, next: Request): Request =>
    async (...call: Parameters<Request>) => {
      try {
        return await next(...call);
      } catch (error) {
        if (!refused(error)) throw error;
        await signInAgain(error);
        return await next(...call);
      }
    };
  // One request may ask the admin to sign in twice: first because the session ended, then because the action needs a
  // recent sign-in. A company account may restore the session without a new sign-in at the OpenID provider.
  return askOn(needsConfirmation, askOn(isSignedOut, send));
}

const RequestContext = createContext<Request>(request);

export const RequestProvider = RequestContext;

/** Returns the request helper that the app provides; by default, the helper that never asks the admin to sign in. */
export function useRequest(): Request {
  return use(RequestContext);
}

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
