import { createHash, randomUUID } from 'node:crypto';
import type { Row } from '@libsql/client/http';
import {
  type FormerFile,
  type MediaInput,
  type MediaListQuery,
  type MediaRecord,
  type MediaUse,
  lastingUrl,
  mediaRecord,
  mediaUse,
} from '../../../src/domain/media.ts';
import type { Page } from '../../../src/domain/paging.ts';
import { type Database, sql, text } from '../db/database.ts';
import { cursorCondition, cursorOf, searchExpression } from '../db/paging.ts';
import { partOf } from '../part-of.ts';
import type { BlobStore, Content, Part } from '../platform.ts';

/** A file on its way into the library, checked and cleaned. */
export interface NewMedia {
  readonly originalName: string;
  /** The last part of its address. */
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly width: number | null;
  readonly height: number | null;
}

/** A file as it is served. */
export interface StoredFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
}

const isPictureSql = `mime_type LIKE 'image/%'`;

const versionLength = 12;

/** Names the bytes of a file in its lasting address. */
const versionOf = (sha256: string): string => sha256.slice(0, versionLength);

/** A file in use, and with the version that a call names, where it names one. */
const isStill = `media.id = ?1 AND media.deleted_at IS NULL AND (?2 IS NULL OR substr(media.sha256, 1, ${versionLength}) = ?2)`;
const keepFormer = `INSERT INTO former_media (media_id, size, width, height, sha256, replaced_at)
  SELECT id, size, width, height, sha256, ?3 FROM media WHERE ${isStill}`;

/**
 * The media library: descriptions in the database, bytes in a blob store of their own under their hash, so that the same
 * file is stored once however often it is uploaded.
 */
export function mediaStore(database: Database, blobs: () => BlobStore) {
  const get = async (id: string): Promise<MediaRecord | null> => {
    const [row] = await database.read(sql('SELECT * FROM media WHERE id = ? AND deleted_at IS NULL', id));
    return row ? toRecord(row) : null;
  };

  const newestFormer = async (id: string): Promise<Row | undefined> =>
    (await database.read(sql('SELECT * FROM former_media WHERE media_id = ? ORDER BY seq DESC LIMIT 1', id)))[0];

  /** Keeps bytes under their hash. */
  const keep = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await blobs().set(sha256, new Blob([bytes]), { onlyIfNew: true });
    return sha256;
  };

  return {
    get,
    keep,

    /**
     * Adds a file. The same bytes under the same name are the file that is there already: somebody tried again after an
     * answer was lost.
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
      if (!row) throw new Error('A file was removed while it was added.');
      return { record: toRecord(row), created: inserted?.rowsAffected === 1 };
    },

    /** A page of the library, newest first unless asked otherwise, and how many files it holds in all. */
    async list(query: MediaListQuery): Promise<Page<MediaRecord> & { total: number }> {
      const descending = query.sort === '-createdAt';
      const conditions = [sql('deleted_at IS NULL')];
      if (query.kind === 'pictures') conditions.push(sql(isPictureSql));
      const words = searchExpression(query.q);
      // The plus keeps the order's index in use, however many files have the word.
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
      const page = rows.slice(0, query.limit);
      const last = page.at(-1);
      return {
        data: page.map(toRecord),
        nextCursor: rows.length > query.limit && last ? cursorOf(text(last.uploaded_at), Number(last.seq)) : null,
        total: Number(count?.total ?? 0),
      };
    },

    /** Changes the description. @returns null where there is no such file. */
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
     * Puts another file of the same type at the address of one. That one is kept, see {@link putBack}.
     * @param version which the file must still have; null where any is replaced.
     * @returns the current file, and whether it was replaced, already had these bytes, or has another version; null if there is
     *   no such file.
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

    /** The previous version of a file, while it is kept. */
    async former(id: string): Promise<FormerFile | null> {
      const row = await newestFormer(id);
      const number = (value: unknown) => (value === null ? null : Number(value));
      return row ? { size: Number(row.size), width: number(row.width), height: number(row.height) } : null;
    },

    /**
     * Restores the previous version of a file. The current file becomes the previous version.
     * @param version which the file must still have; null where any is replaced.
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

    /** Puts a file into the trash, from which {@link restore} takes it back. @returns false where there is none. */
    async remove(id: string, at: string): Promise<boolean> {
      const [removed] = await database.write(
        sql('UPDATE media SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL', at, id),
      );
      return removed?.rowsAffected === 1;
    },

    /** @returns null where there is no such file, in the trash or out of it. */
    async restore(id: string): Promise<MediaRecord | null> {
      await database.write(sql('UPDATE media SET deleted_at = NULL WHERE id = ?', id));
      return await get(id);
    },

    /** Where a file is shown or linked, by its address: on the site, and in what admins are writing. */
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

    /** The file at an address, unless it is in the trash. */
    async fileOf(id: string): Promise<(StoredFile & { version: string }) | null> {
      const [row] = await database.read(
        sql('SELECT file_name, mime_type, size, sha256 FROM media WHERE id = ? AND deleted_at IS NULL', id),
      );
      if (!row) return null;
      return {
        fileName: text(row.file_name),
        mimeType: text(row.mime_type),
        size: Number(row.size),
        sha256: text(row.sha256),
        version: versionOf(text(row.sha256)),
      };
    },

    /** A file, or a part of it, of which at most one chunk is in memory; null where the blob store lost it. */
    async read(sha256: string, part?: Part): Promise<Content | null> {
      const store = blobs();
      if (store.read) return await store.read(sha256, part);
      const whole: ReadableStream<Uint8Array> | null = await store.get(sha256, { type: 'stream' });
      return whole && part ? partOf(whole, part) : whole;
    },

    /** Forgets what has been in the trash, or was replaced, since before `at`, and bytes that nothing names any longer. */
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

/**
 * An address of a file of the library, on this site or in full: the file's id, the address as far as its name, and the part
 * of the file that it leads to. A version in it is left out.
 */
function fileAddress(address: string): { id: string; url: string; part: string } | null {
  const end = address.search(/[?#]/);
  const url = end === -1 ? address : address.slice(0, end);
  const id = /^\/uploads\/([0-9a-f-]{36})\/[^/]+$/.exec(url.slice(Math.max(0, url.lastIndexOf('/uploads/'))))?.[1];
  const rest = /^(?:\?v=[0-9a-f]+)?(#.*)?$/.exec(end === -1 ? '' : address.slice(end));
  return id && rest ? { id, url, part: rest[1] ?? '' } : null;
}

/** The parts of a post that may name files of the library. */
interface NamesFiles {
  /** Sanitized HTML. Every attribute is in double quotes. */
  readonly content?: string | undefined;
  readonly featuredImage: string | null;
}

/**
 * Posts as they are shown: the addresses of the library's files with their versions, so that browsers and image services
 * may keep each picture for good and still show another one the moment it takes its place. Pictures that took the place of
 * others have their own proportions. What is stored, and edited, are the plain addresses.
 */
export async function withCurrentFiles<T extends NamesFiles>(database: Database, posts: readonly T[]): Promise<T[]> {
  const ids = new Set(
    posts.flatMap(({ content = '', featuredImage }) =>
      [...`${featuredImage ?? ''} ${content}`.matchAll(/\/uploads\/([0-9a-f-]{36})\//g)].map(([, id]) => id ?? ''),
    ),
  );
  if (ids.size === 0) return [...posts];
  const rows = await database.read(
    sql(
      'SELECT * FROM media WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL',
      JSON.stringify([...ids]),
    ),
  );
  const files = new Map(rows.map((row) => [text(row.id), toRecord(row)]));
  const fileAt = (address: string) => files.get(fileAddress(address)?.id ?? '');
  const shown = (address: string) => {
    const named = fileAddress(address);
    const file = named && files.get(named.id);
    return file ? lastingUrl({ url: named.url, version: file.version }) + named.part : address;
  };
  return posts.map((post) => ({
    ...post,
    featuredImage: post.featuredImage && shown(post.featuredImage),
    ...(post.content !== undefined && {
      content: post.content.replace(/<(?:img|a) [^<>]*>/g, (tag) => {
        const [attribute = '', name = '', address = ''] = / (src|href)="([^"]*)"/.exec(tag) ?? [];
        const file = fileAt(address);
        if (!file) return tag;
        // Functions, because `$'` and `$&` in a replacement string would insert parts of the tag.
        const lasting = tag.replace(attribute, () => ` ${name}="${shown(address)}"`);
        const { replacedAt, width, height } = file;
        if (replacedAt === null || width === null || height === null) return lasting;
        return lasting
          .replace(/ width="\d+"/, () => ` width="${width}"`)
          .replace(/ height="\d+"/, () => ` height="${height}"`);
      }),
    }),
  }));
}
