import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { request } from '../../lib/api.ts';
import { RequestProvider, requestAcrossSessions } from '../ui/signed-in-request.ts';
import type SignInAgain from './SignInAgain.tsx';
import { refreshSession } from './queries.ts';
import { signInPrompt } from './sign-in-prompt.ts';

/** The dialog is not needed for the first screen, so its code comes once the browser has nothing else to do. */
const fetchAfterMs = 3_000;
const fetchDialog = async () => (await import('./SignInAgain.tsx')).default;

/**
 * Keeps work going across the end of a session, and across a step that needs a recent sign-in: what the API refuses waits
 * for a dialog on the same page and is then sent again. Nothing on the page is lost either way.
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
    // If the code cannot be fetched, the request is refused with its own message, and the next one tries again.
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
