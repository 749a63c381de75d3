import { createHmac, randomUUID } from 'node:crypto';
import type { Store } from '@netlify/blobs';
import { type Database, sql, text } from '../db/database.ts';

/** Erasures that were noted together: what was erased, as hashes, and when. */
export interface ErasureBatch {
  readonly batch: string;
  /** ISO 8601, UTC. What came later was not erased. */
  readonly at: string;
  readonly hashes: readonly string[];
}

/**
 * Who and what was erased, as hashes that only this site's key can make, so that a database restored from a backup can erase them
 * again. Each batch is kept in the database and as a blob: a database that was set back lacks a batch that the blobs have.
 */
export function erasureStore(database: Database, blobs: () => Store) {
  const hasher = async (): Promise<(kind: 'email' | 'id', value: string) => string> => {
    const [row] = await database.read(sql('SELECT secret FROM erasure_key'));
    const secret = text(row?.secret);
    return (kind, value) => createHmac('sha256', secret).update(`${kind}:${value.toLowerCase()}`).digest('hex');
  };

  /** Writes a batch into the database. */
  const accept = async ({ batch, at, hashes }: ErasureBatch): Promise<void> => {
    await database.write(
      sql(
        `INSERT INTO erasures (batch, hash, at) SELECT ?, value, ? FROM json_each(?) WHERE TRUE ON CONFLICT DO NOTHING`,
        batch,
        at,
        JSON.stringify(hashes),
      ),
    );
  };

  return {
    hasher,
    accept,

    /** Notes an erasure, before it is done: where it fails in the middle, the rest is still known to be erased. */
    async note(erased: { readonly emails?: readonly string[]; readonly ids?: readonly string[] }, at: string) {
      const hash = await hasher();
      const { emails = [], ids = [] } = erased;
      const hashes = [...emails.map((email) => hash('email', email)), ...ids.map((id) => hash('id', id))];
      if (hashes.length === 0) return;
      const noted: ErasureBatch = { batch: `${at.slice(0, 10)}-${randomUUID()}`, at, hashes };
      await accept(noted);
      await blobs().setJSON(noted.batch, noted);
    },

    /** Batches that the blobs have and the database lacks: it was restored from an earlier backup. */
    async missing(): Promise<ErasureBatch[]> {
      const { blobs: kept } = await blobs().list();
      if (kept.length === 0) return [];
      const rows = await database.read(sql('SELECT DISTINCT batch FROM erasures'));
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
