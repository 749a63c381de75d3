import type { Store } from '@netlify/blobs';
import type { NewInquiry } from './inquiries.ts';

const prefix = 'inquiries/';

/**
 * Where inquiries wait while the database cannot be reached. The id is the key, so that a retry waits once.
 */
export function spoolStore(blobs: () => Store) {
  return {
    async keep(inquiry: NewInquiry): Promise<void> {
      await blobs().setJSON(`${prefix}${inquiry.id}`, inquiry);
    },

    async keys(): Promise<string[]> {
      const { blobs: found } = await blobs().list({ prefix });
      return found.map((blob) => blob.key);
    },

    async get(key: string): Promise<NewInquiry | null> {
      return (await blobs().get(key, { type: 'json' })) as NewInquiry | null;
    },

    async remove(key: string): Promise<void> {
      await blobs().delete(key);
    },
  };
}
