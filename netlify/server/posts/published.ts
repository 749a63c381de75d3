import type { Row } from '@libsql/client/http';
import type * as z from 'zod/mini';
import type { Page } from '../../../src/domain/text/paging.ts';
import { type PostListQuery, type PublicPost, listedPublicPost, publicPost } from '../../../src/domain/posts/post.ts';
import { type Database, type Statement, all, one, record, sql, text } from '../db/database.ts';
import { readPage } from '../db/paging.ts';
import { withCurrentFiles } from '../files/file-versions.ts';

/** The most bytes of content in a page of whole posts. Netlify limits the response of a function to 6 MB. */
const pageBytes = 3_000_000;

const summaryColumns = sql`seq, id, title, slug, nullif(excerpt, '') AS excerpt,
  nullif(featured_image, '') AS featured_image, status, published_at, first_published_at, date_before, created_at,
  updated_at, revision, deleted_at, shown_at, publish_at`;
export const columns = sql`${summaryColumns}, content`;
export const isPublic = sql`status = 'published' AND deleted_at IS NULL`;

const sortColumns: Readonly<Record<string, string>> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  publishedAt: 'shown_at',
  title: 'title',
};

/** Converts a row to a record with the fields of a schema. */
export function postOf<T>(schema: z.ZodMiniType<T>, row: Row): T {
  return schema.parse(record<object>(row));
}

/** Reads one page of the posts that meet a condition, in the sort order of the query. */
export async function pageOfPosts<T>(
  database: Database,
  schema: z.ZodMiniType<T>,
  condition: Statement,
  { sort, limit, cursor, view }: Pick<PostListQuery, 'sort' | 'limit' | 'cursor' | 'view'>,
): Promise<Page<T>> {
  const select = sql`SELECT ${view === 'full' ? columns : summaryColumns} FROM posts WHERE ${condition}`;
  const column = sortColumns[sort.replace('-', '')] ?? 'created_at';
  const order = column === 'title' ? 'title COLLATE NOCASE' : column;
  const page = { column, order, descending: sort.startsWith('-'), limit, cursor, fitting };
  return await readPage(database, select, page, (row) => postOf(schema, row));
}

/** Returns how many of the first rows have content that fits into {@link pageBytes}: at least one. */
function fitting(rows: readonly Row[]): number {
  let bytes = 0;
  const end = rows.findIndex(({ content }, index) => {
    bytes += typeof content === 'string' ? Buffer.byteLength(content) : 0;
    return index > 0 && bytes > pageBytes;
  });
  return end === -1 ? rows.length : end;
}

export type PostLink = Pick<PublicPost, 'slug' | 'title'>;

export type PostAddress = Pick<PublicPost, 'slug' | 'updatedAt'>;

/** Reads the posts that visitors see. */
export function publishedPosts(database: Database) {
  /** Returns the closest public post in one direction of the dates, or null. */
  const beside = (id: string, comparison: Statement, direction: Statement) =>
    one<PostLink>(
      database,
      sql`SELECT slug, title FROM posts
          WHERE ${isPublic} AND (shown_at, seq) ${comparison} (SELECT shown_at, seq FROM posts WHERE id = ${id})
          ORDER BY shown_at ${direction}, seq ${direction} LIMIT 1`,
    );

  return {
    /** Returns a page of the public posts, newest first. */
    async published(query: Pick<PostListQuery, 'limit' | 'cursor' | 'view'>) {
      const page = await pageOfPosts(database, listedPublicPost, isPublic, { ...query, sort: '-publishedAt' });
      return { ...page, data: await withCurrentFiles(database, page.data) };
    },

    /** Returns the public posts of one page of the blog, newest first, without their content. */
    async publishedFrom({ limit, offset }: { limit: number; offset: number }) {
      const page = sql`SELECT ${summaryColumns} FROM posts WHERE ${isPublic}
        ORDER BY shown_at DESC, seq DESC LIMIT ${limit} OFFSET ${offset}`;
      return await withCurrentFiles(database, await all(database, page, (row) => postOf(listedPublicPost, row)));
    },

    async publishedCount(): Promise<number> {
      const [row] = await database.read(sql`SELECT count(*) AS count FROM posts WHERE ${isPublic}`);
      return Number(row?.count);
    },

    /** Returns the slugs of public posts and the times of their last changes, oldest post first. */
    addresses: ({ limit, offset }: { limit: number; offset: number }) =>
      all<PostAddress>(
        database,
        sql`SELECT slug, updated_at FROM posts WHERE ${isPublic} ORDER BY seq LIMIT ${limit} OFFSET ${offset}`,
      ),

    /** Returns the public post with a slug, or null. */
    async publishedUnder(slug: string): Promise<PublicPost | null> {
      const found = sql`SELECT ${columns} FROM posts WHERE slug = ${slug} AND ${isPublic}`;
      const posts = await all(database, found, (row) => postOf(publicPost, row));
      return (await withCurrentFiles(database, posts))[0] ?? null;
    },

    /** Returns the next newer and the next older public post. */
    async neighbors(id: string): Promise<Record<'newer' | 'older', PostLink | null>> {
      const [newer, older] = await Promise.all([beside(id, sql`>`, sql`ASC`), beside(id, sql`<`, sql`DESC`)]);
      return { newer, older };
    },

    /** Returns the current slug of the public post that had this slug before, or null. */
    movedTo(slug: string): Promise<string | null> {
      const moved = sql`SELECT slug FROM posts WHERE id = (SELECT post_id FROM former_slugs WHERE slug = ${slug})
        AND slug <> ${slug} AND ${isPublic}`;
      return one(database, moved, (row) => text(row.slug));
    },
  };
}
