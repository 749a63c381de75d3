import { useEffect, useEffectEvent, useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { freshSignInMinutes } from '../../domain/submissions/retention.ts';
import { request } from '../../lib/request/api.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { SignInForm } from './SignInForm.tsx';
import { useSession } from './queries.ts';

interface SignInAgainProps {
  readonly email: string;
  /** Whether the admin is still signed in, and the action needs a recent sign-in. */
  readonly confirming: boolean;
  readonly onSignedIn: () => void;
  readonly onClose: () => void;
}

/** The dialog that asks the admin to sign in without leaving the page. */
export default function SignInAgain({ email, confirming, onSignedIn, onClose }: SignInAgainProps) {
  const session = useSession();
  return (
    <Dialog title={confirming ? 'Confirm it’s you' : 'Sign in again'} onClose={onClose}>
      <p>
        {confirming
          ? `You last signed in more than ${freshSignInMinutes} minutes ago. To continue, confirm that it’s you. Your work on this page stays here.`
          : 'Your session has ended. Sign in to continue. Your work on this page is still here.'}
      </p>
      <SignInForm email={email} confirming={confirming} onSignedIn={onSignedIn} />
      {session.data?.openId && <SignInElsewhere confirming={confirming} onSignedIn={onSignedIn} />}
    </Dialog>
  );
}

/**
 * For admins who have an account at an OpenID provider and no password: a link that opens the sign-in in a new tab.
 * Checks the session when the admin returns to this tab.
 */
function SignInElsewhere({ confirming, onSignedIn }: Pick<SignInAgainProps, 'confirming' | 'onSignedIn'>) {
  const [left, setLeft] = useState(false);
  const look = useEffectEvent(async () => {
    if (document.visibilityState !== 'visible') return;
    try {
      await request(confirming ? apiPaths.authFresh : apiPaths.authStatus);
      onSignedIn();
    } catch {
      // The admin has not signed in yet. The form stays open.
    }
  });

  useEffect(() => {
    if (!left) return undefined;
    const onVisible = () => void look();
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [left]);

  return (
    <p>
      You can also{' '}
      <a
        // The provider asks the admin to sign in again if the action needs a recent sign-in.
        href={confirming ? `${apiPaths.login}?fresh=1` : apiPaths.login}
        target="_blank"
        rel="noopener"
        onClick={() => setLeft(true)}
      >
        sign in with a company account in a new tab
      </a>
      . Then come back to this page.
    </p>
  );
}
