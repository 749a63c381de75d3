import './admin.css';
import { type ReactNode, useEffect } from 'react';
import { SessionKeeper } from '../session/SessionKeeper.tsx';
import { useSession } from '../session/queries.ts';
import { LogoUpload } from '../settings/LogoUpload.tsx';
import { SettingsPanel } from '../settings/SettingsPanel.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Notice } from '../ui/Notice.tsx';
import { isSignedOut } from '../ui/signed-in-request.ts';
import { AdminFrame } from './AdminFrame.tsx';
import { AdminShell } from './AdminShell.tsx';
import { ScreenSkeleton } from './DashboardSkeleton.tsx';
import { adminQueryClient } from './query-client.ts';

const client = adminQueryClient();
/** Long enough to read two sentences. */
const leaveAfterMs = 2_000;

/** The settings page (spec §2): the logo. The server renders it as it looks while authentication is checked. */
export function SettingsPage({ siteName }: { siteName: string }) {
  return (
    <AdminShell client={client}>
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
        <Frame siteName={siteName} email={email}>
          <SettingsPanel title="Logo Upload" about="The picture at the top of every page. The one before is kept.">
            <LogoUpload place="page" />
          </SettingsPanel>
        </Frame>
      </SessionKeeper>
    );
  }
  return (
    <Frame siteName={siteName}>
      {session.isPending ? (
        <>
          <p className="unseen" role="status">
            Loading the settings…
          </p>
          <ScreenSkeleton />
        </>
      ) : isSignedOut(session.error) ? (
        <AccessDenied />
      ) : (
        <FailureNotice
          title="Failed to check auth status"
          error={session.error}
          onRetry={() => void session.refetch()}
          pending={session.isFetching}
        />
      )}
    </Frame>
  );
}

function Frame({ siteName, email, children }: { siteName: string; email?: string; children: ReactNode }) {
  return (
    <AdminFrame
      siteName={siteName}
      {...(email !== undefined && { email })}
      title="Settings"
      subtitle="Manage your website settings and branding"
      back={{ href: '/admin', label: 'Admin Dashboard' }}
    >
      <div className="settings settings-page">{children}</div>
    </AdminFrame>
  );
}

/** Shown where nobody is signed in; leads to the website. */
function AccessDenied() {
  useEffect(() => {
    const timer = setTimeout(() => window.location.replace('/'), leaveAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Notice variant="destructive" title="Access Denied">
      <p>You need to be logged in to access settings.</p>
    </Notice>
  );
}
