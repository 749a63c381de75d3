import { freshSignInMinutes } from '../../domain/retention.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { SignInElsewhere } from './SignInElsewhere.tsx';
import { SignInForm } from './SignInForm.tsx';
import { useSession } from './queries.ts';
import type { SignInReason } from './sign-in-prompt.ts';

const words: Record<SignInReason, { readonly title: string; readonly text: string }> = {
  ended: {
    title: 'Sign in again',
    text: 'Your session has ended. Sign in to continue. Your work on this page is still here.',
  },
  confirm: {
    title: 'Confirm it’s you',
    text: `You last signed in more than ${freshSignInMinutes} minutes ago. Before we continue, please confirm that it’s you. Your work on this page stays here.`,
  },
};

interface Props {
  readonly email: string;
  readonly reason: SignInReason;
  readonly onSignedIn: () => void;
  readonly onClose: () => void;
}

/** The dialog that asks the admin to sign in without leaving the page. */
export default function SignInAgain({ email, reason, onSignedIn, onClose }: Props) {
  const session = useSession();
  return (
    <Dialog title={words[reason].title} onClose={onClose}>
      <p>{words[reason].text}</p>
      <SignInForm email={email} confirming={reason === 'confirm'} onSignedIn={onSignedIn} />
      {session.data?.openId && <SignInElsewhere confirming={reason === 'confirm'} onSignedIn={onSignedIn} />}
    </Dialog>
  );
}
