import { afterEach, beforeEach, expect } from 'vitest';
import media from '../../netlify/functions/media.ts';
import uploadedFile from '../../netlify/functions/uploaded-file.ts';
import { lendPlatform } from '../../netlify/server/platform.ts';
import type { MediaRecord } from '../../src/domain/media.ts';
import { multipart } from './multipart.ts';
import { type TestServices, call, signIn, testServices } from './services.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Provides services with a signed-in admin for each test, and the calls of the media library. Call it once in a file. */
export function useMediaLibrary() {
  let site: TestServices;
  let authorization: string;
  beforeEach(async () => {
    site = await testServices();
    lendPlatform({ env: site.services.env, openBlobStore: site.blobs });
    authorization = await signIn(site);
  });
  afterEach(async () => {
    lendPlatform(undefined);
    await site.close();
  });
  const send = async (name: string, bytes: Bytes, fields: Record<string, string> = {}) => {
    const body = await multipart({ ...fields, file: new File([bytes], name) }, { authorization });
    return await call(media, '/api/cms/media', site.services, body);
  };
  const ask = (path: string, options: { method?: string; json?: unknown } = {}) =>
    call(media, `/api/cms/media${path}`, site.services, { ...options, headers: { authorization } });
  return {
    get site() {
      return site;
    },
    get authorization() {
      return authorization;
    },
    send,
    ask,
    upload: async (name: string, bytes: Bytes): Promise<MediaRecord> => {
      const response = await send(name, bytes);
      expect(response.status).toBe(201);
      return (await response.json()).data;
    },
    fetchFile: (url: string, headers: Record<string, string> = {}, method = 'GET') =>
      call(uploadedFile, url, site.services, { headers, method }),
    list: async (search = '') => await (await ask(search)).json(),
    /** Signs the admin in again, after the session has expired. */
    signIn: async () => {
      authorization = await signIn(site);
    },
  };
}
