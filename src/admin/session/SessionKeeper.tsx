import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { request } from '../../lib/api.ts';
import { RequestProvider, requestAcrossSessions } from '../lib/signed-in-request.ts';
import type SignInAgain from './SignInAgain.tsx';
import { refreshSession } from './queries.ts';
import { signInPrompt } from './sign-in-prompt.ts';

/** The first screen does not need the sign-in dialog, so the dialog's code loads after this delay, in milliseconds. */
const fetchAfterMs = 3_000;
const fetchDialog = async () => (await import('./SignInAgain.tsx')).default;

/**
 * Handles requests that the API refuses because the session ended or the action needs a recent sign-in. Such a request
 * waits for a sign-in dialog on the same page, and is then sent again. The page keeps its state, even if the admin
 * cancels.
 */
export function SessionKeeper({ email, children }: { email: string; children: ReactNode }) {
  const client = useQueryClient();
  const [keeper] = useState(() => {
    const prompt = signInPrompt();
    return { prompt, request: requestAcrossSessions(prompt.ask, request) };
  });
  const { prompt } = keeper;
  const reason = useSyncExternalStore(prompt.subscribe, prompt.reason, prompt.reason);
  const [Dialog, setDialog] = useState<ComponentType<Parameters<typeof SignInAgain>[0]>>();

  useEffect(() => {
    if (Dialog) return;
    // If the dialog's code cannot be loaded, the waiting requests fail with the API's error. The next refused request
    // loads the code again.
    const fetchNow = () =>
      void fetchDialog().then(
        (component) => setDialog(() => component),
        () => reason && prompt.declined(),
      );
    const timer = setTimeout(fetchNow, reason ? 0 : fetchAfterMs);
    return () => clearTimeout(timer);
  }, [Dialog, prompt, reason]);

  const goOn = () => {
    prompt.granted();
    void refreshSession(client);
  };

  return (
    <RequestProvider value={keeper.request}>
      {children}
      {reason && Dialog && <Dialog email={email} reason={reason} onSignedIn={goOn} onClose={prompt.declined} />}
    </RequestProvider>
  );
}
