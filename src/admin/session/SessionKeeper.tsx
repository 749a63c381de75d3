import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { request } from '../../lib/api.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { RequestProvider, requestAcrossSessions } from '../ui/signed-in-request.ts';
import { SignInElsewhere } from './SignInElsewhere.tsx';
import { SignInForm } from './SignInForm.tsx';
import { refreshSession } from './queries.ts';
import { type SignInReason, signInPrompt } from './sign-in-prompt.ts';

const words: Record<SignInReason, { readonly title: string; readonly text: string }> = {
  ended: {
    title: 'Sign in again',
    text: 'Your session has ended. Sign in to go on where you are; nothing on this page is lost.',
  },
  confirm: {
    title: 'Confirm it’s you',
    text: 'This step needs a sign-in within the last 10 minutes. Everything on this page stays as it is.',
  },
};

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

  const goOn = () => {
    prompt.granted();
    void refreshSession(client);
  };

  return (
    <RequestProvider value={keeper.request}>
      {children}
      {reason && (
        <Dialog title={words[reason].title} onClose={prompt.declined}>
          <p>{words[reason].text}</p>
          <SignInForm email={email} confirming={reason === 'confirm'} onSignedIn={goOn} />
          <SignInElsewhere confirming={reason === 'confirm'} onSignedIn={goOn} />
        </Dialog>
      )}
    </RequestProvider>
  );
}
