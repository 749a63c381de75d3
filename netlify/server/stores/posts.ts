import type { Row } from '@libsql/client/http';
import {
  type PostInput,
  type PostListQuery,
  type PostPage,
  type PostRecord,
  type PublicPost,
  postRecord,
} from '../../../src/domain/post.ts';
import { postText } from '../../../src/domain/post-text.ts';
import type { Page } from '../../../src/domain/paging.ts';
import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, type Statement, sql, text } from '../db/database.ts';
import { cursorCondition, cursorOf, searchExpression } from '../db/paging.ts';
import { withCurrentFiles } from './media.ts';

/** What an editor sent, its content sanitized. */
export type PostText = Omit<PostInput, 'revision'>;

/** A save: which admin's, and when (ISO 8601, UTC). */
export interface Save {
  readonly by: string;
  readonly at: string;
}

/** Enough of a post to lead to it. */
export type PostLink = Pick<PostRecord, 'slug' | 'title'>;

export type PostAddress = Pick<PostRecord, 'slug' | 'updatedAt'>;

/** An answer of a function holds 6 MB: a page of whole posts ends before that. */
const pageBytes = 3_000_000;

/** A slug of this many characters can still be told apart by a number. */
const longestStem = 114;

const columns = `seq, id, title, slug, content, excerpt, featured_image, status, published_at, first_published_at,
  created_at, updated_at, revision, deleted_at, shown_at, publish_at`;
const summaryColumns = columns.replace(' content,', '');
const isScheduled = `publish_at IS NOT NULL AND deleted_at IS NULL`;
const isPublic = `status = 'published' AND deleted_at IS NULL`;

const sortColumns: Record<string, { order: string; value: keyof Row & string }> = {
  createdAt: { order: 'created_at', value: 'created_at' },
  updatedAt: { order: 'updated_at', value: 'updated_at' },
  publishedAt: { order: 'shown_at', value: 'shown_at' },
  title: { order: 'title COLLATE NOCASE', value: 'title' },
};

export function postStore(database: Database) {
  const get = async (id: string): Promise<PostRecord | null> => {
    const [row] = await database.read(sql(`SELECT ${columns} FROM posts WHERE id = ?`, id));
    return row ? toRecord(row) : null;
  };
  const changed = async (statement: Statement): Promise<PostRecord | null> => {
    const row = (await database.write(statement))[0]?.rows[0];
    return row ? toRecord(row) : null;
  };
  /** The rows of one page, and one more where there is one. */
  const pageOf = async (
    conditions: Statement[],
    { sort, limit, cursor, view }: Pick<PostListQuery, 'sort' | 'limit' | 'cursor' | 'view'>,
  ): Promise<Page<Row>> => {
    const descending = sort.startsWith('-');
    const { order, value } = sortColumns[sort.replace('-', '')] ?? sortColumns['createdAt']!;
    if (cursor) conditions.push(cursorCondition(cursor, order, 'seq', descending));
    const direction = descending ? 'DESC' : 'ASC';
    const rows = await database.read(
      sql(
        `SELECT ${view === 'full' ? columns : summaryColumns} FROM posts
         WHERE ${conditions.map((condition) => condition.sql).join(' AND ')}
         ORDER BY ${order} ${direction}, seq ${direction} LIMIT ?`,
        ...conditions.flatMap((condition) => condition.args),
        limit + 1,
      ),
    );
    const page = fitting(rows.slice(0, limit));
    const last = page.at(-1);
    const nextCursor = rows.length > page.length && last ? cursorOf(text(last[value]), Number(last.seq)) : null;
    return { data: page, nextCursor };
  };

  return {
    get,

    /**
     * Stores a post under its id.
     * @returns null where nothing was stored: the id is taken (the same creation, sent again), or the slug is, or the time at
     *   which it is to be published is not in the future.
     */
    async create(id: string, post: PostText, { by, at }: Save): Promise<PostRecord | null> {
      const publishedAt = post.status === 'published' ? at : null;
      return await changed(
        sql(
          `INSERT INTO posts (id, title, slug, content, body_text, excerpt, featured_image, status, published_at,
             first_published_at, created_at, updated_at, saved_by, publish_at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?10, ?11, ?12
           WHERE (?12 IS NULL OR ?12 > ?10) AND NOT EXISTS (SELECT 1 FROM posts WHERE slug = ?3 AND deleted_at IS NULL)
           ON CONFLICT DO NOTHING RETURNING ${columns}`,
          id,
          ...valuesOf(post),
          post.status,
          publishedAt,
          at,
          by,
          post.publishAt,
        ),
      );
    },

    /**
     * Saves a post over the given revision, or over the current one if none is given.
     * @returns null where nothing was saved: it is not there, has another revision, the slug is another post's, or the time
     *   at which it is to be published is another one than before and not in the future.
     */
    async update(
      id: string,
      post: PostText,
      revision: number | undefined,
      { by, at }: Save,
    ): Promise<PostRecord | null> {
      return await changed(
        sql(
          `UPDATE posts SET title = ?2, slug = ?3, content = ?4, body_text = ?5, excerpt = ?6, featured_image = ?7,
             status = ?8, updated_at = ?9, saved_by = ?12, publish_at = ?13, revision = revision + 1,
             published_at = CASE WHEN ?8 = 'draft' THEN NULL
               WHEN ?10 THEN coalesce(published_at, first_published_at, ?9) ELSE ?9 END,
             first_published_at = CASE WHEN ?8 = 'draft' THEN first_published_at ELSE coalesce(first_published_at, ?9) END
           WHERE id = ?1 AND deleted_at IS NULL AND (?11 IS NULL OR revision = ?11)
             AND (?13 IS NULL OR ?13 > ?9 OR ?13 = publish_at)
             AND NOT EXISTS (SELECT 1 FROM posts other WHERE other.slug = ?3 AND other.id <> ?1 AND other.deleted_at IS NULL)
           RETURNING ${columns}`,
          id,
          ...valuesOf(post),
          post.status,
          at,
          post.keepOriginalDate ? 1 : 0,
          revision ?? null,
          by,
          post.publishAt,
        ),
      );
    },

    /**
     * Publishes every draft whose time has come. It is one statement, so that each is published once, however many
     * instances ask at the same moment.
     * @returns their titles, with the admins who scheduled them.
     */
    async publishDue(at: string): Promise<{ title: string; by: string }[]> {
      const [result] = await database.write(
        sql(
          `UPDATE posts SET status = 'published', published_at = publish_at, publish_at = NULL, updated_at = ?1,
             first_published_at = coalesce(first_published_at, publish_at), revision = revision + 1
           WHERE publish_at <= ?1 AND ${isScheduled}
           RETURNING title, saved_by`,
          at,
        ),
      );
      return (result?.rows ?? []).map((row) => ({ title: text(row.title), by: text(row.saved_by) }));
    },

    /** How many drafts are to be published by themselves, how many of them should have been before `limit`, and the next. */
    async scheduleTally(limit: string): Promise<{ scheduled: number; overdue: number; nextAt: string | null }> {
      const [row] = await database.read(
        sql(
          `SELECT count(*) AS scheduled, count(*) FILTER (WHERE publish_at < ?) AS overdue, min(publish_at) AS next_at
           FROM posts WHERE ${isScheduled}`,
          limit,
        ),
      );
      const nextAt = row?.next_at;
      return {
        scheduled: Number(row?.scheduled),
        overdue: Number(row?.overdue),
        nextAt: typeof nextAt === 'string' ? nextAt : null,
      };
    },

    /** Puts a post into the trash. @returns null where there is none in use. */
    async remove(id: string, at: string): Promise<PostRecord | null> {
      return await changed(
        sql(
          `UPDATE posts SET deleted_at = ?2, revision = revision + 1 WHERE id = ?1 AND deleted_at IS NULL RETURNING ${columns}`,
          id,
          at,
        ),
      );
    },

    /**
     * Takes a post out of the trash under a slug. A time at which it was to be published, and which has passed, is
     * forgotten: nothing becomes public by being restored.
     * @returns null where it is not in the trash, or the slug is taken.
     */
    async restore(id: string, slug: string, at: string): Promise<PostRecord | null> {
      return await changed(
        sql(
          `UPDATE posts SET deleted_at = NULL, slug = ?2, revision = revision + 1,
             publish_at = CASE WHEN publish_at > ?3 THEN publish_at END
           WHERE id = ?1 AND deleted_at IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM posts other WHERE other.slug = ?2 AND other.deleted_at IS NULL)
           RETURNING ${columns}`,
          id,
          slug,
          at,
        ),
      );
    },

    /** Empties the trash of what went there before a time. @returns how many posts are gone for good. */
    async removeTrashed(before: string): Promise<number> {
      const [result] = await database.write(deleteSome('posts', 'deleted_at < ?', before));
      return result?.rowsAffected ?? 0;
    },

    /** The slug itself where it is free, else the first of `{slug}-2`, `{slug}-3` and so on that is. */
    async freeSlug(slug: string): Promise<string> {
      const stem = slug.slice(0, longestStem).replace(/-$/, '');
      // '.' comes after '-': all slugs that begin with the stem and a hyphen, by the index.
      const rows = await database.read(
        sql(
          `SELECT slug FROM posts WHERE deleted_at IS NULL AND (slug = ?1 OR (slug >= ?2 || '-' AND slug < ?2 || '.'))`,
          slug,
          stem,
        ),
      );
      const taken = new Set(rows.map((row) => text(row.slug)));
      let free = slug;
      for (let number = 2; taken.has(free); number += 1) free = `${stem}-${number}`;
      return free;
    },

    /** A page of the admin's list; without `content` where the query asks for a summary. */
    async list(query: PostListQuery): Promise<Omit<PostPage, 'counts'>> {
      const conditions = [sql(query.status === 'trash' ? 'deleted_at IS NOT NULL' : 'deleted_at IS NULL')];
      if (query.status === 'draft' || query.status === 'published') conditions.push(sql('status = ?', query.status));
      if (query.status === 'draft') conditions.push(sql('publish_at IS NULL'));
      if (query.status === 'scheduled') conditions.push(sql('publish_at IS NOT NULL'));
      const words = searchExpression(query.q);
      // The plus makes SQLite use the index for the order, so it sorts nothing if a word is in every post.
      if (words) conditions.push(sql('+seq IN (SELECT rowid FROM posts_words WHERE posts_words MATCH ?)', words));
      const { data, nextCursor } = await pageOf(conditions, query);
      return { data: data.map(toListed), nextCursor };
    },

    async counts(): Promise<PostPage['counts']> {
      const count = (condition: string) => `(SELECT count(*) FROM posts WHERE ${condition})`;
      const [row] = await database.read(
        sql(
          `SELECT ${count(`status = 'draft' AND deleted_at IS NULL`)} AS draft, ${count(isScheduled)} AS scheduled,
             ${count(isPublic)} AS published, ${count('deleted_at IS NOT NULL')} AS trash`,
        ),
      );
      return {
        // Counted by an index that does not know the times; a scheduled post has this status too.
        draft: Number(row?.draft) - Number(row?.scheduled),
        scheduled: Number(row?.scheduled),
        published: Number(row?.published),
        trash: Number(row?.trash),
      };
    },

    /** A page of what the public may read, newest first. */
    async published(query: Pick<PostListQuery, 'limit' | 'cursor' | 'view'>) {
      const { data, nextCursor } = await pageOf([sql(isPublic)], { ...query, sort: '-publishedAt' });
      return {
        data: await withCurrentFiles(
          database,
          data.map((row) => toPublic(toListed(row))),
        ),
        nextCursor,
      };
    },

    /** The public posts of one page of the blog, newest first, without their content. */
    async publishedFrom({ limit, offset }: { limit: number; offset: number }) {
      const rows = await database.read(
        sql(
          `SELECT ${summaryColumns} FROM posts WHERE ${isPublic} ORDER BY shown_at DESC, seq DESC LIMIT ? OFFSET ?`,
          limit,
          offset,
        ),
      );
      return await withCurrentFiles(
        database,
        rows.map((row) => toPublic(toListed(row))),
      );
    },

    /** How many posts the public may read. */
    async publishedCount(): Promise<number> {
      const [row] = await database.read(sql(`SELECT count(*) AS count FROM posts WHERE ${isPublic}`));
      return Number(row?.count);
    },

    /** The addresses of public posts and when each changed, the oldest first: as many as `limit`, after the first `offset`. */
    async addresses({ limit, offset }: { limit: number; offset: number }): Promise<PostAddress[]> {
      const rows = await database.read(
        sql(`SELECT slug, updated_at FROM posts WHERE ${isPublic} ORDER BY seq LIMIT ? OFFSET ?`, limit, offset),
      );
      return rows.map((row) => ({ slug: text(row.slug), updatedAt: text(row.updated_at) }));
    },

    /** What the public reads under a slug. */
    async publishedUnder(slug: string): Promise<PublicPost | null> {
      const [row] = await database.read(sql(`SELECT ${columns} FROM posts WHERE slug = ? AND ${isPublic}`, slug));
      if (!row) return null;
      const [post] = await withCurrentFiles(database, [toPublic(toRecord(row))]);
      return post ?? null;
    },

    /** The next newer and the next older public post. */
    async neighbors(id: string): Promise<Record<'newer' | 'older', PostLink | null>> {
      const beside = async (sign: '<' | '>', direction: 'ASC' | 'DESC') => {
        const [row] = await database.read(
          sql(
            `SELECT slug, title FROM posts WHERE ${isPublic} AND (shown_at, seq) ${sign} (SELECT shown_at, seq FROM posts WHERE id = ?)
             ORDER BY shown_at ${direction}, seq ${direction} LIMIT 1`,
            id,
          ),
        );
        return row ? { slug: text(row.slug), title: text(row.title) } : null;
      };
      const [newer, older] = await Promise.all([beside('>', 'ASC'), beside('<', 'DESC')]);
      return { newer, older };
    },

    /** Where a public post has moved that once stood under this slug. */
    async movedTo(slug: string): Promise<string | null> {
      const [row] = await database.read(
        sql(
          `SELECT p.slug FROM former_slugs f JOIN posts p ON p.id = f.post_id
           WHERE f.slug = ?1 AND p.slug <> ?1 AND p.status = 'published' AND p.deleted_at IS NULL`,
          slug,
        ),
      );
      return row ? text(row.slug) : null;
    },
  };
}

function valuesOf(post: PostText): string[] {
  const { title, slug, content, excerpt, featuredImage } = post;
  return [title, slug, content, postText(content), excerpt ?? '', featuredImage ?? ''];
}

/** As many rows from the first on as fit into an answer, and at least one. */
function fitting(rows: Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += typeof row.content === 'string' ? Buffer.byteLength(row.content) : 0;
    return index > 0 && bytes > pageBytes;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

function toRecord(row: Row): PostRecord {
  return postRecord.parse({ ...toListed(row), content: row.content });
}

type Listed = PostPage['data'][number];

function toListed(row: Row): Listed {
  const optional = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return {
    id: text(row.id),
    title: text(row.title),
    slug: text(row.slug),
    ...(typeof row.content === 'string' && { content: row.content }),
    excerpt: optional(row.excerpt),
    featuredImage: optional(row.featured_image),
    status: row.status === 'published' ? 'published' : 'draft',
    publishedAt: optional(row.published_at),
    firstPublishedAt: optional(row.first_published_at),
    createdAt: text(row.created_at),
    updatedAt: text(row.updated_at),
    publishAt: optional(row.publish_at),
    revision: Number(row.revision),
    deletedAt: optional(row.deleted_at),
  };
}

function toPublic<T extends Listed>({
  publishAt: _,
  revision: __,
  deletedAt: ___,
  ...post
}: T): Omit<T, 'publishAt' | 'revision' | 'deletedAt'> {
  return post;
}
