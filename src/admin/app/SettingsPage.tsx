import type { ReactNode } from 'react';
import { Logo } from '../settings/Logo.tsx';
import { Frame, ScreenSkeleton, Shell, SignedOut } from './Shell.tsx';
import { adminQueryClient } from '../lib/query-client.ts';

const client = adminQueryClient();

/** The settings page. Its only setting is the logo (docs/product.md#logo). */
export function SettingsPage({ siteName }: { siteName: string }) {
  const frame = (content: ReactNode, email?: string) => (
    <Frame siteName={siteName} email={email} title="Settings">
      <a className="inline-flex min-h-(--control) items-center self-start" href="/admin">
        Admin Dashboard
      </a>
      <p className="text-ink-soft">Manage your website settings and branding</p>
      <div className="scroll-area @container/settings max-w-280 pt-2 pb-8">{content}</div>
    </Frame>
  );
  return (
    <Shell
      client={client}
      checking={frame(<ScreenSkeleton />)}
      signedOut={
        <SignedOut title="Access Denied" goesTo="/" afterMs={2_000}>
          You need to be logged in to access settings.
        </SignedOut>
      }
      frame={frame}
    >
      {(email) => frame(<Logo screen="page" />, email)}
    </Shell>
  );
}
