import { LogoUpload } from './LogoUpload.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';

/** The logo, in the dashboard's Settings tab. */
export function LogoPanel() {
  return (
    <SettingsPanel
      title="Logo Upload"
      about={
        <>
          The logo appears at the top of every page as soon as you upload it. You can restore the previous logo.{' '}
          <a href="/admin/settings">Open logo settings</a>
        </>
      }
    >
      <LogoUpload screen="tab" />
    </SettingsPanel>
  );
}
