import type { Row } from '@libsql/client/http';
import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, sql, text } from '../db/database.ts';

/** The most active links of one draft. */
const mostActive = 20;

export interface StoredShareLink {
  readonly id: string;
  /** The email address of the draft's admin. With `key`, it identifies the draft. */
  readonly email: string;
  /** The key of the draft, which is the id of a saved post. */
  readonly key: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Links that show a draft, and later the saved post, to people who are not signed in. */
export function shareLinkStore(database: Database) {
  return {
    /** @returns false if the draft has too many active links. */
    async create({ id, email, key, createdAt, expiresAt }: StoredShareLink): Promise<boolean> {
      const [inserted] = await database.write(
        sql(
          `INSERT INTO share_links (id, email, key, created_at, expires_at)
           SELECT ?1, ?2, ?3, ?4, ?5
           WHERE (SELECT count(*) FROM share_links WHERE email = ?2 AND key = ?3 AND expires_at > ?4) < ?6`,
          id,
          email,
          key,
          createdAt,
          expiresAt,
          mostActive,
        ),
      );
      return inserted?.rowsAffected === 1;
    },

    /** Returns a link, or null if it was revoked or has expired. */
    async get(id: string, now: string): Promise<StoredShareLink | null> {
      const [row] = await database.read(sql('SELECT * FROM share_links WHERE id = ? AND expires_at > ?', id, now));
      return row ? toShareLink(row) : null;
    },

    /** Returns the active links of a draft, newest first. */
    async listOf(email: string, key: string, now: string): Promise<StoredShareLink[]> {
      const rows = await database.read(
        sql(
          'SELECT * FROM share_links WHERE email = ? AND key = ? AND expires_at > ? ORDER BY created_at DESC, id',
          email,
          key,
          now,
        ),
      );
      return rows.map(toShareLink);
    },

    /** Revokes a link. @returns false if the admin has no such link. */
    async remove(id: string, email: string, key: string): Promise<boolean> {
      const [removed] = await database.write(
        sql('DELETE FROM share_links WHERE id = ? AND email = ? AND key = ?', id, email, key),
      );
      return removed?.rowsAffected === 1;
    },

    /** Moves the links of a new post's draft to the post, which was saved for the first time. */
    async moveToPost(email: string, key: string, postId: string): Promise<void> {
      await database.write(sql('UPDATE share_links SET key = ? WHERE email = ? AND key = ?', postId, email, key));
    },

    async removeExpired(now: string): Promise<void> {
      await database.write(deleteSome('share_links', 'expires_at <= ?', now));
    },
  };
}

function toShareLink(row: Row): StoredShareLink {
  return {
    id: text(row.id),
    email: text(row.email),
    key: text(row.key),
    createdAt: text(row.created_at),
    expiresAt: text(row.expires_at),
  };
}
