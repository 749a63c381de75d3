import { type Database, sql, text } from '../db/database.ts';

/** A person as an OpenID provider knows them: the provider's address, and its own id for the person, which never changes. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Which admin an OpenID provider's person is. */
export function identityStore(database: Database) {
  return {
    /** The admin whose identity this is, or null. */
    async emailOf({ issuer, subject }: Identity): Promise<string | null> {
      const [row] = await database.read(
        sql('SELECT email FROM identities WHERE issuer = ? AND subject = ?', issuer, subject),
      );
      return row ? text(row.email) : null;
    },

    /** Connects an identity with an admin. @returns false where the admin has another one of the same provider. */
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

    /** Disconnects an admin from every provider. @returns how many identities there were. */
    async removeOf(email: string): Promise<number> {
      const [removed] = await database.write(sql('DELETE FROM identities WHERE email = ?', email));
      return removed?.rowsAffected ?? 0;
    },
  };
}
