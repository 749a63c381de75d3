import { useEffect } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { Notice } from '../ui/Notice.tsx';

/** How long the notice is shown before the redirect, in milliseconds (docs/product.md#admin-area). */
const redirectDelayMs = 500;

/** Shown if the dashboard opens without a session. After the sign-in, the admin returns to the same URL. */
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
  // The sign-in page opens the dashboard by default, so the dashboard's URL without a query needs no `returnTo`.
  return search === '' ? apiPaths.login : `${apiPaths.login}?${new URLSearchParams({ returnTo: pathname + search })}`;
}
