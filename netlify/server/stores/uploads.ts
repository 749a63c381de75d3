import type { Store } from '@netlify/blobs';
import { type UploadInput, partBytes } from '../../../src/domain/upload.ts';
import { type Database, sql, text } from '../db/database.ts';

const partKey = (id: string, part: number) => `${id}/${part}`;
const partCount = (size: number) => Math.ceil(size / partBytes);

const ends = (table: string, which: 'min' | 'max', id: string, at: string) =>
  sql(`UPDATE ${table} SET expires_at = ${which}(expires_at, ?) WHERE id = ?`, at, id);

/** Files on their way in, in parts: their descriptions in the database, their bytes in a blob store of their own. */
export function uploadStore(database: Database, blobs: () => Store) {
  const get = async (id: string, now: string): Promise<UploadInput | null> => {
    const [row] = await database.read(sql('SELECT * FROM uploads WHERE id = ? AND expires_at > ?', id, now));
    if (!row) return null;
    return {
      name: text(row.name),
      type: text(row.type),
      size: Number(row.size),
      purpose: row.purpose as UploadInput['purpose'],
    };
  };
  const removeParts = async (id: string): Promise<void> => {
    const { blobs: parts } = await blobs().list({ prefix: `${id}/` });
    for (const part of parts) await blobs().delete(part.key);
  };

  /** Removes an upload. Its bytes no longer count against the quota. */
  const remove = async (id: string): Promise<void> => {
    await removeParts(id);
    await database.write(
      ...['uploads', 'anonymous_bytes'].map((table) => sql(`DELETE FROM ${table} WHERE id = ?`, id)),
    );
  };

  return {
    get,

    async open(id: string, upload: UploadInput, expiresAt: string): Promise<void> {
      const { name, type, size, purpose } = upload;
      await database.write(
        sql(
          'INSERT INTO uploads (id, name, type, size, purpose, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
          id,
          name,
          type,
          size,
          purpose,
          expiresAt,
        ),
      );
    },

    /** How many bytes part `n` (from 1) of a file must have; null where it has no such part. */
    expectedBytes(upload: UploadInput, part: number): number | null {
      const count = partCount(upload.size);
      if (!Number.isInteger(part) || part < 1 || part > count) return null;
      return part < count ? partBytes : upload.size - (count - 1) * partBytes;
    },

    /** Keeps a part; sending it again replaces it. */
    async putPart(id: string, part: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
      await blobs().set(partKey(id, part), bytes.buffer);
    },

    /** The whole file, or the number of the first part that is missing. */
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

    /** Lets an upload that was used end soon; until then a retry of the request that used it finds it. */
    async expireAt(id: string, at: string): Promise<void> {
      await database.write(...['uploads', 'anonymous_bytes'].map((table) => ends(table, 'min', id, at)));
    },

    /** Keeps an upload of which a part came. */
    async keepUntil(id: string, at: string): Promise<void> {
      await database.write(...['uploads', 'anonymous_bytes'].map((table) => ends(table, 'max', id, at)));
    },

    /** Notes what it became, so that it is erased with that. @param owner the application's id. */
    async usedBy(id: string, owner: string): Promise<void> {
      await database.write(sql('UPDATE uploads SET used_by = ? WHERE id = ?', owner, id));
    },

    /** Removes the uploads that an application was made of. */
    async removeUsedBy(owner: string): Promise<void> {
      for (const row of await database.read(sql('SELECT id FROM uploads WHERE used_by = ?', owner))) {
        await remove(text(row.id));
      }
    },

    remove,

    /** Removes files that were never finished, at most 100 a call. */
    async removeExpired(now: string): Promise<void> {
      const rows = await database.read(sql('SELECT id FROM uploads WHERE expires_at < ? LIMIT 100', now));
      for (const row of rows) await remove(text(row.id));
    },
  };
}
