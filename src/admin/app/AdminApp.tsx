import './admin.css';
import { useEffect } from 'react';
import { SessionKeeper } from '../session/SessionKeeper.tsx';
import { useSession } from '../session/queries.ts';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { isSignedOut } from '../ui/signed-in-request.ts';
import { AdminFrame } from './AdminFrame.tsx';
import { AdminShell } from './AdminShell.tsx';
import { Dashboard } from './Dashboard.tsx';
import { CardsSkeleton, DashboardSkeleton } from './DashboardSkeleton.tsx';
import { SignedOut } from './SignedOut.tsx';
import { tabOf } from './tabs.ts';

/** The admin's dashboard (spec §2). The server renders it as it looks while authentication is checked. */
export function AdminApp({ siteName }: { siteName: string }) {
  useEffect(() => {
    // The first screen's code comes while the session is checked.
    void tabOf(window.location.search)
      .load()
      .catch(() => undefined);
  }, []);

  return (
    <AdminShell>
      <Gate siteName={siteName} />
    </AdminShell>
  );
}

function Gate({ siteName }: { siteName: string }) {
  const session = useSession();

  if (session.data) {
    const { email } = session.data.user;
    return (
      <SessionKeeper email={email}>
        <Dashboard siteName={siteName} email={email} />
      </SessionKeeper>
    );
  }
  if (session.isPending) {
    return (
      <AdminFrame siteName={siteName} cards={<CardsSkeleton />}>
        <DashboardSkeleton />
      </AdminFrame>
    );
  }
  return (
    <AdminFrame siteName={siteName}>
      {isSignedOut(session.error) ? (
        <SignedOut />
      ) : (
        <FailureNotice
          title="Failed to check auth status"
          error={session.error}
          onRetry={() => void session.refetch()}
          pending={session.isFetching}
        />
      )}
    </AdminFrame>
  );
}
