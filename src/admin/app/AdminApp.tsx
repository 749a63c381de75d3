import './admin.css';
import { SessionKeeper } from '../session/SessionKeeper.tsx';
import { beginSession, useSession } from '../session/queries.ts';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { useHydrated } from '../ui/hydrated.ts';
import { isSignedOut } from '../ui/signed-in-request.ts';
import { AdminFrame } from './AdminFrame.tsx';
import { AdminShell } from './AdminShell.tsx';
import { Dashboard } from './Dashboard.tsx';
import { CardsSkeleton, DashboardSkeleton } from './DashboardSkeleton.tsx';
import { SignedOut } from './SignedOut.tsx';
import { adminQueryClient } from './query-client.ts';
import { tabOf } from './tabs.ts';

const client = adminQueryClient();
// What the first screen needs is on its way while React itself is still being read.
if (typeof window !== 'undefined') {
  const { search } = window.location;
  const tab = tabOf(search);
  for (const begun of [tab.Screen.load(), beginSession(client), tab.begin?.(client, search)]) {
    // Whoever waits for it is told what went wrong.
    begun?.catch(() => undefined);
  }
}

/** The admin's dashboard (spec §2). The server renders it as it looks while authentication is checked. */
export function AdminApp({ siteName }: { siteName: string }) {
  return (
    <AdminShell client={client}>
      <Gate siteName={siteName} />
    </AdminShell>
  );
}

function Gate({ siteName }: { siteName: string }) {
  const session = useSession();
  const hydrated = useHydrated();

  if (hydrated && session.data) {
    const { email } = session.data.user;
    return (
      <SessionKeeper email={email}>
        <Dashboard siteName={siteName} email={email} />
      </SessionKeeper>
    );
  }
  if (!hydrated || session.isPending) {
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
