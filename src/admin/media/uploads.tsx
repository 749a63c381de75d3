import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { type MediaRecord, mediaAccept, mediaAnswer } from '../../domain/site/media.ts';
import { sizeText } from '../../domain/text/text.ts';
import { megabytesFor, svgMegabytes, uploadLimits } from '../../domain/submissions/upload.ts';
import { ApiError } from '../../lib/request/api.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { errorText, undo, useAct } from '../lib/act.ts';
import { useSendFile } from '../lib/send-file.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { DropZone } from '../ui/DropZone.tsx';
import { mediaKey } from './list.ts';

interface Upload {
  readonly file: File;
  /** @returns the name of a new file of the library, for the message after the last upload. */
  readonly send: (options: { signal: AbortSignal; onProgress: (sent: number) => void }) => Promise<string | undefined>;
  /** The title of the toast for a failure. */
  readonly failure: string;
}

interface QueuedUpload extends Upload {
  readonly key: number;
  readonly control: AbortController;
  /** The number of bytes sent so far; undefined while the upload waits. */
  readonly sent?: number;
  /** Why the upload failed, as a message for the admin. */
  readonly reason?: string;
  /** Whether another attempt can succeed after a failure. */
  readonly again?: boolean;
}

// The queue exists outside the components, so uploads continue while the admin works on another tab of the dashboard. A
// finished upload leaves the queue. A failed upload stays until the admin retries or dismisses it.
let uploads: readonly QueuedUpload[] = [];
let nextKey = 0;
/** The names of the files that were uploaded since the queue was last empty. */
let uploaded: string[] = [];
/** Two files upload at the same time. Each waits for the last upload of its lane. */
const lanes: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()];
const listeners = new Set<() => void>();

const isRunning = ({ reason }: QueuedUpload) => reason === undefined;
const warn = (event: BeforeUnloadEvent) => event.preventDefault();
function set(changed: readonly QueuedUpload[]): void {
  uploads = changed;
  if (uploads.some(isRunning)) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
  for (const listener of listeners) listener();
}
const change = (key: number, changes: Partial<QueuedUpload>) =>
  set(uploads.map((one) => (one.key === key ? { ...one, ...changes } : one)));
const drop = (key: number) => set(uploads.filter((one) => one.key !== key));

/** Adds an upload to the queue. A file that is too large is not sent. */
function add(upload: Upload): void {
  const queued = { ...upload, key: nextKey++, control: new AbortController() };
  if (!uploads.some(isRunning)) uploaded = [];
  if (upload.file.size > uploadLimits.media) {
    const reason = `${upload.file.name} is larger than ${megabytesFor('media')}MB`;
    set([...uploads, { ...queued, reason }]);
    showToast({ title: 'File too large', description: reason, variant: 'destructive' });
    return;
  }
  set([...uploads, queued]);
  const lane = queued.key % 2 === 0 ? 0 : 1;
  lanes[lane] = lanes[lane].then(() => run(queued));
}

async function run({ key, file, send, failure, control: { signal } }: QueuedUpload): Promise<void> {
  if (signal.aborted) return;
  change(key, { sent: 0 });
  try {
    const name = await send({ signal, onProgress: (sent) => change(key, { sent }) });
    drop(key);
    if (name === undefined) return;
    uploaded = [...uploaded, name];
    if (uploads.some(isRunning)) return;
    const description = uploaded.length === 1 ? name : `${uploaded.length} files`;
    showToast({ title: 'File uploaded successfully!', description });
  } catch (error) {
    if (signal.aborted) return;
    const reason = errorText(error);
    // The server would refuse an invalid, large or unsupported file again.
    change(key, { reason, again: !(error instanceof ApiError && [400, 413, 415].includes(error.status)) });
    showToast({ title: failure, description: `${file.name}: ${reason}`, variant: 'destructive' });
  }
}

/** Aborts a running upload, or removes an upload that is waiting or failed. */
function cancel({ key, control }: QueuedUpload): void {
  control.abort(new DOMException('Canceled', 'AbortError'));
  drop(key);
}

function retry(upload: QueuedUpload): void {
  drop(upload.key);
  const { file, send, failure } = upload;
  add({ file, send, failure });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const form = { purpose: 'media', field: 'file', schema: mediaAnswer } as const;

/**
 * Returns a function that uploads files to the library.
 * @param onUploaded called after each upload; `alone` is true if no other upload is in the queue.
 */
function useUpload(onUploaded: (file: MediaRecord, alone: boolean) => void) {
  const client = useQueryClient();
  const sendFile = useSendFile();
  return (added: readonly File[]): void => {
    for (const file of added) {
      const send: Upload['send'] = async (options) => {
        const { data } = await sendFile(file, { ...form, url: apiPaths.media, ...options });
        onUploaded(data, uploads.length <= 1);
        await client.invalidateQueries({ queryKey: mediaKey });
        return data.originalName;
      };
      add({ file, send, failure: 'Failed to upload file' });
    }
  };
}

/** Returns a function that uploads a replacement for a file. The toast after the replacement has an Undo button. */
export function useReplace() {
  const client = useQueryClient();
  const sendFile = useSendFile();
  const putBack = useAct(
    // Refused if another admin has replaced the file since.
    (send, { id, version }: MediaRecord) =>
      send(apiPaths.undoReplaceMediaFile(id), { body: { version }, schema: mediaAnswer }),
    {
      done: ({ data }) => ({ title: 'Previous file restored', description: data.originalName }),
      failed: 'Couldn’t restore the previous file',
      retry: true,
      refresh: mediaKey,
    },
  );
  return ({ id, version }: MediaRecord, file: File): void => {
    const url = apiPaths.replaceMediaFile(id);
    let fields: { version?: string } = { version };
    const send: Upload['send'] = async (options) => {
      try {
        const { data } = await sendFile(file, { ...form, url, fields, ...options });
        const description = data.originalName;
        if (data.version === version)
          showToast({ title: 'Nothing was replaced, because the new file is identical', description });
        else showToast({ title: 'File replaced', description, ...undo(() => putBack.mutate(data)) });
        return undefined;
      } catch (error) {
        // Another admin replaced the file first. After the error, the next attempt replaces any version.
        if (error instanceof ApiError && error.code === 'conflict') fields = {};
        throw error;
      } finally {
        await client.invalidateQueries({ queryKey: mediaKey });
      }
    };
    add({ file, send, failure: 'Failed to replace file' });
  };
}

/** The drop zone for uploads, and the uploads that are waiting, running or failed, with the progress of each. */
export function UploadZone({ onUploaded }: { onUploaded: Parameters<typeof useUpload>[0] }) {
  const upload = useUpload(onUploaded);
  const queue = useSyncExternalStore(subscribe, () => uploads);
  return (
    <div className="pt-3">
      <DropZone label="Upload files" choose="Choose files" accept={mediaAccept} multiple onFiles={upload}>
        <strong>Drop files here</strong>
        <p>
          Pictures, PDF, DOC, DOCX or TXT, up to {megabytesFor('media')} MB each (SVG: up to {svgMegabytes} MB). The
          site removes location and camera data from photos.
        </p>
      </DropZone>
      {queue.length > 0 && (
        <ul className="rule-b-rule" aria-label="Uploads">
          {queue.map((queued) => (
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
