import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, record, sql } from '../db/database.ts';

export interface StoredSession {
  readonly id: string;
  readonly email: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** When the session was last used, with a precision of an hour. */
  readonly seenAt: string;
  readonly userAgent: string;
  /** When the admin signed in with a password, a passkey or a company account; empty if unknown. */
  readonly freshAt: string;
}

export function sessionStore(database: Database) {
  return {
    async create(session: StoredSession): Promise<void> {
      const { id, email, createdAt, expiresAt, seenAt, userAgent, freshAt } = session;
      await database.write(
        sql`INSERT INTO sessions (id, email, created_at, expires_at, seen_at, user_agent, fresh_at)
            VALUES (${id}, ${email}, ${createdAt}, ${expiresAt}, ${seenAt}, ${userAgent}, ${freshAt})`,
      );
    },

    async get(id: string): Promise<StoredSession | null> {
      const [row] = await database.read(sql`SELECT * FROM sessions WHERE id = ${id}`);
      return row ? record<StoredSession>(row) : null;
    },

    /** Returns an admin's sessions, the most recently used first. */
    async listOf(email: string): Promise<StoredSession[]> {
      const rows = await database.read(
        sql`SELECT * FROM sessions WHERE email = ${email} ORDER BY seen_at DESC, created_at DESC`,
      );
      return rows.map((row) => record<StoredSession>(row));
    },

    /** Records a use of the session. */
    async touch(id: string, at: string): Promise<void> {
      await database.write(sql`UPDATE sessions SET seen_at = ${at} WHERE id = ${id}`);
    },

    async remove(id: string): Promise<void> {
      await database.write(sql`DELETE FROM sessions WHERE id = ${id}`);
    },

    /** Ends all sessions of an admin except one. @returns how many sessions were ended. */
    async removeOthers(email: string, keptId: string | null): Promise<number> {
      const [removed] = await database.write(
        sql`DELETE FROM sessions WHERE email = ${email} AND id <> ${keptId ?? ''}`,
      );
      return removed?.rowsAffected ?? 0;
    },

    async removeExpired(now: string, unusedSince: string): Promise<void> {
      await database.write(deleteSome('sessions', 'expires_at < ? OR seen_at < ?', now, unusedSince));
    },
  };
}
