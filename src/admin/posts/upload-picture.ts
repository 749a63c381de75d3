import { apiPaths } from '../../domain/api-paths.ts';
import { mediaAnswer } from '../../domain/media.ts';
import { sendFile } from '../../lib/uploads.ts';
import type { PickedMedia } from '../ui/pick-media.ts';
import { isSignedOut, useRequest } from '../ui/signed-in-request.ts';

/** Uploads a picture of this device to the media library; across the end of a session, as all of the admin's requests. */
export function useUploadPicture(): (file: File) => Promise<PickedMedia> {
  const send = useRequest();
  return async (file) => {
    const once = async () =>
      (await sendFile(file, { purpose: 'media', url: apiPaths.media, field: 'file', schema: mediaAnswer })).data;
    try {
      return await once();
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      await send(apiPaths.authStatus);
      return await once();
    }
  };
}
