import type { ApiError } from '../../lib/api.ts';
import { type Deferred, deferred } from '../../lib/deferred.ts';
import { needsConfirmation } from '../ui/signed-in-request.ts';

/** Why the admin is asked to sign in: the session has ended, or the step needs a recent sign-in. */
export type SignInReason = 'ended' | 'confirm';

/**
 * Asks the admin to sign in again while work is under way. Everything that is refused meanwhile waits for the same
 * answer, so that the admin is asked once.
 */
export interface SignInPrompt {
  /** Settles when the admin has signed in; rejects with the refusal when they would rather not. */
  readonly ask: (refusal: ApiError) => Promise<void>;
  readonly granted: () => void;
  readonly declined: () => void;
  /** Null while nothing is asked. */
  readonly reason: () => SignInReason | null;
  readonly subscribe: (listener: () => void) => () => void;
}

export function signInPrompt(): SignInPrompt {
  let open: { answer: Deferred<void>; refusal: ApiError } | null = null;
  const listeners = new Set<() => void>();
  const changed = () => listeners.forEach((listener) => listener());
  return {
    ask(refusal) {
      if (!open) {
        open = { answer: deferred<void>(), refusal };
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
