import type { Row } from '@libsql/client/http';
import type { PostVersion, PostVersionSummary } from '../../../src/domain/post-version.ts';
import { type Database, type Statement, sql, text } from '../db/database.ts';

/**
 * The saved versions of posts. The latest version is the post itself. At each save, a trigger stores the text that the
 * save replaces. At most 50 versions remain, including the post itself (see the trigger `posts_versioned`).
 */
export function postVersionStore(database: Database) {
  return {
    /** Returns all versions of a post, newest first. */
    async list(postId: string): Promise<PostVersionSummary[]> {
      const rows = await database.read(statesOf(postId, 'title, status, publish_at'));
      return rows.map(toSummary);
    },

    async get(postId: string, revision: number): Promise<PostVersion | null> {
      const [row] = await database.read(
        statesOf(postId, 'title, status, publish_at, slug, content, excerpt, featured_image', revision),
      );
      if (!row) return null;
      return {
        ...toSummary(row),
        slug: text(row.slug),
        content: text(row.content),
        excerpt: text(row.excerpt) || null,
        featuredImage: text(row.featured_image) || null,
      };
    },
  };
}

function statesOf(postId: string, columns: string, revision: number | null = null): Statement {
  return sql(
    `SELECT revision, updated_at AS saved_at, saved_by, ${columns} FROM posts
       WHERE id = ?1 AND (?2 IS NULL OR revision = ?2)
     UNION ALL
     SELECT revision, saved_at, saved_by, ${columns} FROM post_versions
       WHERE post_id = ?1 AND (?2 IS NULL OR revision = ?2)
     ORDER BY revision DESC`,
    postId,
    revision,
  );
}

function toSummary(row: Row): PostVersionSummary {
  return {
    revision: Number(row.revision),
    savedAt: text(row.saved_at),
    savedBy: text(row.saved_by) || null,
    title: text(row.title),
    status: row.status === 'published' ? 'published' : 'draft',
    publishAt: row.publish_at === null ? null : text(row.publish_at),
  };
}
