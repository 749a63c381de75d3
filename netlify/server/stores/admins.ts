import { type Database, sql, text } from '../db/database.ts';

export interface Admin {
  readonly email: string;
  /** Null where the admin signs in through the OpenID provider alone. */
  readonly passwordHash: string | null;
}

// The column takes no NULL; no hash is empty.
const noPassword = '';

export function adminStore(database: Database) {
  return {
    async get(email: string): Promise<Admin | null> {
      const [row] = await database.read(sql('SELECT email, password_hash FROM admins WHERE email = ?', email));
      return row ? { email: text(row.email), passwordHash: text(row.password_hash) || null } : null;
    },

    /**
     * Creates the admin who signs in by password, unless there is one already. Admins from the OpenID provider
     * do not count: without a password nobody could sign in while the provider is away.
     * @returns whether this call created it.
     */
    async createFirst(admin: { email: string; passwordHash: string }, at: string): Promise<boolean> {
      const [inserted] = await database.write(
        sql(
          `INSERT INTO admins (email, password_hash, created_at, updated_at)
           SELECT ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM admins WHERE password_hash <> ?)
           ON CONFLICT (email) DO UPDATE SET password_hash = excluded.password_hash, updated_at = excluded.updated_at`,
          admin.email,
          admin.passwordHash,
          at,
          at,
          noPassword,
        ),
      );
      return inserted?.rowsAffected === 1;
    },

    /** Creates an admin without a password unless the address has one. @returns the address as it is stored. */
    async ensure(email: string, at: string): Promise<string> {
      await database.write(
        sql(
          `INSERT INTO admins (email, password_hash, created_at, updated_at) VALUES (?, ?, ?, ?)
           ON CONFLICT (email) DO NOTHING`,
          email,
          noPassword,
          at,
          at,
        ),
      );
      const [row] = await database.read(sql('SELECT email FROM admins WHERE email = ?', email));
      return row ? text(row.email) : email;
    },

    /** @returns false where there is no such admin. */
    async setPassword(email: string, passwordHash: string, at: string): Promise<boolean> {
      const [updated] = await database.write(
        sql('UPDATE admins SET password_hash = ?, updated_at = ? WHERE email = ?', passwordHash, at, email),
      );
      return updated?.rowsAffected === 1;
    },

    /** Replaces the hash of a password by another hash of the same one, unless the password was changed meanwhile. */
    async rehash(email: string, former: string, passwordHash: string): Promise<void> {
      await database.write(
        sql('UPDATE admins SET password_hash = ? WHERE email = ? AND password_hash = ?', passwordHash, email, former),
      );
    },

    /** @returns false where the address belongs to an admin already. */
    async create(admin: { email: string; passwordHash: string }, at: string): Promise<boolean> {
      const [inserted] = await database.write(
        sql(
          `INSERT INTO admins (email, password_hash, created_at, updated_at) VALUES (?, ?, ?, ?)
           ON CONFLICT (email) DO NOTHING`,
          admin.email,
          admin.passwordHash,
          at,
          at,
        ),
      );
      return inserted?.rowsAffected === 1;
    },

    /**
     * Removes an admin with their sessions, passkeys, known browsers and provider identities, unless no other admin could then sign in by password.
     * @returns whether this call removed one.
     */
    async remove(email: string): Promise<boolean> {
      const [removed] = await database.write(
        sql(
          'DELETE FROM admins WHERE email = ?1 AND EXISTS (SELECT 1 FROM admins WHERE email <> ?1 AND password_hash <> ?2)',
          email,
          noPassword,
        ),
        // A libSQL server may have been told not to follow foreign keys.
        sql('DELETE FROM sessions WHERE email NOT IN (SELECT email FROM admins)'),
        sql('DELETE FROM passkeys WHERE email NOT IN (SELECT email FROM admins)'),
        sql('DELETE FROM known_devices WHERE email NOT IN (SELECT email FROM admins)'),
        sql('DELETE FROM identities WHERE email NOT IN (SELECT email FROM admins)'),
      );
      return removed?.rowsAffected === 1;
    },

    /** Every admin, oldest first. */
    async list(): Promise<{ email: string; hasPassword: boolean; createdAt: string }[]> {
      const rows = await database.read(
        sql('SELECT email, password_hash <> ? AS has_password, created_at FROM admins ORDER BY created_at', noPassword),
      );
      return rows.map((row) => ({
        email: text(row.email),
        hasPassword: row.has_password === 1,
        createdAt: text(row.created_at),
      }));
    },

    /** The first admin who has a password, for the host's words at start. */
    async first(): Promise<string | null> {
      const [row] = await database.read(
        sql('SELECT email FROM admins WHERE password_hash <> ? ORDER BY created_at LIMIT 1', noPassword),
      );
      return row ? text(row.email) : null;
    },
  };
}
