import { useEffect, useSyncExternalStore } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { type MediaRecord, mediaAnswer } from '../../domain/media.ts';
import { uploadLimits } from '../../domain/upload.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { errorText } from '../ui/error-text.ts';
import { useSendFile } from '../ui/send-file.ts';
import { useMediaRefresh } from './queries.ts';
import { type QueuedFile, uploadQueue } from './upload-queue.ts';

const queue = uploadQueue(errorText);

interface Uploads {
  readonly files: readonly QueuedFile[];
  /** Sends files; what is too large is skipped, and said so. */
  readonly add: (files: readonly File[]) => void;
  readonly retry: (key: number) => void;
  readonly cancel: (key: number) => void;
}

/** The files on their way into the library. @param onUploaded called with each that has arrived; `alone` where no other is on its way. */
export function useUploads(onUploaded: (file: MediaRecord, alone: boolean) => void): Uploads {
  const files = useSyncExternalStore(queue.subscribe, queue.files, queue.files);
  const refresh = useMediaRefresh();
  const sendFile = useSendFile();

  const send = async (file: File, options: { signal: AbortSignal; onProgress: (sent: number) => void }) => {
    try {
      const form = { purpose: 'media', url: apiPaths.media, field: 'file', schema: mediaAnswer } as const;
      const { data } = await sendFile(file, { ...form, ...options });
      showToast({ title: 'File uploaded successfully!', description: data.originalName });
      onUploaded(data, queue.files().length <= 1);
      await refresh();
    } catch (error) {
      if (!options.signal.aborted) {
        const description = `${file.name}: ${errorText(error)}`;
        showToast({ title: 'Failed to upload file', description, variant: 'destructive' });
      }
      throw error;
    }
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
        const description = `${file.name} is larger than 10MB`;
        queue.refuse(file, description);
        showToast({ title: 'File too large', description, variant: 'destructive' });
      }
      queue.add(
        added.filter((file) => !isTooLarge(file)),
        send,
      );
    },
    retry: queue.retry,
    cancel: queue.cancel,
  };
}

const isTooLarge = (file: File) => file.size > uploadLimits.media;
