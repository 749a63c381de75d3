import type { ApiError } from '../../lib/api.ts';
import { needsConfirmation } from '../lib/signed-in-request.ts';

/** Why the admin must sign in: the session has ended, or the action needs a recent sign-in. */
export type SignInReason = 'ended' | 'confirm';

/**
 * Asks the admin to sign in again while requests wait. Several refused requests share one prompt, so the admin is asked
 * only once.
 */
export interface SignInPrompt {
  /** Resolves after the admin has signed in. Rejects with the API's error if the admin cancels. */
  readonly ask: (refusal: ApiError) => Promise<void>;
  readonly granted: () => void;
  readonly declined: () => void;
  /** Null if no prompt is open. */
  readonly reason: () => SignInReason | null;
  readonly subscribe: (listener: () => void) => () => void;
}

export function signInPrompt(): SignInPrompt {
  let open: { answer: PromiseWithResolvers<void>; refusal: ApiError } | null = null;
  const listeners = new Set<() => void>();
  const changed = () => listeners.forEach((listener) => listener());
  return {
    ask(refusal) {
      if (!open) {
        open = { answer: Promise.withResolvers<void>(), refusal };
        changed();
      }
      return open.answer.promise;
    },
    granted() {
      open?.answer.resolve();
      open = null;
      changed();
    },
    declined() {
      open?.answer.reject(open.refusal);
      open = null;
      changed();
    },
    reason: () => open && (needsConfirmation(open.refusal) ? 'confirm' : 'ended'),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
