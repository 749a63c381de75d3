import type { PostListQuery, PostRecord, PublicPost } from '../../../src/domain/post.ts';
import { type Database, sql, text } from '../db/database.ts';
import { withCurrentFiles } from './file-versions.ts';
import { type ListedPost, columns, isPublic, pageOfPosts, summaryColumns, toListed, toRecord } from './post-rows.ts';

export type PostLink = Pick<PostRecord, 'slug' | 'title'>;

export type PostAddress = Pick<PostRecord, 'slug' | 'updatedAt'>;

/** Reads the posts that visitors see. */
export function publishedPosts(database: Database) {
  return {
    /** Returns a page of the public posts, newest first. */
    async published(query: Pick<PostListQuery, 'limit' | 'cursor' | 'view'>) {
      const { data, nextCursor } = await pageOfPosts(database, [sql(isPublic)], { ...query, sort: '-publishedAt' });
      return {
        data: await withCurrentFiles(
          database,
          data.map((row) => toPublic(toListed(row))),
        ),
        nextCursor,
      };
    },

    /** Returns the public posts of one page of the blog, newest first, without their content. */
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

    async publishedCount(): Promise<number> {
      const [row] = await database.read(sql(`SELECT count(*) AS count FROM posts WHERE ${isPublic}`));
      return Number(row?.count);
    },

    /** Returns the slugs of public posts and the times of their last changes, oldest post first. */
    async addresses({ limit, offset }: { limit: number; offset: number }): Promise<PostAddress[]> {
      const rows = await database.read(
        sql(`SELECT slug, updated_at FROM posts WHERE ${isPublic} ORDER BY seq LIMIT ? OFFSET ?`, limit, offset),
      );
      return rows.map((row) => ({ slug: text(row.slug), updatedAt: text(row.updated_at) }));
    },

    /** Returns the public post with a slug, or null. */
    async publishedUnder(slug: string): Promise<PublicPost | null> {
      const [row] = await database.read(sql(`SELECT ${columns} FROM posts WHERE slug = ? AND ${isPublic}`, slug));
      if (!row) return null;
      const [post] = await withCurrentFiles(database, [toPublic(toRecord(row))]);
      return post ?? null;
    },

    /** Returns the next newer and the next older public post. */
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

    /** Returns the current slug of the public post that had this slug before, or null. */
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

function toPublic<T extends ListedPost>({
  publishAt: _,
  revision: __,
  deletedAt: ___,
  ...post
}: T): Omit<T, 'publishAt' | 'revision' | 'deletedAt'> {
  return post;
}
