import { type Database, sql, text } from '../db/database.ts';

export interface StoredSession {
  readonly id: string;
  readonly email: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly userAgent: string;
}

export function sessionStore(database: Database) {
  return {
    async create(session: StoredSession): Promise<void> {
      const { id, email, createdAt, expiresAt, userAgent } = session;
      await database.write(
        sql(
          'INSERT INTO sessions (id, email, created_at, expires_at, user_agent) VALUES (?, ?, ?, ?, ?)',
          id,
          email,
          createdAt,
          expiresAt,
          userAgent,
        ),
      );
    },

    async get(id: string): Promise<Pick<StoredSession, 'id' | 'email' | 'expiresAt'> | null> {
      const [row] = await database.read(sql('SELECT id, email, expires_at FROM sessions WHERE id = ?', id));
      return row ? { id: text(row.id), email: text(row.email), expiresAt: text(row.expires_at) } : null;
    },

    async remove(id: string): Promise<void> {
      await database.write(sql('DELETE FROM sessions WHERE id = ?', id));
    },

    async removeExpired(now: string): Promise<void> {
      await database.write(sql('DELETE FROM sessions WHERE expires_at < ?', now));
    },
  };
}
