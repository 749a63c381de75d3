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

/** Sends a request or uploads a file. */
type Sender = (...given: never[]) => Promise<unknown>;
type Wrap = <S extends Sender>(send: S) => S;

/**
 * Wraps functions that send requests which must survive the end of a session. If the server returns 401 or requires a
 * recent sign-in, asks the admin to sign in over the current screen, and calls the function once more.
 * @param signInAgain resolves after the admin has signed in; rejects if the admin cancels.
 */
export function acrossSessions(signInAgain: (refusal: ApiError) => Promise<void>): Wrap {
  const askOn = <S extends Sender>(refused: (error: unknown) => error is ApiError, send: S) =>
    (async (...given) => {
      try {
        return await send(...given);
      } catch (error) {
        if (!refused(error)) throw error;
        await signInAgain(error);
        return await send(...given);
      }
    }) as S;
  // One request may ask the admin to sign in twice: first because the session ended, then because the action needs a
  // recent sign-in. A company account may restore the session without a new sign-in at the OpenID provider.
  return (send) => askOn(needsConfirmation, askOn(isSignedOut, send));
}

/** Wraps senders as the app does; by default, they never ask the admin to sign in. */
export const AcrossSessions = createContext<Wrap>((send) => send);

/** Returns the request helper. In the app, it asks the admin to sign in if the session has ended. */
export function useRequest(): Request {
  return use(AcrossSessions)(request);
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
