import type { Row } from '@libsql/client/http';
import { subDays } from 'date-fns/subDays';
import type { PostInput } from '../../../src/domain/posts/post-input.ts';
import {
  type PostListQuery,
  type PostPage,
  type PostRecord,
  type PostVersion,
  type PostVersionSummary,
  listedPost,
  postRecord,
} from '../../../src/domain/posts/post.ts';
import { textOfHtml } from '../../../src/domain/text/text.ts';
import { type Database, type Statement, all, one, record, sql, text } from '../db/database.ts';
import { foundBy } from '../db/paging.ts';
import { withCurrentFiles } from '../files/file-versions.ts';
import { columns, isPublic, pageOfPosts, postOf, publishedPosts } from './published.ts';

/** The fields of a post as the editor submitted them, with sanitized content. */
export type PostText = Omit<PostInput, 'revision'>;

/** The admin and the time (ISO 8601, UTC) of a save. */
export interface Save {
  readonly by: string;
  readonly at: string;
}

/** Slugs are cut to this length before a number is added, because a slug has at most 120 characters. */
const longestStem = 114;

/** The posts of each list in the admin area. */
const listed: Readonly<Record<PostListQuery['status'], Statement>> = {
  all: sql`deleted_at IS NULL`,
  draft: sql`deleted_at IS NULL AND status = 'draft' AND publish_at IS NULL`,
  scheduled: sql`deleted_at IS NULL AND publish_at IS NOT NULL`,
  published: isPublic,
  trash: sql`deleted_at IS NOT NULL`,
};

/** The columns that a save changes, and their values. */
const savedColumns = sql`title, slug, content, body_text, excerpt, featured_image, status, publish_at, updated_at,
  saved_by`;
const savedValues = (post: PostText, { by, at }: Save): Statement =>
  sql`${post.title}, ${post.slug}, ${post.content}, ${textOfHtml(post.content)}, ${post.excerpt ?? ''},
    ${post.featuredImage ?? ''}, ${post.status}, ${post.publishAt}, ${at}, ${by}`;

/** The versions of a post: the post itself, and the texts that saves have replaced (see the trigger `posts_versioned`). */
const versionsOf = (id: string, contentColumns: Statement = sql``): Statement => {
  const shared = sql`revision, nullif(saved_by, '') AS saved_by, title, status, publish_at ${contentColumns}`;
  return sql`(SELECT updated_at AS saved_at, ${shared} FROM posts WHERE id = ${id}
    UNION ALL SELECT saved_at, ${shared} FROM post_versions WHERE post_id = ${id})`;
};

/** Whether another post outside the trash has a slug. */
const slugTaken = (slug: string, id: string): Statement =>
  sql`EXISTS (SELECT 1 FROM posts other WHERE other.slug = ${slug} AND other.id <> ${id} AND other.deleted_at IS NULL)`;

const toRecord = (row: Row): PostRecord => postOf(postRecord, row);

export function postStore(database: Database) {
  const get = (id: string) => one(database, sql`SELECT ${columns} FROM posts WHERE id = ${id}`, toRecord);
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
    async create(id: string, post: PostText, save: Save): Promise<PostRecord | null> {
      const { at } = save;
      const publishedAt = post.status === 'published' ? at : null;
      return await changed(
        sql`INSERT INTO posts (id, created_at, published_at, first_published_at, ${savedColumns})
            SELECT ${id}, ${at}, ${publishedAt}, ${publishedAt}, ${savedValues(post, save)}
            WHERE (${post.publishAt} IS NULL OR ${post.publishAt} > ${at}) AND NOT ${slugTaken(post.slug, id)}
            ON CONFLICT DO NOTHING RETURNING ${columns}`,
      );
    },

    /**
     * Saves a new revision of a post.
     * @param revision the revision that the post must still have; undefined for any revision.
     * @returns null if the post is missing or has another revision, if another post has the slug, or if the scheduled
     *   time was changed to one that is not in the future.
     */
    async update(id: string, post: PostText, revision: number | undefined, save: Save): Promise<PostRecord | null> {
      const { at } = save;
      const { publishAt } = post;
      // Several saves on one day replace one date, so an admin can put that date back after each of them.
      const dayBefore = subDays(at, 1).toISOString();
      const dates =
        post.status === 'draft'
          ? sql`published_at = NULL, date_before = NULL`
          : post.keepOriginalDate
            ? sql`published_at = coalesce(published_at, first_published_at, ${at}), date_before = NULL`
            : sql`published_at = ${at}, date_before = iif(published_at < ${dayBefore}, published_at, date_before)`;
      const firstPublishedAt = post.status === 'draft' ? null : at;
      return await changed(
        sql`UPDATE posts SET (${savedColumns}) = (${savedValues(post, save)}), revision = revision + 1, ${dates},
              first_published_at = coalesce(first_published_at, ${firstPublishedAt})
            WHERE id = ${id} AND deleted_at IS NULL AND revision = coalesce(${revision ?? null}, revision)
              AND (${publishAt} IS NULL OR ${publishAt} > ${at} OR ${publishAt} = publish_at)
              AND NOT ${slugTaken(post.slug, id)}
            RETURNING ${columns}`,
      );
    },

    /**
     * Gives a published post its earlier date. The revision stays, because the text stays.
     * @returns null if there is no such date.
     */
    async putBackDate(id: string): Promise<PostRecord | null> {
      return await changed(
        sql`UPDATE posts SET published_at = date_before, date_before = NULL
            WHERE id = ${id} AND date_before IS NOT NULL AND ${isPublic}
            RETURNING ${columns}`,
      );
    },

    /**
     * Publishes every draft whose scheduled time has come. A single statement does this, so two instances cannot both
     * publish a draft.
     * @returns the titles of these posts, and the admins who scheduled them.
     */
    async publishDue(at: string): Promise<{ title: string; by: string }[]> {
      const [result] = await database.write(
        sql`UPDATE posts SET status = 'published', published_at = publish_at, publish_at = NULL, updated_at = ${at},
              first_published_at = coalesce(first_published_at, publish_at), revision = revision + 1
            WHERE publish_at <= ${at} AND ${listed.scheduled}
            RETURNING title, saved_by AS "by"`,
      );
      return (result?.rows ?? []).map((row) => record<{ title: string; by: string }>(row));
    },

    /** Moves a post to the trash. @returns null if the post is missing or in the trash. */
    async remove(id: string, at: string): Promise<PostRecord | null> {
      return await changed(
        sql`UPDATE posts SET deleted_at = ${at}, revision = revision + 1 WHERE id = ${id} AND deleted_at IS NULL
            RETURNING ${columns}`,
      );
    },

    /**
     * Restores a post from the trash with a slug. A published post becomes public again. A scheduled draft whose
     * publication time has passed is no longer scheduled, so it stays a draft.
     * @returns null if the post is not in the trash, or the slug is in use.
     */
    async restore(id: string, slug: string, at: string): Promise<PostRecord | null> {
      return await changed(
        sql`UPDATE posts SET deleted_at = NULL, slug = ${slug}, revision = revision + 1,
              publish_at = CASE WHEN publish_at > ${at} THEN publish_at END
            WHERE id = ${id} AND deleted_at IS NOT NULL AND NOT ${slugTaken(slug, id)}
            RETURNING ${columns}`,
      );
    },

    /** Returns the slug if it is free, else the first free one of `{slug}-2`, `{slug}-3` and so on. */
    async freeSlug(slug: string): Promise<string> {
      const stem = slug.slice(0, longestStem).replace(/-$/, '');
      // '.' follows '-' in the sort order, so this range has all slugs that begin with the stem and a hyphen, and uses
      // the index.
      const similar = sql`SELECT slug FROM posts
        WHERE deleted_at IS NULL AND (slug = ${slug} OR (slug >= ${`${stem}-`} AND slug < ${`${stem}.`}))`;
      const taken = new Set(await all(database, similar, (row) => text(row.slug)));
      let free = slug;
      for (let number = 2; taken.has(free); number += 1) free = `${stem}-${number}`;
      return free;
    },

    /** Returns a page of the admin's list, without `content` if the query asks for a summary. */
    async list(query: PostListQuery): Promise<Omit<PostPage, 'counts'>> {
      const condition = sql`${listed[query.status]} AND ${foundBy('posts', query.q) ?? sql`TRUE`}`;
      return await pageOfPosts(database, listedPost, condition, query);
    },

    async counts(): Promise<PostPage['counts']> {
      const count = (condition: Statement) => sql`(SELECT count(*) FROM posts WHERE ${condition})`;
      const [row] = await database.read(
        sql`SELECT ${count(sql`status = 'draft' AND deleted_at IS NULL`)} AS draft, ${count(listed.scheduled)} AS scheduled,
              ${count(isPublic)} AS published, ${count(listed.trash)} AS trash`,
      );
      const counts = record<PostPage['counts']>(row!);
      // Scheduled posts also have the status `draft`. They are subtracted here, because the index from which SQLite
      // counts drafts does not contain the scheduled time.
      return { ...counts, draft: counts.draft - counts.scheduled };
    },

    /** Returns all versions of a post, newest first. */
    versions: (id: string) =>
      all<PostVersionSummary>(database, sql`SELECT * FROM ${versionsOf(id)} ORDER BY revision DESC`),

    /** Returns one version of a post, or null. */
    version(id: string, revision: number): Promise<PostVersion | null> {
      const content = sql`, slug, content, nullif(excerpt, '') AS excerpt, nullif(featured_image, '') AS featured_image`;
      return one<PostVersion>(database, sql`SELECT * FROM ${versionsOf(id, content)} WHERE revision = ${revision}`);
    },
  };
}
