import type { Row } from '@libsql/client/http';
import type { PostVersion, PostVersionSummary } from '../../../src/domain/post.ts';
import { type Database, record, sql } from '../db/database.ts';

/**
 * The saved versions of posts. The latest version is the post itself. At each save, a trigger stores the text that the
 * save replaces. At most 50 versions remain, including the post itself (see the trigger `posts_versioned`).
 */
export function postVersionStore(database: Database) {
  return {
    /** Returns all versions of a post, newest first. */
    async list(postId: string): Promise<PostVersionSummary[]> {
      const columns = sql`revision, saved_by, title, status, publish_at`;
      const rows = await database.read(
        sql`SELECT updated_at AS saved_at, ${columns} FROM posts WHERE id = ${postId}
            UNION ALL SELECT saved_at, ${columns} FROM post_versions WHERE post_id = ${postId}
            ORDER BY revision DESC`,
      );
      return rows.map((row) => toVersion<PostVersionSummary>(row));
    },

    async get(postId: string, revision: number): Promise<PostVersion | null> {
      const columns = sql`revision, saved_by, title, status, publish_at, slug, content, excerpt, featured_image`;
      const [row] = await database.read(
        sql`SELECT updated_at AS saved_at, ${columns} FROM posts WHERE id = ${postId} AND revision = ${revision}
            UNION ALL
            SELECT saved_at, ${columns} FROM post_versions WHERE post_id = ${postId} AND revision = ${revision}`,
      );
      if (!row) return null;
      const version = toVersion<PostVersion>(row);
      return { ...version, excerpt: version.excerpt || null, featuredImage: version.featuredImage || null };
    },
  };
}

function toVersion<Version extends PostVersionSummary>(row: Row): Version {
  const version = record<Version>(row);
  return { ...version, savedBy: version.savedBy || null };
}
