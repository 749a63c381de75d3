import { type PostListQuery, type PublicPost, listedPublicPost, publicPost } from '../../../src/domain/post.ts';
import { type Database, record, sql } from '../db/database.ts';
import { withCurrentFiles } from '../files/file-versions.ts';
import { columns, isPublic, pageOfPosts, postOf, summaryColumns } from './rows.ts';

export type PostLink = Pick<PublicPost, 'slug' | 'title'>;

export type PostAddress = Pick<PublicPost, 'slug' | 'updatedAt'>;

/** Reads the posts that visitors see. */
export function publishedPosts(database: Database) {
  return {
    /** Returns a page of the public posts, newest first. */
    async published(query: Pick<PostListQuery, 'limit' | 'cursor' | 'view'>) {
      const { data, nextCursor } = await pageOfPosts(database, [isPublic], { ...query, sort: '-publishedAt' });
      const posts = data.map((row) => postOf(listedPublicPost, row));
      return { data: await withCurrentFiles(database, posts), nextCursor };
    },

    /** Returns the public posts of one page of the blog, newest first, without their content. */
    async publishedFrom({ limit, offset }: { limit: number; offset: number }) {
      const rows = await database.read(
        sql`SELECT ${summaryColumns} FROM posts WHERE ${isPublic}
            ORDER BY shown_at DESC, seq DESC LIMIT ${limit} OFFSET ${offset}`,
      );
      const posts = rows.map((row) => postOf(listedPublicPost, row));
      return await withCurrentFiles(database, posts);
    },

    async publishedCount(): Promise<number> {
      const [row] = await database.read(sql`SELECT count(*) AS count FROM posts WHERE ${isPublic}`);
      return Number(row?.count);
    },

    /** Returns the slugs of public posts and the times of their last changes, oldest post first. */
    async addresses({ limit, offset }: { limit: number; offset: number }): Promise<PostAddress[]> {
      const rows = await database.read(
        sql`SELECT slug, updated_at FROM posts WHERE ${isPublic} ORDER BY seq LIMIT ${limit} OFFSET ${offset}`,
      );
      return rows.map((row) => record<PostAddress>(row));
    },

    /** Returns the public post with a slug, or null. */
    async publishedUnder(slug: string): Promise<PublicPost | null> {
      const [row] = await database.read(sql`SELECT ${columns} FROM posts WHERE slug = ${slug} AND ${isPublic}`);
      if (!row) return null;
      const [post] = await withCurrentFiles(database, [postOf(publicPost, row)]);
      return post ?? null;
    },

    /** Returns the next newer and the next older public post. */
    async neighbors(id: string): Promise<Record<'newer' | 'older', PostLink | null>> {
      const shownAt = sql`(SELECT shown_at, seq FROM posts WHERE id = ${id})`;
      const [[newer], [older]] = await Promise.all([
        database.read(
          sql`SELECT slug, title FROM posts WHERE ${isPublic} AND (shown_at, seq) > ${shownAt}
              ORDER BY shown_at, seq LIMIT 1`,
        ),
        database.read(
          sql`SELECT slug, title FROM posts WHERE ${isPublic} AND (shown_at, seq) < ${shownAt}
              ORDER BY shown_at DESC, seq DESC LIMIT 1`,
        ),
      ]);
      return { newer: newer ? record<PostLink>(newer) : null, older: older ? record<PostLink>(older) : null };
    },

    /** Returns the current slug of the public post that had this slug before, or null. */
    async movedTo(slug: string): Promise<string | null> {
      const [row] = await database.read(
        sql`SELECT slug FROM posts WHERE id = (SELECT post_id FROM former_slugs WHERE slug = ${slug})
            AND slug <> ${slug} AND ${isPublic}`,
      );
      return row ? record<{ slug: string }>(row).slug : null;
    },
  };
}
