import type { Store } from '@netlify/blobs';
import type { NewSubmission } from './store.ts';

export type KindName = 'inquiries' | 'applications';

const kindOf = (key: string): KindName => (key.startsWith('applications/') ? 'applications' : 'inquiries');

/**
 * Stores submissions in the blob store while the database is unreachable. A key is the kind and the id, such as
 * `inquiries/0f…`, so a retry is stored once.
 */
export function spoolStore(blobs: () => Store) {
  let isNew = false;
  return {
    /** Returns whether this process has stored a submission since it last listed them. */
    hasNew: (): boolean => isNew,

    async keep(kind: KindName, submission: NewSubmission): Promise<void> {
      isNew = true;
      await blobs().setJSON(`${kind}/${submission.id}`, submission);
    },

    async keys(): Promise<string[]> {
      isNew = false;
      return (await blobs().list()).blobs.map(({ key }) => key);
    },

    async get(key: string): Promise<(NewSubmission & { kind: KindName }) | null> {
      const submission = (await blobs().get(key, { type: 'json' })) as NewSubmission | null;
      return submission && { ...submission, kind: kindOf(key) };
    },

    async remove(key: string): Promise<void> {
      await blobs().delete(key);
    },
  };
}
