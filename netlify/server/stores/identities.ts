import { type Database, sql, text } from '../db/database.ts';

/** A person at an OpenID provider: the provider's URL (`issuer`) and the person's permanent id there (`subject`). */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Stores which identity at an OpenID provider belongs to which admin. */
export function identityStore(database: Database) {
  return {
    /** Returns the email address of the admin with this identity, or null. */
    async emailOf({ issuer, subject }: Identity): Promise<string | null> {
      const [row] = await database.read(
        sql('SELECT email FROM identities WHERE issuer = ? AND subject = ?', issuer, subject),
      );
      return row ? text(row.email) : null;
    },

    /**
     * Connects an identity with an admin.
     * @returns false if the identity is in use, or if the admin already has an identity at this provider.
     */
    async create({ issuer, subject }: Identity, email: string, at: string): Promise<boolean> {
      const [inserted] = await database.write(
        sql(
          'INSERT INTO identities (issuer, subject, email, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
          issuer,
          subject,
          email,
          at,
        ),
      );
      return inserted?.rowsAffected === 1;
    },

    /** Removes all identities of an admin. @returns how many were removed. */
    async removeOf(email: string): Promise<number> {
      const [removed] = await database.write(sql('DELETE FROM identities WHERE email = ?', email));
      return removed?.rowsAffected ?? 0;
    },
  };
}
