import { useEffect, useEffectEvent, useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { request } from '../../lib/api.ts';

/**
 * For somebody whose account is with an OpenID provider, and has no password here: sign in in another tab, and come back.
 * Only then is the session looked at.
 * @param props.confirming the provider is to have the person sign in again, and the session must be recent.
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
        // Not yet: the form is still there.
      }
    };
    const onVisible = () => void look();
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [left, confirming]);

  return (
    <p>
      With a company account,{' '}
      <a
        href={confirming ? `${apiPaths.login}?fresh=1` : apiPaths.login}
        target="_blank"
        rel="noopener"
        onClick={() => setLeft(true)}
      >
        sign in in a new tab
      </a>{' '}
      and come back here.
    </p>
  );
}
