import { expect } from 'vitest';
import type { MediaRecord } from '../../../src/domain/site/media.ts';
import { useApi } from '../api/api.ts';
import { multipart } from '../api/multipart.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Provides the API with requests about the media library. Call it once, at the top of a file. */
export function useMediaLibrary() {
  const site = useApi();
  const send = async (name: string, bytes: Bytes, fields: Record<string, string> = {}) =>
    await site.admin('/api/cms/media', await multipart({ ...fields, file: new File([bytes], name) }));
  const ask = (path: string, options: { method?: string; json?: unknown } = {}) =>
    site.admin(`/api/cms/media${path}`, options);
  return {
    site,
    send,
    ask,
    upload: async (name: string, bytes: Bytes): Promise<MediaRecord> => {
      const response = await send(name, bytes);
      expect(response.status).toBe(201);
      return (await response.json()).data;
    },
    fetchFile: (url: string, headers: Record<string, string> = {}, method = 'GET') =>
      site.ask(url, { headers, method }),
    list: async (search = '') => await (await ask(search)).json(),
  };
}
