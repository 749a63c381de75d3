import { sizeText } from '../../domain/text.ts';
import { type MediaRecord, mediaAccept } from '../../domain/media.ts';
import { megabytesFor } from '../../domain/upload.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { DropZone } from '../ui/DropZone.tsx';
import { type QueuedUpload, cancel, retry, useUpload, useUploads } from './uploads.ts';

interface UploadZoneProps {
  /** Called after each upload; `alone` is true if no other upload is in the queue. */
  onUploaded: (file: MediaRecord, alone: boolean) => void;
}

/** The drop zone for uploads, and the uploads that are waiting, running or failed, with the progress of each. */
export function UploadZone({ onUploaded }: UploadZoneProps) {
  const upload = useUpload(onUploaded);
  const uploads = useUploads();
  return (
    <div className="pt-3">
      <DropZone label="Upload files" choose="Choose files" accept={mediaAccept} multiple onFiles={upload}>
        <strong>Drop files here</strong>
        <p>
          Pictures, PDF, DOC, DOCX or TXT, up to {megabytesFor('media')} MB each. We remove location and camera data
          from photos.
        </p>
      </DropZone>
      {uploads.length > 0 && (
        <ul className="upload-list rule-b-rule" aria-label="Uploads">
          {uploads.map((queued) => (
            <UploadRow key={queued.key} upload={queued} />
          ))}
        </ul>
      )}
    </div>
  );
}

function UploadRow({ upload }: { upload: QueuedUpload }) {
  const { file, sent, reason, again } = upload;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 rule-t-rule">
      <div className="min-w-0 flex-[1_1_12rem] wrap-anywhere">
        <p className="semibold">{file.name}</p>
        <p className={reason ? 'field-error' : 'figures'}>{reason ?? progressText(sent, file.size)}</p>
      </div>
      {!reason && (
        <progress
          className="progress-bar h-2 flex-[0_1_16rem] bg-raised"
          aria-label={`Uploading ${file.name}`}
          max={file.size || 1}
          value={Math.min(sent ?? 0, file.size)}
        />
      )}
      {again && (
        <Button icon="again" onClick={() => retry(upload)}>
          Try again
        </Button>
      )}
      <IconButton icon="cross" label={`${reason ? 'Dismiss' : 'Cancel'} ${file.name}`} onClick={() => cancel(upload)} />
    </li>
  );
}

function progressText(sent: number | undefined, size: number): string {
  if (sent === undefined) return `${sizeText(size)}, waiting`;
  return sent < size ? `${sizeText(sent)} of ${sizeText(size)}` : `${sizeText(size)}, checking`;
}
