import { apiPaths } from '../../domain/api-paths.ts';
import { sendFile } from '../../lib/uploads.ts';
import { isSignedOut, useRequest } from './signed-in-request.ts';

/**
 * How screens send a file: as the shared helper, and across the end of a session. What has arrived of the file stays while
 * the admin signs in again.
 */
export function useSendFile(): typeof sendFile {
  const request = useRequest();
  return async (file, options) => {
    try {
      return await sendFile(file, options);
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      // Asks for a sign-in, in place.
      await request(apiPaths.authStatus);
      return await sendFile(file, options);
    }
  };
}
