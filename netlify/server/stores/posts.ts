import type { PostInput } from '../../../src/domain/post-input.ts';
import type { PostListQuery, PostPage, PostRecord } from '../../../src/domain/post.ts';
import { postText } from '../../../src/domain/post-text.ts';
import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, type Statement, sql, text } from '../db/database.ts';
import { searchExpression } from '../db/paging.ts';
import { withCurrentFiles } from './file-versions.ts';
import { columns, isPublic, pageOfPosts, toListed, toRecord } from './post-rows.ts';
import { publishedPosts } from './published-posts.ts';

/** The fields of a post as the editor submitted them, with sanitized content. */
export type PostText = Omit<PostInput, 'revision'>;

/** The admin and the time (ISO 8601, UTC) of a save. */
export interface Save {
  readonly by: string;
  readonly at: string;
}

/** Slugs are cut to this length before a number is added, because a slug has at most 120 characters. */
const longestStem = 114;

const isScheduled = `publish_at IS NOT NULL AND deleted_at IS NULL`;
export function postStore(database: Database) {
  const get = async (id: string): Promise<PostRecord | null> => {
    const [row] = await database.read(sql(`SELECT ${columns} FROM posts WHERE id = ?`, id));
    return row ? toRecord(row) : null;
  };
  const changed = async (statement: Statement): Promise<PostRecord | null> => {
    const row = (await database.write(statement))[0]?.rows[0];
    return row ? toRecord(row) : null;
  };

  return {
    ...publishedPosts(database),
    get,

    /** Returns a post with any status for its preview, or null if the post is missing or in the trash. */
    async preview(id: string): Promise<PostRecord | null> {
      const post = await get(id);
      if (post === null || post.deletedAt !== null) return null;
      const [shown] = await withCurrentFiles(database, [post]);
      return shown ?? null;
    },

    /**
     * Stores a new post.
     * @returns null if the id exists (the request is a retry), if the slug is taken, or if the scheduled time is not in
     *   the future.
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
     * Saves a new revision of a post.
     * @param revision the revision that the post must still have; undefined for any revision.
     * @returns null if the post is missing or has another revision, if another post has the slug, or if the scheduled
     *   time was changed to one that is not in the future.
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
     * Publishes every draft whose scheduled time has come. A single statement does this, so two instances cannot both
     * publish a draft.
     * @returns the titles of these posts, and the admins who scheduled them.
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

    /** Counts the scheduled drafts and those that were due before `limit`. `nextAt` is the earliest scheduled time. */
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

    /** Moves a post to the trash. @returns null if the post is missing or in the trash. */
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
     * Restores a post from the trash with a slug. A published post becomes public again. A scheduled draft whose
     * publication time has passed is no longer scheduled, so it stays a draft.
     * @returns null if the post is not in the trash, or the slug is in use.
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

    /** Deletes posts that were moved to the trash before a time. @returns the number of deleted posts. */
    async removeTrashed(before: string): Promise<number> {
      const [result] = await database.write(deleteSome('posts', 'deleted_at < ?', before));
      return result?.rowsAffected ?? 0;
    },

    /** Returns the slug if it is free, else the first free one of `{slug}-2`, `{slug}-3` and so on. */
    async freeSlug(slug: string): Promise<string> {
      const stem = slug.slice(0, longestStem).replace(/-$/, '');
      // '.' follows '-' in the sort order, so this range has all slugs that begin with the stem and a hyphen, and uses
      // the index.
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

    /** Returns a page of the admin's list, without `content` if the query asks for a summary. */
    async list(query: PostListQuery): Promise<Omit<PostPage, 'counts'>> {
      const conditions = [sql(query.status === 'trash' ? 'deleted_at IS NOT NULL' : 'deleted_at IS NULL')];
      if (query.status === 'draft' || query.status === 'published') conditions.push(sql('status = ?', query.status));
      if (query.status === 'draft') conditions.push(sql('publish_at IS NULL'));
      if (query.status === 'scheduled') conditions.push(sql('publish_at IS NOT NULL'));
      const words = searchExpression(query.q);
      // The plus in `+seq` keeps SQLite from looking up each match by `seq` and then sorting all matches. SQLite reads
      // the rows from an index that is already in the order of the list.
      if (words) conditions.push(sql('+seq IN (SELECT rowid FROM posts_words WHERE posts_words MATCH ?)', words));
      const { data, nextCursor } = await pageOfPosts(database, conditions, query);
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
        // Scheduled posts also have the status `draft`. They are subtracted here, because the index from which
        // SQLite counts drafts does not contain the scheduled time.
        draft: Number(row?.draft) - Number(row?.scheduled),
        scheduled: Number(row?.scheduled),
        published: Number(row?.published),
        trash: Number(row?.trash),
      };
    },
  };
}

function valuesOf(post: PostText): string[] {
  const { title, slug, content, excerpt, featuredImage } = post;
  return [title, slug, content, postText(content), excerpt ?? '', featuredImage ?? ''];
}
