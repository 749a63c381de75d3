import { useEffect, useRef, useState } from 'react';
import type { LogoDetail } from '../../domain/logo.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { DropZone } from '../ui/DropZone.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { FilePicture } from '../ui/FilePicture.tsx';
import { errorText } from '../ui/error-text.ts';
import { withNotice } from '../ui/with-notice.ts';
import { type LogoPlace, logoRefusal, megabytesText } from './logo-file.ts';
import { useLogo, useLogoBack, useUploadLogo } from './logo-queries.ts';

/** The logo as it is, and a chosen file that is held until Upload or Cancel. */
export function LogoUpload({ place }: { place: LogoPlace }) {
  const logo = useLogo();
  const [chosen, setChosen] = useState<File>();

  const choose = ([file]: File[]) => {
    if (!file) return;
    const refused = logoRefusal(file, place);
    if (refused) showToast({ ...refused, variant: 'destructive' });
    else setChosen(file);
  };
  return (
    <>
      {logo.isError && (
        <FailureNotice
          title="Could not load the logo"
          error={logo.error}
          onRetry={() => void logo.refetch()}
          pending={logo.isFetching}
        />
      )}
      {logo.isPending && (
        <div className="logo-current" role="status">
          <span className="unseen">Loading the logo…</span>
          <span className="logo-frame skeleton" />
        </div>
      )}
      {logo.data && <CurrentLogo detail={logo.data} />}
      <div className="logo-drop">
        <DropZone label="New logo" choose="Choose file" accept="image/*" onFiles={choose}>
          <strong>Drop a picture here</strong>
          <p>It is shown to you first.</p>
        </DropZone>
        {chosen && (
          <ChosenLogo key={`${chosen.name}${chosen.lastModified}`} file={chosen} onDone={() => setChosen(undefined)} />
        )}
      </div>
      <ul className="logo-rules" aria-label="Requirements">
        <li>JPEG, PNG, GIF, SVG or WebP</li>
        <li>Max 5MB</li>
        <li>Recommended size 200x60px</li>
        <li>A transparent background works best</li>
      </ul>
    </>
  );
}

function CurrentLogo({ detail: { data, previous } }: { detail: LogoDetail }) {
  const back = useLogoBack();
  const go = (to: 'previous' | 'default') =>
    withNotice(
      back.mutateAsync(to),
      ({ data: shown }) => ({ title: 'Logo Updated', description: `The site shows ${shown.logoFileName}` }),
      'The logo was not changed',
    );
  return (
    <div className="logo-current">
      {/* The address stays the same; a part of it tells the browser that the picture does not. */}
      <span className="logo-frame">
        <img src={`${data.logoUrl}?v=${encodeURIComponent(data.updatedAt ?? 'default')}`} alt="The current logo" />
      </span>
      <div>
        <p className="settings-row-name">{data.logoFileName}</p>
        <p className="logo-updated">
          {data.updatedAt === null ? (
            'Comes with the site'
          ) : (
            <>
              Last updated <DateTime iso={data.updatedAt} />
            </>
          )}
        </p>
      </div>
      <div className="logo-buttons">
        {previous !== null && (
          <Button icon="undo" onClick={() => void go('previous')} pending={back.isPending}>
            Restore the previous logo
          </Button>
        )}
        {data.uploaded && (
          <Button look="quiet" onClick={() => void go('default')} pending={back.isPending}>
            Back to the default
          </Button>
        )}
      </div>
    </div>
  );
}

function ChosenLogo({ file, onDone }: { file: File; onDone: () => void }) {
  const upload = useUploadLogo();
  const [sent, setSent] = useState(0);
  const control = useRef<AbortController>(undefined);
  useEffect(() => () => control.current?.abort(), []);

  const send = () => {
    const sending = new AbortController();
    control.current = sending;
    upload.mutate(
      { file, signal: sending.signal, onProgress: setSent },
      {
        onSuccess: () => {
          onDone();
          showToast({ title: 'Logo Updated', description: 'Your logo has been uploaded successfully' });
        },
        onError: (error) => {
          if (!sending.signal.aborted) {
            showToast({
              title: 'Upload Failed',
              description: errorText(error, 'Upload failed'),
              variant: 'destructive',
            });
          }
        },
      },
    );
  };
  return (
    <div className="logo-chosen" role="group" aria-label="Selected file">
      <span className="logo-frame">
        <FilePicture file={file} />
      </span>
      <div className="logo-chosen-words">
        <p className="settings-row-name">{file.name}</p>
        <p className="figures">{megabytesText(file.size)}</p>
        {upload.isPending && <progress aria-label={`Uploading ${file.name}`} max={file.size || 1} value={sent} />}
      </div>
      <div className="logo-buttons">
        <Button look="primary" onClick={send} pending={upload.isPending} pendingLabel="Uploading...">
          Upload Logo
        </Button>
        <Button
          onClick={() => {
            control.current?.abort(new DOMException('Cancelled', 'AbortError'));
            onDone();
          }}
        >
          Cancel
        </Button>
      </div>
    </div>
  );
}
