import type { Store } from '@netlify/blobs';
import { type UploadInput, partBytes } from '../../../src/domain/submissions/upload.ts';
import { type Database, all, insert, one, sql } from '../db/database.ts';

/**
 * The most uploads at a time, because anyone can start one. Above this number, those that expire first are deleted:
 * uploads without a part expire before all others.
 */
export const mostUploads = 20_000;

const partKey = (id: string, part: number) => `${id}/${part}`;
const partCount = (size: number) => Math.ceil(size / partBytes);

/** Files that are uploaded in parts. The database has their descriptions, and a separate blob store has their bytes. */
export function uploadStore(database: Database, blobs: () => Store) {
  /** Removes an upload. Its bytes no longer count against the quota. */
  const remove = async (id: string): Promise<void> => {
    const { blobs: parts } = await blobs().list({ prefix: `${id}/` });
    for (const part of parts) await blobs().delete(part.key);
    await database.write(sql`DELETE FROM uploads WHERE id = ${id}`, sql`DELETE FROM anonymous_bytes WHERE id = ${id}`);
  };

  return {
    get: (id: string, now: string) =>
      one<UploadInput>(
        database,
        sql`SELECT name, type, size, purpose FROM uploads WHERE id = ${id} AND expires_at > ${now}`,
      ),

    async open(id: string, upload: UploadInput, expiresAt: string): Promise<void> {
      await database.write(
        insert('uploads', { id, ...upload, expiresAt }),
        sql`DELETE FROM uploads WHERE (SELECT count(*) FROM uploads) > ${mostUploads}
            AND id IN (SELECT id FROM uploads WHERE used_by IS NULL ORDER BY expires_at LIMIT 2)`,
      );
    },

    /**
     * Returns the size that a part must have, in bytes, or null if there is no such part. Parts are numbered from 1.
     */
    expectedBytes(upload: UploadInput, part: number): number | null {
      const count = partCount(upload.size);
      if (!Number.isInteger(part) || part < 1 || part > count) return null;
      return part < count ? partBytes : upload.size - (count - 1) * partBytes;
    },

    /** Stores a part. Replaces the part if it exists. */
    async putPart(id: string, part: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
      // `bytes` may be a view of a larger buffer, which contains data of other visitors.
      await blobs().set(partKey(id, part), new Blob([bytes]));
    },

    /** Returns the whole file, or the number of the first missing part. */
    async assemble(
      id: string,
      upload: UploadInput,
    ): Promise<{ bytes: Uint8Array<ArrayBuffer> } | { missingPart: number }> {
      const bytes = new Uint8Array(upload.size);
      for (let part = 1; part <= partCount(upload.size); part += 1) {
        const stored = await blobs().get(partKey(id, part), { type: 'arrayBuffer' });
        if (stored === null) return { missingPart: part };
        bytes.set(new Uint8Array(stored), (part - 1) * partBytes);
      }
      return { bytes };
    },

    /**
     * Makes an upload expire no later than `at`. Called after a request has used the upload. The upload is not deleted
     * immediately, because the client may retry the request.
     */
    async expireAt(id: string, at: string): Promise<void> {
      await database.write(sql`UPDATE uploads SET expires_at = min(expires_at, ${at}) WHERE id = ${id}`);
    },

    /** Makes an upload, and its bytes in the quota, expire at `at` or later. Called when a part arrives. */
    async keepUntil(id: string, at: string): Promise<void> {
      await database.write(
        sql`UPDATE uploads SET expires_at = max(expires_at, ${at}) WHERE id = ${id}`,
        sql`UPDATE anonymous_bytes SET expires_at = max(expires_at, ${at}) WHERE id = ${id}`,
      );
    },

    /**
     * Records which application uses the upload, so an erasure deletes both.
     * @param owner the id of the application.
     */
    async usedBy(id: string, owner: string): Promise<void> {
      await database.write(sql`UPDATE uploads SET used_by = ${owner} WHERE id = ${id}`);
    },

    remove,

    /** Deletes the uploads that an application uses. */
    async removeUsedBy(owner: string): Promise<void> {
      const used = sql`SELECT id FROM uploads WHERE used_by = ${owner}`;
      for (const { id } of await all<{ id: string }>(database, used)) await remove(id);
    },

    /** Deletes expired uploads, and the parts and the counted bytes of uploads that are gone. */
    async removeExpired(now: string): Promise<void> {
      await database.write(
        sql`DELETE FROM uploads WHERE expires_at < ${now}`,
        sql`DELETE FROM anonymous_bytes WHERE kind = 'upload' AND id NOT IN (SELECT id FROM uploads)`,
      );
      const parts = (await blobs().list()).blobs.map(({ key }) => key);
      const gone = sql`SELECT value AS part FROM json_each(${JSON.stringify(parts)})
        WHERE substr(value, 1, instr(value, '/') - 1) NOT IN (SELECT id FROM uploads)`;
      for (const { part } of await all<{ part: string }>(database, gone)) await blobs().delete(part);
    },
  };
}
