import type { InvitationRecord } from '../../../src/domain/account/people.ts';
import type { StoredPasskey } from '../auth/store.ts';
import { all, change, type Database, insert, one, sql } from '../db/database.ts';

/** The most invitations, open or expired. */
export const mostInvitations = 20;

/** `invitedBy` is empty for the link after a sign-in with a recovery code. `token` is the hash of the link's token. */
interface StoredSetUpLink extends InvitationRecord {
  readonly token: string;
}

/** What a person chose to sign in with. */
type Credential = { readonly passwordHash: string } | { readonly passkey: StoredPasskey };

/**
 * Links with which a person sets a password or a passkey: an invited person, or an admin who signed in with a recovery
 * code. Each email address has at most one link.
 */
export function setUpLinkStore(database: Database) {
  /**
   * A link works once, until it expires. A link from the future was made while the clock was ahead, and would work for too
   * long. An invitation works while the inviter is an admin, and not for an email address that became an admin.
   */
  const working = (token: string, at: string) =>
    sql`FROM set_up_links WHERE token = ${token} AND expires_at > ${at}
        AND created_at < strftime('%FT%TZ', ${at}, '+1 minute')
        AND iif(invited_by = '', email, invited_by) IN (SELECT email FROM admins)
        AND (invited_by = '' OR email NOT IN (SELECT email FROM admins))`;
  return {
    /** Stores a link in place of an earlier one. @returns false for an invitation if there are too many. */
    async create({ token, email, invitedBy, createdAt, expiresAt }: StoredSetUpLink): Promise<boolean> {
      const created = await change(
        database,
        sql`INSERT OR REPLACE INTO set_up_links (token, email, invited_by, created_at, expires_at)
            SELECT ${token}, ${email}, ${invitedBy}, ${createdAt}, ${expiresAt} WHERE ${invitedBy} = ''
              OR (SELECT count(*) FROM set_up_links WHERE invited_by <> '' AND email <> ${email}) < ${mostInvitations}`,
      );
      return created > 0;
    },

    /** Returns a link that works, or null. */
    get: (token: string, at: string) => one<StoredSetUpLink>(database, sql`SELECT * ${working(token, at)}`),

    /** Returns the invitations, open or expired, newest first. */
    invitations: () =>
      all<InvitationRecord>(
        database,
        sql`SELECT email, invited_by, created_at, expires_at FROM set_up_links
            WHERE invited_by <> '' AND email NOT IN (SELECT email FROM admins) ORDER BY created_at DESC`,
      ),

    /** Deletes the link of an email address. @returns whether there was one. */
    remove: async (email: string): Promise<boolean> =>
      (await change(database, sql`DELETE FROM set_up_links WHERE email = ${email}`)) === 1,

    /**
     * Uses a link: creates an invited admin, adds the password or the passkey, and ends the admin's sessions.
     * @returns false if the link no longer works.
     */
    async use(token: string, credential: Credential, at: string): Promise<boolean> {
      const passwordHash = 'passwordHash' in credential ? credential.passwordHash : '';
      const used = sql`FROM set_up_links WHERE token = ${token} AND expires_at = ''`;
      const changed = await change(
        database,
        sql`UPDATE set_up_links SET expires_at = '' WHERE token IN (SELECT token ${working(token, at)})`,
        sql`INSERT INTO admins (email, password_hash, created_at, updated_at)
            SELECT email, ${passwordHash}, ${at}, ${at} ${used}
            ON CONFLICT (email) DO UPDATE SET updated_at = excluded.updated_at,
              password_hash = coalesce(nullif(excluded.password_hash, ''), password_hash)`,
        ...('passkey' in credential ? [insert('passkeys', credential.passkey, sql`EXISTS (SELECT 1 ${used})`)] : []),
        sql`DELETE FROM sessions WHERE email IN (SELECT email ${used})`,
        sql`DELETE ${used}`,
      );
      return changed === 1;
    },
  };
}

/** Stores the hashes of the codes with which an admin signs in after losing everything else. */
export function recoveryCodeStore(database: Database) {
  return {
    /** Replaces all codes of an admin. */
    async replace(email: string, hashes: readonly string[]): Promise<void> {
      await database.write(
        sql`DELETE FROM recovery_codes WHERE email = ${email}`,
        ...hashes.map((code) => insert('recovery_codes', { code, email })),
      );
    },

    /** Deletes a code. @returns whether the admin had this code. */
    use: async (email: string, hash: string): Promise<boolean> =>
      (await change(database, sql`DELETE FROM recovery_codes WHERE email = ${email} AND code = ${hash}`)) === 1,
  };
}
