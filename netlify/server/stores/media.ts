import { createHash, randomUUID } from 'node:crypto';
import type { Row } from '@libsql/client/http';
import {
  type FormerFile,
  type MediaInput,
  type MediaListQuery,
  type MediaRecord,
  type MediaUse,
  mediaRecord,
  mediaUse,
} from '../../../src/domain/media.ts';
import type { Page } from '../../../src/domain/paging.ts';
import { type Database, sql, text } from '../db/database.ts';
import { cursorCondition, pageFrom, searchExpression } from '../db/paging.ts';
import { partOf } from '../platform/part-of.ts';
import type { BlobStore, Content, Part } from '../platform/platform.ts';
import { type NamesFiles, fileIdsIn, showFiles } from './named-files.ts';

/** A validated and sanitized file to add to the library. */
export interface NewMedia {
  readonly originalName: string;
  /** The last segment of the file's URL. */
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly width: number | null;
  readonly height: number | null;
}

/** The data that is needed to serve a file. */
export interface StoredFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
}

const isPictureSql = `mime_type LIKE 'image/%'`;

const versionLength = 12;

/** Returns the version for a file's permanent URL: the beginning of the hash of its bytes. */
const versionOf = (sha256: string): string => sha256.slice(0, versionLength);

/** SQL condition: file `?1` is not in the trash and, unless `?2` is null, has version `?2`. */
const isStill = `media.id = ?1 AND media.deleted_at IS NULL AND (?2 IS NULL OR substr(media.sha256, 1, ${versionLength}) = ?2)`;
const keepFormer = `INSERT INTO former_media (media_id, size, width, height, sha256, replaced_at)
  SELECT id, size, width, height, sha256, ?3 FROM media WHERE ${isStill}`;

/**
 * The media library. The database has the descriptions. A separate blob store has the bytes, with their hash as the
 * key, so identical files are stored once.
 */
export function mediaStore(database: Database, blobs: () => BlobStore) {
  const get = async (id: string): Promise<MediaRecord | null> => {
    const [row] = await database.read(sql('SELECT * FROM media WHERE id = ? AND deleted_at IS NULL', id));
    return row ? toRecord(row) : null;
  };

  const newestFormer = async (id: string): Promise<Row | undefined> =>
    (await database.read(sql('SELECT * FROM former_media WHERE media_id = ? ORDER BY seq DESC LIMIT 1', id)))[0];

  /** Stores bytes with their hash as the key. @returns the hash. */
  const keep = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await blobs().set(sha256, new Blob([bytes]), { onlyIfNew: true });
    return sha256;
  };

  return {
    get,
    keep,

    /**
     * Adds a file. If a file with the same bytes and the same name exists, returns that file, because the request may
     * be a retry after a lost response.
     */
    async create(file: NewMedia, at: string): Promise<{ record: MediaRecord; created: boolean }> {
      const { originalName, fileName, mimeType, bytes, width, height } = file;
      const sha256 = await keep(bytes);
      const id = randomUUID();
      const [inserted] = await database.write(
        sql(
          `INSERT INTO media (id, original_name, file_name, mime_type, size, width, height, sha256, uploaded_at)
           SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (
             SELECT 1 FROM media WHERE sha256 = ? AND original_name = ? AND deleted_at IS NULL
           )`,
          ...[id, originalName, fileName, mimeType, bytes.byteLength, width, height, sha256, at, sha256, originalName],
        ),
      );
      const [row] = await database.read(
        sql('SELECT * FROM media WHERE sha256 = ? AND original_name = ? AND deleted_at IS NULL', sha256, originalName),
      );
      if (!row) throw new Error('Someone deleted the file before the upload finished.');
      return { record: toRecord(row), created: inserted?.rowsAffected === 1 };
    },

    /** Returns a page of the library, newest first by default, and the total number of files. */
    async list(query: MediaListQuery): Promise<Page<MediaRecord> & { total: number }> {
      const descending = query.sort === '-createdAt';
      const conditions = [sql('deleted_at IS NULL')];
      if (query.kind === 'pictures') conditions.push(sql(isPictureSql));
      const words = searchExpression(query.q);
      // The plus in `+seq` keeps SQLite from looking up each match by `seq` and then sorting all matches. SQLite reads
      // the rows from an index that is already in the order of the list.
      if (words) conditions.push(sql('+seq IN (SELECT rowid FROM media_words WHERE media_words MATCH ?)', words));
      if (query.cursor) conditions.push(cursorCondition(query.cursor, 'uploaded_at', 'seq', descending));
      const direction = descending ? 'DESC' : 'ASC';
      const [rows, [count]] = await Promise.all([
        database.read(
          sql(
            `SELECT * FROM media WHERE ${conditions.map((condition) => condition.sql).join(' AND ')}
             ORDER BY uploaded_at ${direction}, seq ${direction} LIMIT ?`,
            ...conditions.flatMap((condition) => condition.args),
            query.limit + 1,
          ),
        ),
        database.read(sql('SELECT count(*) AS total FROM media WHERE deleted_at IS NULL')),
      ]);
      return { ...pageFrom(rows, query.limit, 'uploaded_at', toRecord), total: Number(count?.total ?? 0) };
    },

    /** Changes the description. @returns null if there is no such file. */
    async update(id: string, { alt, decorative }: MediaInput): Promise<MediaRecord | null> {
      await database.write(
        sql(
          'UPDATE media SET alt = ?, decorative = ? WHERE id = ? AND deleted_at IS NULL',
          decorative ? '' : alt,
          Number(decorative),
          id,
        ),
      );
      return await get(id);
    },

    /**
     * Replaces a file with another one of the same type. The current file becomes the previous version, which
     * {@link putBack} restores.
     * @param version the version that the file must still have; null for any version.
     * @returns the current file, and whether it was replaced, already had these bytes, or has another version; null if
     *   there is no such file.
     */
    async replace(
      id: string,
      file: NewMedia,
      version: string | null,
      at: string,
    ): Promise<{ record: MediaRecord; outcome: 'replaced' | 'same' | 'changed' } | null> {
      const sha256 = await keep(file.bytes);
      const [, replaced] = await database.write(
        sql(`${keepFormer} AND sha256 <> ?4`, id, version, at, sha256),
        sql(
          `UPDATE media SET replaced_at = ?3, sha256 = ?4, size = ?5, width = ?6, height = ?7
           WHERE ${isStill} AND sha256 <> ?4`,
          ...[id, version, at, sha256, file.bytes.byteLength, file.width, file.height],
        ),
      );
      const record = await get(id);
      if (!record) return null;
      const same = record.version === versionOf(sha256) ? 'same' : 'changed';
      return { record, outcome: replaced?.rowsAffected === 1 ? 'replaced' : same };
    },

    /** Returns the previous version of a file, or null if it is no longer stored. */
    async former(id: string): Promise<FormerFile | null> {
      const row = await newestFormer(id);
      const number = (value: unknown) => (value === null ? null : Number(value));
      return row ? { size: Number(row.size), width: number(row.width), height: number(row.height) } : null;
    },

    /**
     * Restores the previous version of a file. The current file becomes the previous version.
     * @param version the version that the file must still have; null for any version.
     * @returns null if the file is missing, has another version, or has no previous version.
     */
    async putBack(id: string, version: string | null, at: string): Promise<MediaRecord | null> {
      const former = await newestFormer(id);
      if (!former) return null;
      const seq = Number(former.seq);
      const [, replaced] = await database.write(
        sql(`${keepFormer} AND EXISTS (SELECT 1 FROM former_media WHERE seq = ?4)`, id, version, at, seq),
        sql(
          `UPDATE media SET replaced_at = ?3, sha256 = former.sha256, size = former.size, width = former.width,
             height = former.height
           FROM former_media AS former WHERE ${isStill} AND former.seq = ?4`,
          ...[id, version, at, seq],
        ),
        sql('DELETE FROM former_media WHERE seq = ?1 AND sha256 = (SELECT sha256 FROM media WHERE id = media_id)', seq),
      );
      return replaced?.rowsAffected === 1 ? await get(id) : null;
    },

    /** Moves a file to the trash. @returns false if it does not exist or is in the trash already. */
    async remove(id: string, at: string): Promise<boolean> {
      const [removed] = await database.write(
        sql('UPDATE media SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL', at, id),
      );
      return removed?.rowsAffected === 1;
    },

    /** Restores a file from the trash. @returns null if there is no such file. */
    async restore(id: string): Promise<MediaRecord | null> {
      await database.write(sql('UPDATE media SET deleted_at = NULL WHERE id = ?', id));
      return await get(id);
    },

    /** Finds where a file's URL is used: in posts, in sections and in admins' drafts. */
    async usesOf({ url }: Pick<MediaRecord, 'url'>): Promise<MediaUse[]> {
      const rows = await database.read(
        sql(
          `SELECT 'post' AS kind, id, title FROM posts
           WHERE deleted_at IS NULL AND (instr(content, ?1) OR instr(featured_image, ?1))
           UNION ALL
           SELECT 'section', section_key, title FROM sections
           WHERE instr(title, ?1) OR instr(content, ?1) OR instr(metadata, ?1)
           UNION
           SELECT 'draft', key, coalesce(nullif(trim(draft ->> 'title'), ''), 'Untitled') FROM post_drafts
           WHERE instr(draft ->> 'content', ?1) OR instr(draft ->> 'featuredImage', ?1)
           GROUP BY key`,
          url,
        ),
      );
      return rows.map((row) => mediaUse.parse({ kind: row.kind, id: row.id, title: row.title }));
    },

    /** Returns the file with an id, or null if it is missing or in the trash. */
    async fileOf(id: string): Promise<(StoredFile & { version: string }) | null> {
      const [row] = await database.read(
        sql('SELECT file_name, mime_type, size, sha256 FROM media WHERE id = ? AND deleted_at IS NULL', id),
      );
      if (!row) return null;
      const file = storedFileOf(row);
      return { ...file, version: versionOf(file.sha256) };
    },

    /** Reads a file or a byte range of it, one chunk at a time. @returns null if the blob is missing. */
    async read(sha256: string, part?: Part): Promise<Content | null> {
      const store = blobs();
      if (store.read) return await store.read(sha256, part);
      const whole: ReadableStream<Uint8Array> | null = await store.get(sha256, { type: 'stream' });
      return whole && part ? partOf(whole, part) : whole;
    },

    /**
     * Deletes files that were moved to the trash before `at`, and versions of files that were replaced before `at`: at
     * most 100 of each. Also deletes their bytes, if no other file, version or logo has the same bytes.
     */
    async removeTrash(at: string): Promise<void> {
      for (const [table, since] of [
        ['media', 'deleted_at'],
        ['former_media', 'replaced_at'],
      ] as const) {
        const rows = await database.read(
          sql(`SELECT seq, sha256 FROM ${table} WHERE ${since} < ? ORDER BY seq LIMIT 100`, at),
        );
        for (const { seq, sha256 } of rows) {
          const [, remaining] = await database.write(
            sql(`DELETE FROM ${table} WHERE seq = ?`, Number(seq)),
            sql(
              ['media', 'former_media', 'logos']
                .map((named) => `SELECT 1 FROM ${named} WHERE sha256 = ?1`)
                .join(' UNION ALL ') + ' LIMIT 1',
              text(sha256),
            ),
          );
          if (remaining?.rows.length === 0) await blobs().delete(text(sha256));
        }
      }
    },
  };
}

/** Reads a stored file from a row that has its name, type, size and hash. */
export function storedFileOf(row: Row): StoredFile {
  return {
    fileName: text(row.file_name),
    mimeType: text(row.mime_type),
    size: Number(row.size),
    sha256: text(row.sha256),
  };
}

function toRecord(row: Row): MediaRecord {
  return mediaRecord.parse({
    id: row.id,
    url: `/uploads/${text(row.id)}/${text(row.file_name)}`,
    version: versionOf(text(row.sha256)),
    originalName: row.original_name,
    mimeType: row.mime_type,
    size: row.size,
    uploadedAt: row.uploaded_at,
    replacedAt: row.replaced_at,
    width: row.width,
    height: row.height,
    alt: row.alt,
    decorative: row.decorative === 1,
  });
}

/** Returns the files with these ids that are not in the trash, by id. */
async function filesById(database: Database, ids: readonly string[]): Promise<Map<string, MediaRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await database.read(
    sql('SELECT * FROM media WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL', JSON.stringify(ids)),
  );
  return new Map(rows.map((row) => [text(row.id), toRecord(row)]));
}

/** Returns posts with the current versions in the URLs of their files ({@link showFiles}). */
export async function withCurrentFiles<T extends NamesFiles>(database: Database, posts: readonly T[]): Promise<T[]> {
  const files = await filesById(database, fileIdsIn(posts));
  return posts.map((post) => showFiles(post, files));
}
