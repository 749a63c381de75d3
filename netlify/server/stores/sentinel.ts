import { randomUUID } from 'node:crypto';
import type { Store } from '@netlify/blobs';
import { type Database, sql, text } from '../db/database.ts';

const key = 'sentinel';

/** A value in the database and in the blob store, which shows that the two belong together. */
export function sentinelStore(database: Database) {
  const read = async (): Promise<string | null> => {
    const [row] = await database.read(sql('SELECT value FROM blob_sentinel'));
    return row ? text(row.value) : null;
  };
  return {
    /** Returns whether the blob store still has the value. The first call writes the value. */
    async matches(blobs: Store): Promise<boolean> {
      const expected = await read();
      if (expected !== null) return (await blobs.get(key, { type: 'text' })) === expected;
      const value = randomUUID();
      // The blob is written before the row in the database. If the process dies between the two writes, the database
      // has no value, and the next call starts again.
      await blobs.set(key, value);
      await database.write(
        sql('INSERT INTO blob_sentinel (id, value) VALUES (1, ?) ON CONFLICT (id) DO NOTHING', value),
      );
      // Another instance may have been faster. Its value is in the database, so the blob must get the same value.
      const agreed = await read();
      if (agreed !== null && agreed !== value) await blobs.set(key, agreed);
      return true;
    },

    /** Accepts a blob store that lost its files: the next check writes a new value and succeeds. */
    async reset(): Promise<void> {
      await database.write(sql('DELETE FROM blob_sentinel'));
    },
  };
}
