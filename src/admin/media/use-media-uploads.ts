import { useEffect, useSyncExternalStore } from 'react';
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
import { useMediaRefresh } from './queries.ts';
import { type QueuedFile, type Send, uploadQueue } from './upload-queue.ts';
import { useFormerFile } from './use-former-file.ts';

/** The errors that the file itself causes. The server would refuse the same file again. */
const finalCodes = new Set<string | undefined>([
  'invalid_input',
  'too_large',
  'unsupported_media_type',
] satisfies ErrorCode[]);

const queue = uploadQueue((error) => ({
  reason: errorText(error),
  again: !(error instanceof ApiError && finalCodes.has(error.code)),
}));

interface Uploads {
  readonly files: readonly QueuedFile[];
  /** Uploads files. Files that are too large are not sent; a toast names each of them. */
  readonly add: (files: readonly File[]) => void;
  /** Uploads a replacement for a file. The toast after the replacement has an Undo button. */
  readonly replace: (replaced: MediaRecord, file: File) => void;
  readonly retry: (key: number) => void;
  readonly cancel: (key: number) => void;
}

/**
 * The uploads to the media library.
 * @param onUploaded called after each upload; `alone` is true if no other upload is in the queue.
 */
export function useMediaUploads(onUploaded: (file: MediaRecord, alone: boolean) => void): Uploads {
  const files = useSyncExternalStore(queue.subscribe, queue.files, queue.files);
  const refresh = useMediaRefresh();
  const sendFile = useSendFile();

  const { putBack } = useFormerFile();

  const said =
    (failure: string, send: Send): Send =>
    async (file, options) => {
      try {
        await send(file, options);
      } catch (error) {
        if (!options.signal.aborted) {
          showToast({ title: failure, description: `${file.name}: ${errorText(error)}`, variant: 'destructive' });
        }
        throw error;
      }
    };
  const form = { purpose: 'media', field: 'file', schema: mediaAnswer } as const;
  const upload = said('Failed to upload file', async (file, options) => {
    const { data } = await sendFile(file, { ...form, url: apiPaths.media, ...options });
    showToast({ title: 'File uploaded successfully!', description: data.originalName });
    onUploaded(data, queue.files().length <= 1);
    await refresh();
  });
  const replacementOf = (replaced: MediaRecord): Send => {
    let { version } = replaced;
    return said('Failed to replace file', async (file, options) => {
      try {
        const url = apiPaths.replaceMediaFile(replaced.id);
        const { data } = await sendFile(file, { ...form, url, fields: { version }, ...options });
        if (data.version === version) {
          showToast({
            title: 'The files are identical',
            description: `${data.originalName} is the same as the current file`,
          });
        } else {
          showToast({
            title: 'File replaced',
            description: data.originalName,
            ...undo(() => void putBack(data)),
          });
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
    });
  };

  const busy = files.some((file) => file.state !== 'failed');
  useEffect(() => {
    if (!busy) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [busy]);

  return {
    files,
    add: (added) => {
      for (const file of added.filter(isTooLarge)) {
        const description = `${file.name} is larger than ${megabytesFor('media')}MB`;
        queue.refuse(file, description);
        showToast({ title: 'File too large', description, variant: 'destructive' });
      }
      queue.add(
        added.filter((file) => !isTooLarge(file)),
        upload,
      );
    },
    replace: (replaced, file) => queue.add([file], replacementOf(replaced)),
    retry: queue.retry,
    cancel: queue.cancel,
  };
}

const isTooLarge = (file: File) => file.size > uploadLimits.media;
