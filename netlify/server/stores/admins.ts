import { type Database, sql, text } from '../db/database.ts';

export interface Admin {
  readonly email: string;
  /** Null if the admin signs in only through the OpenID provider. */
  readonly passwordHash: string | null;
}

// The column allows no NULL. An empty hash means no password.
const noPassword = '';

export function adminStore(database: Database) {
  return {
    async get(email: string): Promise<Admin | null> {
      const [row] = await database.read(sql('SELECT email, password_hash FROM admins WHERE email = ?', email));
      return row ? { email: text(row.email), passwordHash: text(row.password_hash) || null } : null;
    },

    /**
     * Creates an admin with a password, unless an admin already has one. Admins who sign in only through the OpenID
     * provider have no password and could not sign in while the provider is unreachable.
     * @returns whether this call created the admin.
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

    /**
     * Creates an admin without a password, unless the email address already belongs to an admin.
     * @returns the email address as it is stored.
     */
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

    /** @returns false if there is no such admin. */
    async setPassword(email: string, passwordHash: string, at: string): Promise<boolean> {
      const [updated] = await database.write(
        sql('UPDATE admins SET password_hash = ?, updated_at = ? WHERE email = ?', passwordHash, at, email),
      );
      return updated?.rowsAffected === 1;
    },

    /**
     * Replaces the hash of a password with a new hash of the same password. Does nothing if the stored hash is not
     * `former`, because then the password has been changed.
     */
    async rehash(email: string, former: string, passwordHash: string): Promise<void> {
      await database.write(
        sql('UPDATE admins SET password_hash = ? WHERE email = ? AND password_hash = ?', passwordHash, email, former),
      );
    },

    /** Creates an admin with a password. @returns false if the email address already belongs to an admin. */
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
     * Deletes an admin with their sessions, passkeys, provider identities and share links. Keeps their
     * unsaved changes. Does nothing if no other admin has a password.
     * @returns whether this call deleted the admin.
     */
    async remove(email: string): Promise<boolean> {
      const [removed] = await database.write(
        sql(
          'DELETE FROM admins WHERE email = ?1 AND EXISTS (SELECT 1 FROM admins WHERE email <> ?1 AND password_hash <> ?2)',
          email,
          noPassword,
        ),
        // A libSQL server may have foreign keys turned off, so these statements do not rely on ON DELETE CASCADE.
        sql('DELETE FROM sessions WHERE email NOT IN (SELECT email FROM admins)'),
        sql('DELETE FROM passkeys WHERE email NOT IN (SELECT email FROM admins)'),
        sql('DELETE FROM identities WHERE email NOT IN (SELECT email FROM admins)'),
        sql('DELETE FROM share_links WHERE email NOT IN (SELECT email FROM admins)'),
      );
      return removed?.rowsAffected === 1;
    },

    /** Returns all admins, oldest first. */
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

    /** Returns the email address of the oldest admin with a password, or null. */
    async first(): Promise<string | null> {
      const [row] = await database.read(
        sql('SELECT email FROM admins WHERE password_hash <> ? ORDER BY created_at LIMIT 1', noPassword),
      );
      return row ? text(row.email) : null;
    },
  };
}
