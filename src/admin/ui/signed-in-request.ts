import { createContext, use } from 'react';
import { ApiError, request } from '../../lib/api.ts';

export type Request = typeof request;

/** The API refused because nobody is signed in. */
export function isSignedOut(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 401;
}

/**
 * The shared request helper for work that must outlive a session: on 401 it asks the admin to sign in, in place, and
 * sends the same request once more.
 * @param signInAgain settles when the admin has signed in; rejects when they would rather not.
 */
export function requestAcrossSessions(signInAgain: (refusal: ApiError) => Promise<void>, send: Request): Request {
  const across = async (...call: Parameters<Request>) => {
    try {
      return await send(...call);
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      await signInAgain(error);
      return await send(...call);
    }
  };
  return across;
}

const RequestContext = createContext<Request>(request);

export const RequestProvider = RequestContext;

/** How screens call the API: as the shared helper, and across the end of a session where the app provides that. */
export function useRequest(): Request {
  return use(RequestContext);
}
