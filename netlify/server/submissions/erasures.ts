import { createHmac, randomUUID } from 'node:crypto';
import type { Store } from '@netlify/blobs';
import { type Database, sql, text } from '../db/database.ts';

/** Erasures that were recorded together: keyed hashes of the erased email addresses or ids, and the time. */
export interface ErasureBatch {
  readonly batch: string;
  /** The time of the erasure; ISO 8601, UTC. Submissions received later were not erased. */
  readonly at: string;
  readonly hashes: readonly string[];
}

/**
 * Records erasures as keyed hashes, so that a database restored from a backup can repeat the erasures. Each batch is
 * stored in the database and as a blob. A restored database lacks the newer batches, and the blobs still have them.
 */
export function erasureStore(database: Database, blobs: () => Store) {
  const hasher = async (): Promise<(kind: 'email' | 'id', value: string) => string> => {
    const [row] = await database.read(sql`SELECT secret FROM erasure_key`);
    const secret = text(row?.secret);
    return (kind, value) => createHmac('sha256', secret).update(`${kind}:${value.toLowerCase()}`).digest('hex');
  };

  /** Stores a batch in the database. */
  const accept = async ({ batch, at, hashes }: ErasureBatch): Promise<void> => {
    await database.write(
      sql`INSERT INTO erasures (batch, hash, at) SELECT ${batch}, value, ${at}
          FROM json_each(${JSON.stringify(hashes)}) WHERE TRUE ON CONFLICT DO NOTHING`,
    );
  };

  return {
    hasher,
    accept,

    /**
     * Records which email addresses or submissions are erased. An erasure that is recorded before the deletion can be
     * repeated even if the deletion fails.
     */
    async note(erased: { readonly emails?: readonly string[]; readonly ids?: readonly string[] }, at: string) {
      const hash = await hasher();
      const { emails = [], ids = [] } = erased;
      const hashes = [...emails.map((email) => hash('email', email)), ...ids.map((id) => hash('id', id))];
      if (hashes.length === 0) return;
      const noted: ErasureBatch = { batch: `${at.slice(0, 10)}-${randomUUID()}`, at, hashes };
      await accept(noted);
      await blobs().setJSON(noted.batch, noted);
    },

    /** Returns the batches that the blobs have and the database lacks after a restore. */
    async missing(): Promise<ErasureBatch[]> {
      const { blobs: kept } = await blobs().list();
      if (kept.length === 0) return [];
      const rows = await database.read(sql`SELECT DISTINCT batch FROM erasures`);
      const known = new Set(rows.map((row) => text(row.batch)));
      const found: ErasureBatch[] = [];
      for (const { key } of kept) {
        if (known.has(key)) continue;
        const batch = (await blobs().get(key, { type: 'json' })) as ErasureBatch | null;
        if (batch) found.push(batch);
      }
      return found;
    },
  };
}
