import type { Row } from '@libsql/client/http';
import type * as z from 'zod/mini';
import type { PostListQuery } from '../../../src/domain/post.ts';
import type { Page } from '../../../src/domain/paging.ts';
import { type Database, type Statement, record, sql, text } from '../db/database.ts';
import { cursorCondition, cursorOf } from '../db/paging.ts';

/** The most bytes of content in a page of whole posts. Netlify limits the response of a function to 6 MB. */
const pageBytes = 3_000_000;

export const summaryColumns = sql`seq, id, title, slug, excerpt, featured_image, status, published_at,
  first_published_at, date_before, created_at, updated_at, revision, deleted_at, shown_at, publish_at`;
export const columns = sql`${summaryColumns}, content`;
export const isPublic = sql`status = 'published' AND deleted_at IS NULL`;

const sortColumns: Record<string, { order: Statement; value: keyof Row & string }> = {
  createdAt: { order: sql`created_at`, value: 'created_at' },
  updatedAt: { order: sql`updated_at`, value: 'updated_at' },
  publishedAt: { order: sql`shown_at`, value: 'shown_at' },
  title: { order: sql`title COLLATE NOCASE`, value: 'title' },
};

/** Reads the rows of one page of posts, in the sort order of the query. */
export async function pageOfPosts(
  database: Database,
  conditions: Statement[],
  { sort, limit, cursor, view }: Pick<PostListQuery, 'sort' | 'limit' | 'cursor' | 'view'>,
): Promise<Page<Row>> {
  const descending = sort.startsWith('-');
  const { order, value } = sortColumns[sort.replace('-', '')] ?? sortColumns['createdAt']!;
  if (cursor) conditions.push(cursorCondition(cursor, order, sql`seq`, descending));
  const direction = descending ? sql`DESC` : sql`ASC`;
  const [first, ...others] = conditions;
  const rows = await database.read(
    sql`SELECT ${view === 'full' ? columns : summaryColumns} FROM posts
        WHERE ${others.reduce((all, condition) => sql`${all} AND ${condition}`, first ?? sql`1`)}
        ORDER BY ${order} ${direction}, seq ${direction} LIMIT ${limit + 1}`,
  );
  const page = fitting(rows.slice(0, limit));
  const last = page.at(-1);
  const nextCursor = rows.length > page.length && last ? cursorOf(text(last[value]), Number(last.seq)) : null;
  return { data: page, nextCursor };
}

/** Returns the first rows whose content fits into {@link pageBytes}, and at least one row. */
function fitting(rows: Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += typeof row.content === 'string' ? Buffer.byteLength(row.content) : 0;
    return index > 0 && bytes > pageBytes;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** Converts a row to a record with the fields of a schema. */
export function postOf<T>(schema: z.ZodMiniType<T>, row: Row): T {
  const { excerpt, featured_image: featuredImage } = row;
  return schema.parse({ ...record<object>(row), excerpt: excerpt || null, featuredImage: featuredImage || null });
}
