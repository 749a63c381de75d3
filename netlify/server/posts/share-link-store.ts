import { randomUUID } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import type { ShareLink } from '../../../src/domain/post.ts';
import { keptDays } from '../../../src/domain/retention.ts';
import { type Database, all, one, record, sql } from '../db/database.ts';

/** The most active links of one post. */
const mostActive = 20;

/** A post, saved or not, and the admin whose unsaved changes a link shows. */
interface Shared {
  readonly email: string;
  /** The id of the post, or of the unsaved changes while the post is new. */
  readonly key: string;
}

export type StoredShareLink = Shared & Omit<ShareLink, 'path'>;

/** Links that show a draft, and later the saved post, to people who are not signed in. */
export function shareLinkStore(database: Database) {
  return {
    /** Creates a link. @returns null if the post has too many active links. */
    async create({ email, key }: Shared, now: Date): Promise<StoredShareLink | null> {
      const at = now.toISOString();
      const expiresAt = new Date(now.getTime() + keptDays.shareLink * millisecondsInDay).toISOString();
      const [inserted] = await database.write(
        sql`INSERT INTO share_links (id, email, key, created_at, expires_at)
            SELECT ${randomUUID()}, ${email}, ${key}, ${at}, ${expiresAt}
            WHERE (SELECT count(*) FROM share_links
                   WHERE email = ${email} AND key = ${key} AND expires_at > ${at}) < ${mostActive}
            RETURNING *`,
      );
      const row = inserted?.rows[0];
      return row ? record<StoredShareLink>(row) : null;
    },

    /** Returns a link, or null if it was revoked or has expired. */
    get: (id: string, now: string) =>
      one<StoredShareLink>(database, sql`SELECT * FROM share_links WHERE id = ${id} AND expires_at > ${now}`),

    /** Returns the active links that an admin created for a post, newest first. */
    listOf: ({ email, key }: Shared, now: string) =>
      all<StoredShareLink>(
        database,
        sql`SELECT * FROM share_links WHERE email = ${email} AND key = ${key} AND expires_at > ${now}
            ORDER BY created_at DESC, id`,
      ),

    /** Revokes a link. @returns false if the admin has no such link. */
    async remove(id: string, { email, key }: Shared): Promise<boolean> {
      const [removed] = await database.write(
        sql`DELETE FROM share_links WHERE id = ${id} AND email = ${email} AND key = ${key}`,
      );
      return removed?.rowsAffected === 1;
    },

    /** Moves the links of a new post's draft to the post, which was saved for the first time. */
    async moveToPost({ email, key }: Shared, postId: string): Promise<void> {
      await database.write(sql`UPDATE share_links SET key = ${postId} WHERE email = ${email} AND key = ${key}`);
    },
  };
}
