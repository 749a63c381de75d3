import { type ReactNode, useEffect } from 'react';
import { LogoUpload } from '../settings/LogoUpload.tsx';
import { SettingsPanel } from '../settings/SettingsPanel.tsx';
import { Notice } from '../ui/Notice.tsx';
import { AdminFrame, AdminShell } from './AdminShell.tsx';
import { ScreenSkeleton } from './ScreenSkeleton.tsx';
import { adminQueryClient } from './query-client.ts';

const client = adminQueryClient();
/** People without a session have this many milliseconds to read the notice before the redirect to the website. */
const leaveAfterMs = 2_000;

/** The settings page. Its only setting is the logo (docs/product.md#logo). */
export function SettingsPage({ siteName }: { siteName: string }) {
  return (
    <AdminShell
      client={client}
      checking={
        <Frame siteName={siteName}>
          <p className="unseen" role="status">
            Loading the settings…
          </p>
          <ScreenSkeleton />
        </Frame>
      }
      signedOut={<AccessDenied />}
      frame={(content) => <Frame siteName={siteName}>{content}</Frame>}
    >
      {(email) => (
        <Frame siteName={siteName} email={email}>
          <SettingsPanel
            title="Logo Upload"
            about="The logo appears at the top of every page. You can restore the previous logo."
          >
            <LogoUpload screen="page" />
          </SettingsPanel>
        </Frame>
      )}
    </AdminShell>
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
      <div className="scroll-area @container/settings max-w-280 pb-8">{children}</div>
    </AdminFrame>
  );
}

/** Tells a person without a session to sign in, and redirects the person to the website after a delay. */
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
