import { useEffect, useRef, useState } from 'react';
import type { LogoDetail } from '../../domain/logo.ts';
import { megabytesFor } from '../../domain/upload.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { DropZone } from '../ui/DropZone.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { FilePicture } from '../ui/FilePicture.tsx';
import { errorText } from '../lib/error-text.ts';
import { withToast } from '../lib/with-toast.ts';
import { type LogoScreen, logoRefusal, megabytesText } from './logo-file.ts';
import { useLogo, useLogoBack, useUploadLogo } from './logo-queries.ts';

/** Shows the current logo, and a chosen file until the admin uploads or cancels it. */
export function LogoUpload({ screen }: { screen: LogoScreen }) {
  const logo = useLogo();
  const [chosen, setChosen] = useState<File>();

  const choose = ([file]: File[]) => {
    if (!file) return;
    const refused = logoRefusal(file, screen);
    if (refused) showToast({ ...refused, variant: 'destructive' });
    else setChosen(file);
  };
  return (
    <>
      {logo.isError && (
        <FailureNotice
          title="Couldn’t load the logo"
          error={logo.error}
          onRetry={() => void logo.refetch()}
          pending={logo.isFetching}
        />
      )}
      {logo.isPending && (
        <div className="flex w-full" role="status">
          <span className="unseen">Loading the logo…</span>
          <span className="logo-frame skeleton" />
        </div>
      )}
      {logo.data && <CurrentLogo detail={logo.data} />}
      <div className="w-full">
        <DropZone label="New logo" choose="Choose file" accept="image/*" onFiles={choose}>
          <strong>Drop a picture here</strong>
          <p>You’ll see a preview before the upload.</p>
        </DropZone>
        {chosen && (
          <ChosenLogo key={`${chosen.name}${chosen.lastModified}`} file={chosen} onDone={() => setChosen(undefined)} />
        )}
      </div>
      <ul className="bullets text-ink-soft" aria-label="Requirements">
        <li>JPEG, PNG, GIF, SVG or WebP</li>
        <li>Max {megabytesFor('logo')}MB</li>
        <li>Recommended size 200x60px</li>
        <li>A transparent background works best</li>
      </ul>
    </>
  );
}

function CurrentLogo({ detail: { data, previous } }: { detail: LogoDetail }) {
  const back = useLogoBack();
  const go = (to: 'previous' | 'default') =>
    withToast(
      back.mutateAsync(to),
      ({ data: shown }) => ({ title: 'Logo Updated', description: `The site now shows ${shown.logoFileName}` }),
      'Couldn’t change the logo',
    );
  return (
    <div className="flex w-full flex-wrap items-center gap-x-5 gap-y-3">
      {/* The logo's URL never changes, so the query makes the browser load a new image. */}
      <span className="logo-frame">
        <img src={`${data.logoUrl}?v=${encodeURIComponent(data.updatedAt ?? 'default')}`} alt="The current logo" />
      </span>
      <div className="min-w-0 flex-[1_1_10rem] wrap-anywhere">
        <p className="semibold">{data.logoFileName}</p>
        <p className="text-ink-soft">
          {data.updatedAt === null ? (
            'Default logo'
          ) : (
            <>
              Last updated <DateTime iso={data.updatedAt} />
            </>
          )}
        </p>
      </div>
      <div className="actions">
        {previous !== null && (
          <Button icon="undo" onClick={() => void go('previous')} pending={back.isPending}>
            Restore previous logo
          </Button>
        )}
        {data.uploaded && (
          <Button look="quiet" onClick={() => void go('default')} pending={back.isPending}>
            Reset to default
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
    <div
      className="flex w-full flex-wrap items-center gap-x-5 gap-y-3 bg-raised px-5 py-4 rule-rule-strong [border-block-start:0]!"
      role="group"
      aria-label="Selected file"
    >
      <span className="logo-frame">
        <FilePicture file={file} />
      </span>
      <div className="min-w-0 flex-[1_1_10rem] wrap-anywhere">
        <p className="semibold">{file.name}</p>
        <p className="figures text-ink-soft">{megabytesText(file.size)}</p>
        {upload.isPending && (
          <progress className="w-full" aria-label={`Uploading ${file.name}`} max={file.size || 1} value={sent} />
        )}
      </div>
      <div className="actions">
        <Button look="primary" onClick={send} pending={upload.isPending} pendingLabel="Uploading...">
          Upload Logo
        </Button>
        <Button
          onClick={() => {
            control.current?.abort(new DOMException('Canceled', 'AbortError'));
            onDone();
          }}
        >
          Cancel
        </Button>
      </div>
    </div>
  );
}
