import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../lib/request/api.ts';
import { fetched, useCodeSoon } from '../lib/fetched.tsx';
import { AcrossSessions, acrossSessions, needsConfirmation } from '../lib/signed-in-request.ts';
import { sessionQuery } from './queries.ts';

const SignInAgain = fetched(() => import('./SignInAgain.tsx'));

/** The open sign-in dialog. Resolves when the admin has signed in; rejects with the API's error if the admin cancels. */
interface Prompt extends PromiseWithResolvers<void> {
  readonly refusal: ApiError;
}

/**
 * Handles requests that the API refuses because the session ended or the action needs a recent sign-in. Such a request
 * waits for a sign-in dialog on the same page, and is then sent again. The page keeps its state, even if the admin
 * cancels.
 */
export function SessionKeeper({ email, children }: { email: string; children: ReactNode }) {
  useCodeSoon();
  const client = useQueryClient();
  const [prompt, setPrompt] = useState<Prompt | null>(null);
  const [wrap] = useState(() => {
    // All requests that are refused at the same time wait for one sign-in.
    let open: Prompt | null = null;
    return acrossSessions((refusal) => {
      if (open) return open.promise;
      const asked: Prompt = { refusal, ...Promise.withResolvers<void>() };
      open = asked;
      SignInAgain.load().then(
        () => setPrompt(asked),
        // Without the dialog's code, the waiting requests fail with the API's error. The next refused request loads it again.
        () => asked.reject(refusal),
      );
      return asked.promise.finally(() => {
        open = null;
        setPrompt(null);
      });
    });
  });

  return (
    <AcrossSessions value={wrap}>
      {children}
      {prompt && (
        <SignInAgain
          email={email}
          confirming={needsConfirmation(prompt.refusal)}
          onSignedIn={() => {
            prompt.resolve();
            // Another person may have signed in.
            void client.invalidateQueries(sessionQuery);
          }}
          onClose={() => prompt.reject(prompt.refusal)}
        />
      )}
    </AcrossSessions>
  );
}
