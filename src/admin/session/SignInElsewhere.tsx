import { useEffect, useEffectEvent, useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { request } from '../../lib/api.ts';

/**
 * For admins who have an account at an OpenID provider and no password: a link that opens the sign-in in a new tab.
 * Checks the session when the admin returns to this tab.
 * @param props.confirming whether the provider must ask the admin to sign in again, because the action needs a recent
 * sign-in.
 */
export function SignInElsewhere({ confirming, onSignedIn }: { confirming: boolean; onSignedIn: () => void }) {
  const [left, setLeft] = useState(false);
  const signedIn = useEffectEvent(onSignedIn);

  useEffect(() => {
    if (!left) return undefined;
    const look = async () => {
      if (document.visibilityState !== 'visible') return;
      try {
        await request(confirming ? apiPaths.authFresh : apiPaths.authStatus);
        signedIn();
      } catch {
        // The admin has not signed in yet. The form stays open.
      }
    };
    const onVisible = () => void look();
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [left, confirming]);

  return (
    <p>
      You can also{' '}
      <a
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
