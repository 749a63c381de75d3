import { useEffect, useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { type LogoDetail, logoDetail, logoTypes } from '../../domain/site/logo.ts';
import { megabytesFor, svgMegabytes, uploadLimits } from '../../domain/submissions/upload.ts';
import { type ToastOptions, showToast } from '../../lib/toast/toast.ts';
import { showFailure, useAct, useGet } from '../lib/act.ts';
import { useSendFile } from '../lib/send-file.ts';
import { Button } from '../ui/Button.tsx';
import { DropZone, FilePicture } from '../ui/DropZone.tsx';
import { DateTime } from '../ui/Fact.tsx';
import { Loaded } from '../ui/Notice.tsx';
import { Panel } from './Panel.tsx';

const logoKey = [apiPaths.logo] as const;
/** A frame with the proportions that are recommended for a logo. */
const logoFrame =
  'grid aspect-[200/60] w-[min(14rem,100%)] flex-none place-items-center p-2 rule-rule [&>img]:max-h-13 [&>img]:max-w-full';
/** A row with a picture, text about the picture, and buttons. */
const logoRow =
  'flex w-full flex-wrap items-center gap-x-4 gap-y-3 [&>div]:min-w-0 [&>div]:flex-[1_1_10rem] [&>div]:wrap-anywhere';

/**
 * The logo: in the dashboard's Settings tab, or on the settings page. The two screens show different text
 * (docs/product.md#logo).
 */
export function Logo({ screen }: { screen: 'tab' | 'page' }) {
  const logo = useGet([], apiPaths.logo, logoDetail);
  const [chosen, setChosen] = useState<File>();

  const choose = ([file]: File[]) => {
    if (!file) return;
    const refused = refusalOf(file, screen);
    if (refused) showToast({ ...refused, variant: 'destructive' });
    else setChosen(file);
  };
  return (
    <Panel
      title="Logo Upload"
      level={screen === 'tab' ? 'h3' : 'h2'}
      about={
        <>
          The logo appears at the top of every page as soon as you upload it. You can restore the previous logo.{' '}
          {screen === 'tab' && <a href="/admin/settings">Open the logo settings on a separate page</a>}
        </>
      }
    >
      <Loaded what="the logo" query={logo} skeleton={<span className={`${logoFrame} skeleton`} />}>
        {(detail) => <CurrentLogo {...detail} />}
      </Loaded>
      <div className="w-full">
        <DropZone label="New logo" choose="Choose file" accept="image/*" onFiles={choose}>
          <strong>Drop a picture here</strong>
          <p>You’ll see a preview before the upload.</p>
        </DropZone>
        {chosen && (
          <ChosenLogo key={`${chosen.name}${chosen.lastModified}`} file={chosen} onDone={() => setChosen(undefined)} />
        )}
      </div>
      <ul className="ps-4.5 list-[square] text-ink-soft" aria-label="Requirements">
        <li>JPEG, PNG, GIF, SVG or WebP</li>
        <li>Max {megabytesFor('logo')}MB</li>
        <li>SVG: max {svgMegabytes}MB</li>
        <li>Recommended size 200x60px</li>
        <li>A transparent background works best</li>
      </ul>
    </Panel>
  );
}

/** Returns why a file cannot become the logo; null if it can. The server also checks the file's content. */
function refusalOf({ type, size }: File, screen: 'tab' | 'page'): ToastOptions | null {
  const isTyped = screen === 'tab' ? type.startsWith('image/') : logoTypes.has(type);
  if (!isTyped) {
    return screen === 'tab'
      ? { title: 'Invalid file type', description: 'Please select an image file (JPG, PNG, GIF, SVG, WebP)' }
      : { title: 'Invalid File Type', description: 'Please select a valid image file (JPG, PNG, GIF, SVG, or WebP)' };
  }
  if (size <= uploadLimits.logo) return null;
  return { title: 'File Too Large', description: `Please select a file smaller than ${megabytesFor('logo')}MB` };
}

function CurrentLogo({ data, previous }: LogoDetail) {
  const restore = useAct(
    /** @param version undefined for the default logo. */
    (send, version: number | undefined) =>
      version === undefined
        ? send(apiPaths.logo, { method: 'DELETE', schema: logoDetail })
        : send(apiPaths.restoreLogo, { body: { version }, schema: logoDetail }),
    {
      done: ({ data: { logoFileName } }) => ({
        title: 'Logo Updated',
        description: `The site now shows ${logoFileName}`,
      }),
      failed: 'Couldn’t change the logo',
      refresh: logoKey,
    },
  );
  return (
    <div className={logoRow}>
      {/* The logo's URL never changes, so the query makes the browser load a new image. */}
      <span className={`${logoFrame} bg-paper`}>
        <img src={`${data.logoUrl}?v=${encodeURIComponent(data.updatedAt ?? 'default')}`} alt="The current logo" />
      </span>
      <div>
        <p className="semibold">{data.logoFileName}</p>
        <p className="text-ink-soft">
          {data.updatedAt ? 'Last updated ' : 'Default logo'}
          {data.updatedAt && <DateTime iso={data.updatedAt} />}
        </p>
      </div>
      {previous !== null && (
        <Button act={restore} input={previous.version} icon="undo">
          Restore previous logo
        </Button>
      )}
      {data.uploaded && (
        <Button act={restore} look="quiet">
          Reset to default
        </Button>
      )}
    </div>
  );
}

/** A chosen file, until the admin uploads or cancels it. */
function ChosenLogo({ file, onDone }: { file: File; onDone: () => void }) {
  const sendFile = useSendFile();
  const [sent, setSent] = useState(0);
  const [control] = useState(() => new AbortController());
  useEffect(() => () => control.abort(), [control]);

  const upload = useAct(
    () => {
      const options = { schema: logoDetail, signal: control.signal, onProgress: setSent };
      return sendFile(file, { purpose: 'logo', url: apiPaths.logo, field: 'logo', ...options });
    },
    { refresh: logoKey },
  );
  const begin = () =>
    upload.mutate(undefined, {
      onSuccess: () => {
        onDone();
        showToast({ title: 'Logo Updated', description: 'Your logo has been uploaded successfully' });
      },
      onError: (error) => showFailure('Upload Failed', error, 'Upload failed'),
    });
  return (
    <div
      className={`${logoRow} bg-raised px-5 py-4 rule-rule-strong [border-block-start:0]!`}
      role="group"
      aria-label="Selected file"
    >
      <span className={`${logoFrame} bg-paper`}>
        <FilePicture file={file} />
      </span>
      <div>
        <p className="semibold">{file.name}</p>
        <p className="figures text-ink-soft">{Math.max(0.01, file.size / 1024 / 1024).toFixed(2)} MB</p>
        {upload.isPending && (
          <progress className="w-full" aria-label={`Uploading ${file.name}`} max={file.size || 1} value={sent} />
        )}
      </div>
      <Button look="primary" onClick={begin} pending={upload.isPending} pendingLabel="Uploading...">
        Upload Logo
      </Button>
      <Button onClick={onDone}>Cancel</Button>
    </div>
  );
}
