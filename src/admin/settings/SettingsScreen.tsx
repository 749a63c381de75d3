import type { QueryClient } from '@tanstack/react-query';
import { ActivityPanel } from './ActivityPanel.tsx';
import { LogoPanel } from './LogoPanel.tsx';
import { PasskeysPanel } from './PasskeysPanel.tsx';
import { PasswordPanel } from './PasswordPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import { StatusPanel } from './StatusPanel.tsx';
import { beginLogo } from './logo-queries.ts';
import { beginPanels } from './queries.ts';

/** Fetches the data of all panels before the screen renders. */
export const beginSettings = (client: QueryClient) => Promise.all([beginLogo(client), beginPanels(client)]);

/** Settings: first the site's settings, then the admin's account, then the site status and the activity log. */
export default function SettingsScreen() {
  return (
    <div className="scroll-area @container/settings">
      <LogoPanel />
      <PasswordPanel />
      <PasskeysPanel />
      <SessionsPanel />
      <StatusPanel />
      <ActivityPanel />
    </div>
  );
}
