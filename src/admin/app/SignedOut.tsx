import { useEffect } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { Notice } from '../ui/Notice.tsx';

/** How long the notice can be read before the browser goes on (spec §2, §9). */
const redirectDelayMs = 500;

/** Shown where nobody is signed in when the dashboard opens (spec §2). Leads back to the same address after sign-in. */
export function SignedOut() {
  useEffect(() => {
    const timer = setTimeout(() => window.location.replace(signInAddress(window.location)), redirectDelayMs);
    return () => clearTimeout(timer);
  }, []);

  return (
    <Notice variant="destructive" title="Unauthorized">
      <p>You are logged out. Logging in again...</p>
    </Notice>
  );
}

function signInAddress({ pathname, search }: Location): string {
  // The dashboard itself is where signing in leads anyway.
  return search === '' ? apiPaths.login : `${apiPaths.login}?${new URLSearchParams({ returnTo: pathname + search })}`;
}
