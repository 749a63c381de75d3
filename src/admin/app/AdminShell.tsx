import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useHydrated } from '../lib/hydrated.ts';
import { isSignedOut } from '../lib/signed-in-request.ts';
import { SessionKeeper } from '../session/SessionKeeper.tsx';
import { useSession } from '../session/queries.ts';
import { FailureNotice } from '../ui/FailureNotice.tsx';

interface GateProps {
  /** Shown while the session is checked. The server renders this content. */
  checking: ReactNode;
  /** Shown to people who are not signed in. */
  signedOut: ReactNode;
  /** Puts the page's header and layout around `signedOut` or an error. */
  frame: (content: ReactNode) => ReactNode;
  /** The page for a signed-in admin. */
  children: (email: string) => ReactNode;
}

interface AdminShellProps extends GateProps {
  client: QueryClient;
}

/** Checks the session before showing an admin page. */
export function AdminShell({ client, ...gate }: AdminShellProps) {
  useEffect(() => {
    // Reloads a page from the browser's back/forward cache, which could show data after the session has ended.
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) window.location.reload();
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  return (
    <QueryClientProvider client={client}>
      <Gate {...gate} />
    </QueryClientProvider>
  );
}

function Gate({ checking, signedOut, frame, children }: GateProps) {
  const { data, error, isPending, isFetching, refetch } = useSession();
  const hydrated = useHydrated();

  if (!hydrated || isPending) return checking;
  if (data) return <SessionKeeper email={data.user.email}>{children(data.user.email)}</SessionKeeper>;
  if (isSignedOut(error)) return frame(signedOut);
  return frame(
    <FailureNotice
      title="Failed to check auth status"
      error={error}
      onRetry={() => void refetch()}
      pending={isFetching}
    />,
  );
}
