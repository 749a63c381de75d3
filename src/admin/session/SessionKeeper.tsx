import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { type ApiError, request } from '../../lib/api.ts';
import { RequestProvider, needsConfirmation, requestAcrossSessions } from '../lib/signed-in-request.ts';
import type SignInAgain from './SignInAgain.tsx';
import { refreshSession } from './queries.ts';

/** The first screen does not need the sign-in dialog, so the dialog's code loads after this delay, in milliseconds. */
const fetchAfterMs = 3_000;
const fetchDialog = async () => (await import('./SignInAgain.tsx')).default;

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
  const client = useQueryClient();
  const [prompt, setPrompt] = useState<Prompt | null>(null);
  const [send] = useState(() => {
    // All requests that are refused at the same time wait for one sign-in.
    let open: Prompt | null = null;
    return requestAcrossSessions((refusal) => {
      if (open) return open.promise;
      open = { refusal, ...Promise.withResolvers<void>() };
      setPrompt(open);
      return open.promise.finally(() => {
        open = null;
        setPrompt(null);
      });
    }, request);
  });
  const [Dialog, setDialog] = useState<ComponentType<ComponentProps<typeof SignInAgain>>>();

  useEffect(() => {
    if (Dialog) return;
    // If the dialog's code cannot be loaded, the waiting requests fail with the API's error. The next refused request
    // loads the code again.
    const fetchNow = () =>
      void fetchDialog().then(
        (component) => setDialog(() => component),
        () => prompt?.reject(prompt.refusal),
      );
    const timer = setTimeout(fetchNow, prompt ? 0 : fetchAfterMs);
    return () => clearTimeout(timer);
  }, [Dialog, prompt]);

  return (
    <RequestProvider value={send}>
      {children}
      {prompt && Dialog && (
        <Dialog
          email={email}
          confirming={needsConfirmation(prompt.refusal)}
          onSignedIn={() => {
            prompt.resolve();
            void refreshSession(client);
          }}
          onClose={() => prompt.reject(prompt.refusal)}
        />
      )}
    </RequestProvider>
  );
}
