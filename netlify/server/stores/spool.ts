import type { Store } from '@netlify/blobs';

/**
 * Where submissions wait while the database cannot be reached. The id is the key, so that a retry waits once.
 * @param kind the folder of one kind of them.
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
