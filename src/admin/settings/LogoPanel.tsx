import { LogoUpload } from './LogoUpload.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';

/** The logo in the dashboard's Settings tab (spec §2). */
export function LogoPanel() {
  return (
    <SettingsPanel
      title="Logo Upload"
      about={
        <>
          The picture at the top of every page. It is there as soon as it is uploaded; the one before is kept.{' '}
          <a href="/admin/settings">Open the logo page</a>
        </>
      }
    >
      <LogoUpload place="tab" />
    </SettingsPanel>
  );
}
