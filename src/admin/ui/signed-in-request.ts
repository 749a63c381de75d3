import { createContext, use } from 'react';
import { ApiError, request } from '../../lib/api.ts';

export type Request = typeof request;

/** The API refused because nobody is signed in. */
export function isSignedOut(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 401;
}

/** The API refused because the last sign-in is too long ago for this step. */
export function needsConfirmation(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 403 && error.code === 'fresh_sign_in';
}

/**
 * The shared request helper for work that must outlive a session: on 401, or where the step needs a recent sign-in, it asks
 * the admin to sign in, in place, and sends the same request once more.
 * @param signInAgain settles when the admin has signed in; rejects when they would rather not.
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
  // A company account can bring a session back without a recent sign-in, so one request can ask for both.
  return askOn(needsConfirmation, askOn(isSignedOut, send));
}

const RequestContext = createContext<Request>(request);

export const RequestProvider = RequestContext;

/** How screens call the API: as the shared helper, and across the end of a session where the app provides that. */
export function useRequest(): Request {
  return use(RequestContext);
}
