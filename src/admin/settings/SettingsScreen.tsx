import { useDeferredValue } from 'react';
import { Passkeys, Password, Sessions } from './Account.tsx';
import { Activity } from './Activity.tsx';
import { Logo } from './Logo.tsx';
import { Status } from './Status.tsx';

/** Settings: first the site's settings, then the admin's account, then the site status and the activity log. */
export default function SettingsScreen() {
  // False in the first render, which contains only the panels that fill the screen.
  const complete = useDeferredValue(true, false);
  return (
    <div className="scroll-area @container/settings">
      <Logo screen="tab" />
      <Password />
      {complete && (
        <>
          <Passkeys />
          <Sessions />
          <Status />
          <Activity />
        </>
      )}
    </div>
  );
}
