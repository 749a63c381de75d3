import { type Database, record, sql } from '../db/database.ts';

/** The most active links of one post. */
const mostActive = 20;

/** A post, saved or not, and the admin whose unsaved changes a link shows. */
export interface Shared {
  readonly email: string;
  /** The id of the post, or of the unsaved changes while the post is new. */
  readonly key: string;
}

export interface StoredShareLink extends Shared {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Links that show a draft, and later the saved post, to people who are not signed in. */
export function shareLinkStore(database: Database) {
  return {
    /** @returns false if the post has too many active links. */
    async create({ id, email, key, createdAt, expiresAt }: StoredShareLink): Promise<boolean> {
      const [inserted] = await database.write(
        sql`INSERT INTO share_links (id, email, key, created_at, expires_at)
            SELECT ${id}, ${email}, ${key}, ${createdAt}, ${expiresAt}
            WHERE (SELECT count(*) FROM share_links
                   WHERE email = ${email} AND key = ${key} AND expires_at > ${createdAt}) < ${mostActive}`,
      );
      return inserted?.rowsAffected === 1;
    },

    /** Returns a link, or null if it was revoked or has expired. */
    async get(id: string, now: string): Promise<StoredShareLink | null> {
      const [row] = await database.read(sql`SELECT * FROM share_links WHERE id = ${id} AND expires_at > ${now}`);
      return row ? record<StoredShareLink>(row) : null;
    },

    /** Returns the active links, newest first. */
    async listOf({ email, key }: Shared, now: string): Promise<StoredShareLink[]> {
      const rows = await database.read(
        sql`SELECT * FROM share_links WHERE email = ${email} AND key = ${key} AND expires_at > ${now}
            ORDER BY created_at DESC, id`,
      );
      return rows.map((row) => record<StoredShareLink>(row));
    },

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
