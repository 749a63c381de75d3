import { sizeText } from '../../domain/file-size.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import type { QueuedFile } from './upload-queue.ts';

interface UploadListProps {
  files: readonly QueuedFile[];
  retry: (key: number) => void;
  cancel: (key: number) => void;
}

/** Lists the uploads that are waiting, running or failed, with the progress of each. */
export function UploadList({ files, retry, cancel }: UploadListProps) {
  return (
    <ul className="upload-list rule-b-rule" aria-label="Uploads">
      {files.map((queued) => (
        <UploadRow key={queued.key} queued={queued} retry={retry} cancel={cancel} />
      ))}
    </ul>
  );
}

function UploadRow({ queued, retry, cancel }: { queued: QueuedFile } & Omit<UploadListProps, 'files'>) {
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
          value={state === 'waiting' ? 0 : Math.min(sent, file.size)}
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
        onClick={() => cancel(key)}
      />
    </li>
  );
}

function progressText(state: QueuedFile['state'], sent: number, size: number): string {
  if (state === 'waiting') return `${sizeText(size)}, waiting`;
  return sent < size ? `${sizeText(sent)} of ${sizeText(size)}` : `${sizeText(size)}, checking`;
}
