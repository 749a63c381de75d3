import { createHash, randomUUID } from 'node:crypto';
import type { Row } from '@libsql/client/http';
import {
  type MediaInput,
  type MediaListQuery,
  type MediaRecord,
  type MediaUse,
  mediaRecord,
} from '../../../src/domain/site/media.ts';
import type { Page } from '../../../src/domain/text/paging.ts';
import { type Database, type Statement, all, change, insert, one, record, sql } from '../db/database.ts';
import { foundBy, readPage } from '../db/paging.ts';
import type { BlobStore, Content, Part } from '../platform.ts';
import { versionLength } from '../files/file-versions.ts';
import type { StoredFile } from '../http/file-answer.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A validated and sanitized file to add to the library. */
export interface NewMedia {
  readonly originalName: string;
  /** The last segment of the file's URL. */
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Bytes;
  readonly width: number | null;
  readonly height: number | null;
}

const nothing = sql``;
/** Returns the version for a file's permanent URL: the beginning of the hash of its bytes. */
const versionOf = (sha256: string): string => sha256.slice(0, versionLength);

/**
 * The media library. The database has the descriptions. A separate blob store has the bytes, with their hash as the
 * key, so identical files are stored once.
 */
export function mediaStore(database: Database, blobs: () => BlobStore) {
  const get = (id: string) => one(database, sql`SELECT * FROM media WHERE id = ${id} AND deleted_at IS NULL`, toRecord);

  /**
   * Stores bytes, and runs `write` with their hash. While `write` runs, {@link removeTrash} may delete the same bytes of
   * another file, so they are stored again if they are gone.
   */
  const withBytes = async <T>(bytes: Bytes, write: (sha256: string) => Promise<T>): Promise<T> => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const keep = () => blobs().set(sha256, new Blob([bytes]), { onlyIfNew: true });
    await keep();
    const written = await write(sha256);
    await keep();
    return written;
  };

  /**
   * Gives a file other bytes, and keeps the current ones, which {@link putBack} restores.
   * @param version the version that the file must still have; undefined for any version.
   * @param given selects the size, width, height and hash of the other bytes.
   * @returns whether the file has changed.
   */
  const exchange = async (id: string, version: string | undefined, given: Statement, at: string): Promise<boolean> => {
    const isStill = version === undefined ? nothing : sql`AND substr(sha256, 1, ${versionLength}) = ${version}`;
    const condition = sql`id = ${id} AND deleted_at IS NULL ${isStill} AND sha256 <> (SELECT sha256 FROM (${given}))`;
    const [, changed] = await database.write(
      sql`INSERT INTO former_media (media_id, size, width, height, sha256, replaced_at)
          SELECT id, size, width, height, sha256, ${at} FROM media WHERE ${condition}`,
      sql`UPDATE media SET replaced_at = ${at}, (size, width, height, sha256) = (${given}) WHERE ${condition}`,
      sql`DELETE FROM former_media WHERE media_id = ${id} AND sha256 = (SELECT sha256 FROM media WHERE id = ${id})`,
    );
    return changed?.rowsAffected === 1;
  };

  const isNamed = (sha256: string): Statement =>
    sql`SELECT 1 FROM media WHERE sha256 = ${sha256} UNION ALL SELECT 1 FROM former_media WHERE sha256 = ${sha256}
        UNION ALL SELECT 1 FROM logos WHERE sha256 = ${sha256} LIMIT 1`;

  return {
    get,
    withBytes,

    /**
     * Adds a file. If a file with the same bytes and the same name exists, returns that file, because the request may
     * be a retry after a lost response.
     */
    create: (file: NewMedia, at: string): Promise<{ record: MediaRecord; created: boolean }> =>
      withBytes(file.bytes, async (sha256) => {
        const { bytes, ...facts } = file;
        const same = sql`SELECT * FROM media
          WHERE sha256 = ${sha256} AND original_name = ${file.originalName} AND deleted_at IS NULL`;
        const row = { id: randomUUID(), ...facts, size: bytes.byteLength, sha256, uploadedAt: at };
        const [inserted, found] = await database.write(insert('media', row, sql`NOT EXISTS (${same})`), same);
        return { record: toRecord(found?.rows[0] as Row), created: inserted?.rowsAffected === 1 };
      }),

    /** Returns a page of the library, newest first by default, and the total number of files. */
    async list(query: MediaListQuery): Promise<Page<MediaRecord> & { total: number }> {
      const { q, kind, sort, limit, cursor } = query;
      const select = sql`SELECT * FROM media WHERE deleted_at IS NULL AND ${foundBy('media', q) ?? sql`TRUE`}
        ${kind === 'pictures' ? sql`AND mime_type LIKE 'image/%'` : nothing}`;
      const wanted = { column: 'uploaded_at', descending: sort === '-createdAt', limit, cursor };
      const [page, [count]] = await Promise.all([
        readPage(database, select, wanted, toRecord),
        database.read(sql`SELECT count(*) AS total FROM media WHERE deleted_at IS NULL`),
      ]);
      return { ...page, total: Number(count?.total ?? 0) };
    },

    /** Changes the description. @returns the file, or null, and whether the description is another one now. */
    async update(
      id: string,
      { alt, decorative }: MediaInput,
    ): Promise<{ record: MediaRecord | null; isChanged: boolean }> {
      const given = sql`(${decorative ? '' : alt}, ${Number(decorative)})`;
      const changed = sql`UPDATE media SET (alt, decorative) = ${given}
        WHERE id = ${id} AND deleted_at IS NULL AND (alt, decorative) IS NOT ${given}`;
      return { isChanged: (await change(database, changed)) === 1, record: await get(id) };
    },

    /**
     * Replaces a file with another one of the same type. {@link putBack} restores the current file.
     * @param version the version that the file must still have; undefined for any version.
     * @returns the current file, and whether it was replaced, already had these bytes, or has another version; null if
     *   there is no such file.
     */
    replace: (
      id: string,
      { bytes, width, height }: NewMedia,
      version: string | undefined,
      at: string,
    ): Promise<{ record: MediaRecord; outcome: 'replaced' | 'same' | 'changed' } | null> =>
      withBytes(bytes, async (sha256) => {
        const given = sql`SELECT ${bytes.byteLength} AS size, ${width} AS width, ${height} AS height, ${sha256} AS sha256`;
        const isReplaced = await exchange(id, version, given, at);
        const current = await get(id);
        if (!current) return null;
        if (isReplaced) return { record: current, outcome: 'replaced' };
        return { record: current, outcome: current.version === versionOf(sha256) ? 'same' : 'changed' };
      }),

    /**
     * Undoes the last replacement of a file. The current file becomes the one that another undo restores.
     * @param version the version that the file must still have; undefined for any version.
     * @returns null if the file is missing, has another version, or the file before is no longer stored.
     */
    async putBack(id: string, version: string | undefined, at: string): Promise<MediaRecord | null> {
      const former = sql`SELECT size, width, height, sha256 FROM former_media
        WHERE media_id = ${id} AND sha256 <> (SELECT sha256 FROM media WHERE id = ${id}) ORDER BY seq DESC LIMIT 1`;
      return (await exchange(id, version, former, at)) ? await get(id) : null;
    },

    /** Moves a file to the trash. @returns the file, or null, and whether it was not in the trash before. */
    async remove(id: string, at: string): Promise<{ record: MediaRecord | null; isRemoved: boolean }> {
      const removed = sql`UPDATE media SET deleted_at = ${at} WHERE id = ${id} AND deleted_at IS NULL`;
      const isRemoved = (await change(database, removed)) === 1;
      return { isRemoved, record: await one(database, sql`SELECT * FROM media WHERE id = ${id}`, toRecord) };
    },

    /** Restores a file from the trash. @returns the file, or null, and whether it was in the trash. */
    async restore(id: string): Promise<{ record: MediaRecord | null; isRestored: boolean }> {
      const restored = sql`UPDATE media SET deleted_at = NULL WHERE id = ${id} AND deleted_at IS NOT NULL`;
      return { isRestored: (await change(database, restored)) === 1, record: await get(id) };
    },

    /** Finds where a file's URL is used: in posts, in sections and in unsaved changes to posts. */
    usesOf: ({ url }: Pick<MediaRecord, 'url'>) =>
      all<MediaUse>(
        database,
        sql`SELECT 'post' AS kind, id, title FROM posts
            WHERE deleted_at IS NULL AND (instr(content, ${url}) OR instr(featured_image, ${url}))
            UNION ALL
            SELECT 'section', section_key, title FROM sections
            WHERE instr(title, ${url}) OR instr(content, ${url}) OR instr(metadata, ${url})
            UNION
            SELECT 'draft', id, coalesce(nullif(trim(text ->> 'title'), ''), 'Untitled') FROM unsaved
            WHERE kind = 'post' AND (instr(text ->> 'content', ${url}) OR instr(text ->> 'featuredImage', ${url}))
            GROUP BY id`,
      ),

    /** Returns the file with an id, or null if it is missing or in the trash. */
    async fileOf(id: string): Promise<(StoredFile & { version: string }) | null> {
      const file = await one<StoredFile>(
        database,
        sql`SELECT file_name, mime_type, size, sha256 FROM media WHERE id = ${id} AND deleted_at IS NULL`,
      );
      return file && { ...file, version: versionOf(file.sha256) };
    },

    /**
     * Reads a file one chunk at a time, or a byte range of it. Netlify Blobs reads the whole file, of at most 10 MB, for
     * a byte range. @returns null if the blob is missing.
     */
    async read(sha256: string, part?: Part): Promise<Content | null> {
      const store = blobs();
      if (store.read) return await store.read(sha256, part);
      if (!part) return await store.get(sha256, { type: 'stream' });
      const whole: Blob | null = await store.get(sha256, { type: 'blob' });
      return whole && whole.slice(part.start, part.end + 1).stream();
    },

    /**
     * Deletes files that were moved to the trash before `at`, files that were replaced before `at`, and all logos but
     * the two that an admin can show: at most 100 of each. Also deletes their bytes, if nothing else has the same bytes.
     */
    async removeTrash(at: string): Promise<void> {
      const old = [
        [sql`media`, sql`deleted_at < ${at}`],
        [sql`former_media`, sql`replaced_at < ${at}`],
        [sql`logos`, sql`seq NOT IN (SELECT seq FROM logos ORDER BY seq DESC LIMIT 2)`],
      ] as const;
      for (const [table, condition] of old) {
        const rows = await all<{ seq: number; sha256: string | null }>(
          database,
          sql`SELECT seq, sha256 FROM ${table} WHERE ${condition} ORDER BY seq LIMIT 100`,
        );
        for (const { seq, sha256 } of rows) {
          const remove = sql`DELETE FROM ${table} WHERE seq = ${seq}`;
          if (sha256 === null) await database.write(remove);
          else {
            const [, named] = await database.write(remove, isNamed(sha256));
            if (named?.rows.length === 0) await removeBytes(sha256);
          }
        }
      }
    },
  };

  /** Deletes bytes. If a new upload refers to them meanwhile, they are stored again. */
  async function removeBytes(sha256: string): Promise<void> {
    const bytes: ArrayBuffer | null = await blobs().get(sha256, { type: 'arrayBuffer' });
    await blobs().delete(sha256);
    if (bytes && (await database.read(isNamed(sha256))).length > 0) await blobs().set(sha256, new Blob([bytes]));
  }
}

function toRecord(row: Row): MediaRecord {
  const { fileName, sha256, decorative, ...file } = record<StoredFile & { id: string; decorative: number }>(row);
  const url = `/uploads/${file.id}/${fileName}`;
  return mediaRecord.parse({ ...file, url, version: versionOf(sha256), decorative: decorative === 1 });
}
