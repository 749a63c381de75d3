import type { Store } from '@netlify/blobs';
import { type Database, sql, text } from '../db/database.ts';
import { logError } from '../log.ts';

/**
 * Resumes by the id of their application, in a separate blob store. If the blob store fails, a resume waits in the
 * database.
 */
export function resumeStore(database: Database, blobs: () => Store) {
  const waiting = async (id: string): Promise<Uint8Array<ArrayBuffer> | null> => {
    const [row] = await database.read(sql`SELECT bytes FROM resumes_waiting WHERE id = ${id}`);
    return row?.bytes instanceof ArrayBuffer ? new Uint8Array(row.bytes) : null;
  };

  return {
    /**
     * Stores a resume. A retry changes nothing.
     * @returns whether this call stored the resume.
     * @throws if both the blob store and the database fail.
     */
    async create(id: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
      try {
        return (await blobs().set(id, new Blob([bytes]), { onlyIfNew: true })).modified;
      } catch (error) {
        logError('resume not stored in the blob store; it waits in the database', { application: id }, error);
        const [created] = await database.write(
          sql`INSERT INTO resumes_waiting (id, bytes) VALUES (${id}, ${bytes}) ON CONFLICT (id) DO NOTHING`,
        );
        return created?.rowsAffected === 1;
      }
    },

    async get(id: string): Promise<Uint8Array<ArrayBuffer> | null> {
      const kept = await waiting(id);
      if (kept) return kept;
      const stored = await blobs().get(id, { type: 'arrayBuffer' });
      return stored && new Uint8Array(stored);
    },

    async remove(id: string): Promise<void> {
      await blobs().delete(id);
      await database.write(sql`DELETE FROM resumes_waiting WHERE id = ${id}`);
    },

    /** Moves waiting resumes from the database to the blob store, at most 20 in one call. */
    async moveWaiting(): Promise<void> {
      for (const row of await database.read(sql`SELECT id FROM resumes_waiting LIMIT 20`)) {
        const id = text(row.id);
        const bytes = await waiting(id);
        if (bytes) await blobs().set(id, new Blob([bytes]));
        await database.write(sql`DELETE FROM resumes_waiting WHERE id = ${id}`);
      }
    },
  };
}
