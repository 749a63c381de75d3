import type { Store } from '@netlify/blobs';

/**
 * Stores submissions in the blob store while the database is unreachable. The id is the key, so a retry is stored once.
 * @param kind the prefix of the keys: `inquiries` or `applications`.
 */
export function spoolStore<T extends { readonly id: string }>(blobs: () => Store, kind: string) {
  const prefix = `${kind}/`;
  return {
    async keep(submission: T): Promise<void> {
      await blobs().setJSON(`${prefix}${submission.id}`, submission);
    },

    async keys(): Promise<string[]> {
      const { blobs: found } = await blobs().list({ prefix });
      return found.map((blob) => blob.key);
    },

    async get(key: string): Promise<T | null> {
      return (await blobs().get(key, { type: 'json' })) as T | null;
    },

    async remove(key: string): Promise<void> {
      await blobs().delete(key);
    },
  };
}
