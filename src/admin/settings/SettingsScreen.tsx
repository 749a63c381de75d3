import { useDeferredValue } from 'react';
import { ActivityPanel } from './ActivityPanel.tsx';
import { LogoPanel } from './LogoPanel.tsx';
import { PasskeysPanel } from './PasskeysPanel.tsx';
import { PasswordPanel } from './PasswordPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import { StatusPanel } from './StatusPanel.tsx';

/** Settings: first the site's settings, then the admin's account, then the site status and the activity log. */
export default function SettingsScreen() {
  // False in the first render, which contains only the panels that fill the screen.
  const complete = useDeferredValue(true, false);
  return (
    <div className="scroll-area @container/settings">
      <LogoPanel />
      <PasswordPanel />
      {complete && (
        <>
          <PasskeysPanel />
          <SessionsPanel />
          <StatusPanel />
          <ActivityPanel />
        </>
      )}
    </div>
  );
}
