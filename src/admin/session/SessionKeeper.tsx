import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { request } from '../../lib/api.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { RequestProvider, requestAcrossSessions } from '../ui/signed-in-request.ts';
import { SignInElsewhere } from './SignInElsewhere.tsx';
import { SignInForm } from './SignInForm.tsx';
import { refreshSession } from './queries.ts';
import { signInPrompt } from './sign-in-prompt.ts';

/**
 * Keeps work going across the end of a session: what the API refuses with 401 waits for a sign-in dialog on the same
 * page and is then sent again. Nothing on the page is lost either way.
 */
export function SessionKeeper({ email, children }: { email: string; children: ReactNode }) {
  const client = useQueryClient();
  const [keeper] = useState(() => {
    const prompt = signInPrompt();
    return { prompt, request: requestAcrossSessions(prompt.ask, request) };
  });
  const { prompt } = keeper;
  const asking = useSyncExternalStore(prompt.subscribe, prompt.isOpen, prompt.isOpen);

  const goOn = () => {
    prompt.granted();
    void refreshSession(client);
  };

  return (
    <RequestProvider value={keeper.request}>
      {children}
      {asking && (
        <Dialog title="Sign in again" onClose={prompt.declined}>
          <p>Your session has ended. Sign in to go on where you are; nothing on this page is lost.</p>
          <SignInForm email={email} onSignedIn={goOn} />
          <SignInElsewhere onSignedIn={goOn} />
        </Dialog>
      )}
    </RequestProvider>
  );
}
