import { apiPaths } from '../../../domain/api-paths.ts';
import { mediaAnswer } from '../../../domain/media.ts';
import type { PickedMedia } from '../../lib/pick-media.ts';
import { useSendFile } from '../../lib/send-file.ts';

/** Returns a function that uploads an image from this device to the media library. */
export function useUploadPicture(): (file: File) => Promise<PickedMedia> {
  const sendFile = useSendFile();
  const upload = { purpose: 'media', url: apiPaths.media, field: 'file', schema: mediaAnswer } as const;
  return async (file) => (await sendFile(file, upload)).data;
}
