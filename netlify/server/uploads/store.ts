import type { Store } from '@netlify/blobs';
import { type UploadInput, partBytes } from '../../../src/domain/upload.ts';
import { type Database, type Statement, one, sql, text } from '../db/database.ts';

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
  const removeSome = async (condition: Statement): Promise<void> => {
    const rows = await database.read(sql`SELECT id FROM uploads WHERE ${condition} LIMIT 100`);
    for (const row of rows) await remove(text(row.id));
  };

  return {
    get: (id: string, now: string) =>
      one<UploadInput>(
        database,
        sql`SELECT name, type, size, purpose FROM uploads WHERE id = ${id} AND expires_at > ${now}`,
      ),

    async open(id: string, { name, type, size, purpose }: UploadInput, expiresAt: string): Promise<void> {
      await database.write(
        sql`INSERT INTO uploads (id, name, type, size, purpose, expires_at)
            VALUES (${id}, ${name}, ${type}, ${size}, ${purpose}, ${expiresAt})`,
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
    removeUsedBy: (owner: string): Promise<void> => removeSome(sql`used_by = ${owner}`),

    /** Deletes expired uploads, at most 100 in one call. */
    removeExpired: (now: string): Promise<void> => removeSome(sql`expires_at < ${now}`),
  };
}
