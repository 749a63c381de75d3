import { ActivityPanel } from './ActivityPanel.tsx';
import { LogoPanel } from './LogoPanel.tsx';
import { PasskeysPanel } from './PasskeysPanel.tsx';
import { PasswordPanel } from './PasswordPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import { StatusPanel } from './StatusPanel.tsx';

/** Settings (spec §2): the site's own, then one's account, then what was done and how the site is. */
export default function SettingsScreen() {
  return (
    <div className="settings">
      <LogoPanel />
      <PasswordPanel />
      <PasskeysPanel />
      <SessionsPanel />
      <StatusPanel />
      <ActivityPanel />
    </div>
  );
}
