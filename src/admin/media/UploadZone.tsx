import { sizeText } from '../../domain/file-size.ts';
import { type MediaRecord, mediaAccept } from '../../domain/media.ts';
import { megabytesFor } from '../../domain/upload.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { DropZone } from '../ui/DropZone.tsx';
import { type QueuedFile, cancel, retry, useUpload, useUploads } from './uploads.ts';

interface UploadZoneProps {
  /** Called after each upload; `alone` is true if no other upload is in the queue. */
  onUploaded: (file: MediaRecord, alone: boolean) => void;
}

/** The drop zone for uploads, and the uploads that are waiting, running or failed, with the progress of each. */
export function UploadZone({ onUploaded }: UploadZoneProps) {
  const upload = useUpload(onUploaded);
  const files = useUploads();
  return (
    <div className="pt-3">
      <DropZone label="Upload files" choose="Choose files" accept={mediaAccept} multiple onFiles={upload}>
        <strong>Drop files here</strong>
        <p>
          Pictures, PDF, DOC, DOCX or TXT, up to {megabytesFor('media')} MB each. We remove location and camera data
          from photos.
        </p>
      </DropZone>
      {files.length > 0 && (
        <ul className="upload-list rule-b-rule" aria-label="Uploads">
          {files.map((queued) => (
            <UploadRow key={queued.key} queued={queued} />
          ))}
        </ul>
      )}
    </div>
  );
}

function UploadRow({ queued }: { queued: QueuedFile }) {
  const { key, file, state, sent, reason, again } = queued;
  const failed = state === 'failed';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 rule-t-rule">
      <div className="min-w-0 flex-[1_1_12rem] wrap-anywhere">
        <p className="semibold">{file.name}</p>
        <p className={failed ? 'field-error' : 'figures'}>{failed ? reason : progressText(state, sent, file.size)}</p>
      </div>
      {!failed && (
        <progress
          className="progress-bar h-2 flex-[0_1_16rem] bg-raised"
          aria-label={`Uploading ${file.name}`}
          max={file.size || 1}
          value={Math.min(sent, file.size)}
        />
      )}
      {failed && again && (
        <Button icon="again" onClick={() => retry(key)}>
          Try again
        </Button>
      )}
      <IconButton
        icon="cross"
        label={failed ? `Dismiss ${file.name}` : `Cancel ${file.name}`}
        onClick={() => cancel(queued)}
      />
    </li>
  );
}

function progressText(state: QueuedFile['state'], sent: number, size: number): string {
  if (state === 'waiting') return `${sizeText(size)}, waiting`;
  return sent < size ? `${sizeText(sent)} of ${sizeText(size)}` : `${sizeText(size)}, checking`;
}
