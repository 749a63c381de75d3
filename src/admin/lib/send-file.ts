import { apiPaths } from '../../domain/api-paths.ts';
import { sendFile } from '../../lib/request/uploads.ts';
import { isSignedOut, useRequest } from './signed-in-request.ts';

/**
 * Returns a version of {@link sendFile} for admins. If the session ends during an upload, the function asks the admin
 * to sign in and then continues the upload.
 */
export function useSendFile(): typeof sendFile {
  const request = useRequest();
  return async (file, options) => {
    try {
      return await sendFile(file, options);
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      // This request opens the sign-in dialog over the current screen.
      await request(apiPaths.authStatus);
      return await sendFile(file, options);
    }
  };
}
