import { use } from 'react';
import { sendFile } from '../../lib/request/uploads.ts';
import { AcrossSessions } from './signed-in-request.ts';

/** Returns {@link sendFile}. In the app, it asks the admin to sign in if the session has ended, and then continues the upload. */
export function useSendFile(): typeof sendFile {
  return use(AcrossSessions)(sendFile);
}
