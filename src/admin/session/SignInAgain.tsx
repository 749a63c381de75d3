import { Dialog } from '../ui/Dialog.tsx';
import { SignInElsewhere } from './SignInElsewhere.tsx';
import { SignInForm } from './SignInForm.tsx';
import { useSession } from './queries.ts';
import type { SignInReason } from './sign-in-prompt.ts';

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

interface Props {
  readonly email: string;
  readonly reason: SignInReason;
  readonly onSignedIn: () => void;
  readonly onClose: () => void;
}

/** Asks the admin to sign in on the page where they are. */
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
