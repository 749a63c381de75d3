import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { apiPaths } from '../../domain/api-paths.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { type MediaRecord, mediaAnswer, mediaRecord } from '../../domain/media.ts';
import { megabytesFor, uploadLimits } from '../../domain/upload.ts';
import { ApiError } from '../../lib/api.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { errorText } from '../lib/error-text.ts';
import { useSendFile } from '../lib/send-file.ts';
import { undo } from '../lib/undo.ts';
import { withToast } from '../lib/with-toast.ts';
import { useMediaRefresh, usePutBack } from './queries.ts';

/** Uploads one file. */
type Send = (file: File, options: { signal: AbortSignal; onProgress: (sent: number) => void }) => Promise<void>;

export interface QueuedFile {
  readonly key: number;
  readonly file: File;
  readonly send: Send;
  /** The title of the toast for a failure. */
  readonly failure: string;
  readonly control: AbortController;
  readonly state: 'waiting' | 'sending' | 'failed';
  /** The number of bytes sent so far. */
  readonly sent: number;
  /** Why the upload failed, as a message for the admin. */
  readonly reason: string;
  /** Whether another attempt can succeed. */
  readonly again: boolean;
}

/** The maximum number of simultaneous uploads. */
const atOnce = 2;
/** The errors that the file itself causes. The server would refuse the same file again. */
const finalCodes = new Set<string | undefined>([
  'invalid_input',
  'too_large',
  'unsupported_media_type',
] satisfies ErrorCode[]);

// The queue exists outside the components, so uploads continue while the admin works on another tab of the dashboard. A
// finished upload leaves the queue. A failed upload stays until the admin retries or dismisses it.
let files: readonly QueuedFile[] = [];
let nextKey = 1;
const listeners = new Set<() => void>();

const warn = (event: BeforeUnloadEvent) => event.preventDefault();
function set(changed: readonly QueuedFile[]): void {
  files = changed;
  if (files.some(({ state }) => state !== 'failed')) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
  for (const listener of listeners) listener();
}
const change = (key: number, changes: Partial<QueuedFile>) =>
  set(files.map((one) => (one.key === key ? { ...one, ...changes } : one)));
const drop = (key: number) => set(files.filter((one) => one.key !== key));

function add(given: Pick<QueuedFile, 'file' | 'send' | 'failure'>, changes: Partial<QueuedFile> = {}): void {
  const waiting = { state: 'waiting', sent: 0, reason: '', again: true } as const;
  set([...files, { key: nextKey++, control: new AbortController(), ...waiting, ...given, ...changes }]);
  next();
}

function next(): void {
  const sending = files.filter(({ state }) => state === 'sending').length;
  const waiting = files.find(({ state }) => state === 'waiting');
  if (sending < atOnce && waiting) void run(waiting);
}

async function run({ key, file, send, failure, control }: QueuedFile): Promise<void> {
  change(key, { state: 'sending', sent: 0 });
  next();
  try {
    await send(file, { signal: control.signal, onProgress: (sent) => change(key, { sent }) });
    drop(key);
  } catch (error) {
    if (control.signal.aborted) drop(key);
    else {
      const again = !(error instanceof ApiError && finalCodes.has(error.code));
      change(key, { state: 'failed', reason: errorText(error), again });
      showToast({ title: failure, description: `${file.name}: ${errorText(error)}`, variant: 'destructive' });
    }
  } finally {
    next();
  }
}

export function retry(key: number): void {
  change(key, { state: 'waiting' });
  next();
}

/** Aborts a running upload, or removes a file that is waiting or failed. */
export function cancel({ key, state, control }: QueuedFile): void {
  if (state === 'sending') control.abort(new DOMException('Canceled', 'AbortError'));
  else drop(key);
}

/** The uploads to the media library that are waiting, running or failed. */
export function useUploads(): readonly QueuedFile[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => files,
    () => files,
  );
}

const form = { purpose: 'media', field: 'file', schema: mediaAnswer } as const;

/**
 * Returns a function that uploads files to the library. Files that are too large are not sent; a toast names each.
 * @param onUploaded called after each upload; `alone` is true if no other upload is in the queue.
 */
export function useUpload(onUploaded: (file: MediaRecord, alone: boolean) => void) {
  const refresh = useMediaRefresh();
  const sendFile = useSendFile();
  const send: Send = async (file, options) => {
    const { data } = await sendFile(file, { ...form, url: apiPaths.media, ...options });
    showToast({ title: 'File uploaded successfully!', description: data.originalName });
    onUploaded(data, files.length <= 1);
    await refresh();
  };
  return (added: readonly File[]): void => {
    for (const file of added) {
      const upload = { file, send, failure: 'Failed to upload file' };
      const reason = `${file.name} is larger than ${megabytesFor('media')}MB`;
      if (file.size <= uploadLimits.media) add(upload);
      else {
        add(upload, { state: 'failed', reason, again: false });
        showToast({ title: 'File too large', description: reason, variant: 'destructive' });
      }
    }
  };
}

/** Returns a function that uploads a replacement for a file. The toast after the replacement has an Undo button. */
export function useReplace() {
  const refresh = useMediaRefresh();
  const sendFile = useSendFile();
  const { mutateAsync: putBack } = usePutBack();
  const undoReplacement = (file: MediaRecord) =>
    withToast(
      putBack(file),
      ({ originalName }) => ({ title: 'Previous file restored', description: originalName }),
      'Couldn’t restore the previous file',
    );
  return ({ id, version: seen }: MediaRecord, chosen: File): void => {
    let version = seen;
    const send: Send = async (file, options) => {
      try {
        const url = apiPaths.replaceMediaFile(id);
        const { data } = await sendFile(file, { ...form, url, fields: { version }, ...options });
        const description = data.originalName;
        if (data.version !== version) {
          showToast({ title: 'File replaced', description, ...undo(() => void undoReplacement(data)) });
        } else {
          const same = `${description} is the same as the current file`;
          showToast({ title: 'The files are identical', description: same });
        }
      } catch (error) {
        // If another admin replaced the file first, the error contains the current file. The next attempt replaces that
        // version.
        const current = z.safeParse(mediaRecord, error instanceof ApiError ? error.current : undefined);
        if (current.success) version = current.data.version;
        throw error;
      } finally {
        await refresh();
      }
    };
    add({ file: chosen, send, failure: 'Failed to replace file' });
  };
}
