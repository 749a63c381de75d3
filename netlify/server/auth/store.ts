import type { PasskeyRecord } from '../../../src/domain/account/account.ts';
import type { AdminRecord } from '../../../src/domain/account/people.ts';
import { all, change, type Database, insert, one, record, rawSql, sql, type Statement, text } from '../db/database.ts';

export interface Admin {
  readonly email: string;
  /** Null if the admin signs in only through the OpenID provider. */
  readonly passwordHash: string | null;
}

interface Added {
  readonly email: string;
  readonly passwordHash: string;
}

export function adminStore(database: Database) {
  // The column allows no NULL. An empty hash means no password.
  const withPassword = sql`password_hash <> ''`;
  /** A company account does not count, because the OpenID provider may be unreachable. */
  const canSignIn = sql`(${withPassword} OR admins.email IN (SELECT email FROM passkeys))`;
  const row = (admin: Added, at: string, condition?: Statement) =>
    insert('admins', { ...admin, createdAt: at, updatedAt: at }, condition);
  const add = (admin: Added, at: string) => change(database, sql`${row(admin, at)} ON CONFLICT (email) DO NOTHING`);
  const get = (email: string) =>
    one<Admin>(
      database,
      sql`SELECT email, nullif(password_hash, '') AS password_hash FROM admins WHERE email = ${email}`,
    );

  return {
    get,

    /**
     * Creates an admin with a password, unless an admin has a password or a passkey. Other admins sign in only through
     * the OpenID provider, and could not sign in while the provider is unreachable.
     * @returns whether this call created the admin.
     */
    async createFirst(admin: Added, at: string): Promise<boolean> {
      const created = await change(
        database,
        sql`${row(admin, at, sql`NOT EXISTS (SELECT 1 FROM admins WHERE ${canSignIn})`)}
            ON CONFLICT (email) DO UPDATE SET password_hash = excluded.password_hash, updated_at = excluded.updated_at`,
      );
      return created === 1;
    },

    /** Creates an admin. @returns false if the email address already belongs to an admin. */
    create: async (admin: Added, at: string): Promise<boolean> => (await add(admin, at)) === 1,

    /**
     * Creates an admin without a password, unless the email address already belongs to an admin.
     * @returns the email address as it is stored.
     */
    async ensure(email: string, at: string): Promise<string> {
      await add({ email, passwordHash: '' }, at);
      return (await get(email))?.email ?? email;
    },

    /** Sets a password, and deletes the admin's set-up link, because a thief may have it. */
    async setPassword(email: string, passwordHash: string, at: string): Promise<void> {
      await database.write(
        sql`UPDATE admins SET password_hash = ${passwordHash}, updated_at = ${at} WHERE email = ${email}`,
        sql`DELETE FROM set_up_links WHERE email = ${email}`,
      );
    },

    /**
     * Replaces the hash of a password with a new hash of the same password. Does nothing if the stored hash is not
     * `former`, because then the password has been changed.
     */
    async rehash(email: string, former: string, passwordHash: string): Promise<void> {
      await database.write(
        sql`UPDATE admins SET password_hash = ${passwordHash} WHERE email = ${email} AND password_hash = ${former}`,
      );
    },

    /**
     * Deletes an admin with their sessions, passkeys, recovery codes, provider identities, share links, invitations and
     * unsaved changes. Does nothing if no other admin has a password or a passkey.
     * @returns whether this call deleted the admin.
     */
    async remove(email: string): Promise<boolean> {
      const removed = await change(
        database,
        sql`DELETE FROM admins WHERE email = ${email}
            AND EXISTS (SELECT 1 FROM admins WHERE email <> ${email} AND ${canSignIn})`,
        // A libSQL server may have foreign keys turned off, so these statements do not rely on ON DELETE CASCADE.
        ...['sessions', 'passkeys', 'recovery_codes', 'identities', 'share_links', 'unsaved'].map(
          (table) => sql`DELETE FROM ${rawSql(table)} WHERE email NOT IN (SELECT email FROM admins)`,
        ),
        // The link after a sign-in with a recovery code has no inviter.
        sql`DELETE FROM set_up_links WHERE iif(invited_by = '', email, invited_by) NOT IN (SELECT email FROM admins)`,
      );
      return removed === 1;
    },

    /** Returns all admins, oldest first. */
    list(): Promise<AdminRecord[]> {
      const countIn = (table: string) =>
        sql`(SELECT count(*) FROM ${rawSql(table)} AS own WHERE own.email = admins.email)`;
      return all(
        database,
        sql`SELECT email, ${withPassword} AS has_password, created_at, signed_in_at, ${countIn('passkeys')} AS passkeys,
              ${countIn('identities')} > 0 AS company_account, ${countIn('recovery_codes')} AS recovery_codes
            FROM admins ORDER BY created_at`,
        (row) => {
          const admin = record<AdminRecord>(row);
          return { ...admin, hasPassword: Boolean(admin.hasPassword), companyAccount: Boolean(admin.companyAccount) };
        },
      );
    },

    /** Returns the email address of the oldest admin with a password or a passkey, or null. */
    async first(): Promise<string | null> {
      return (await this.list()).find(({ hasPassword, passkeys }) => hasPassword || passkeys > 0)?.email ?? null;
    },
  };
}

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
    /** Stores a session that begins, and when its admin signed in. */
    create: (session: StoredSession) =>
      database.write(
        insert('sessions', session),
        sql`UPDATE admins SET signed_in_at = ${session.createdAt} WHERE email = ${session.email}`,
      ),

    get: (id: string) => one<StoredSession>(database, sql`SELECT * FROM sessions WHERE id = ${id}`),

    /** Returns an admin's sessions, the most recently used first. */
    listOf: (email: string) =>
      all<StoredSession>(
        database,
        sql`SELECT * FROM sessions WHERE email = ${email} ORDER BY seen_at DESC, created_at DESC`,
      ),

    /** Records a use of the session. */
    async touch(id: string, at: string): Promise<void> {
      await database.write(sql`UPDATE sessions SET seen_at = ${at} WHERE id = ${id}`);
    },

    async remove(id: string): Promise<void> {
      await database.write(sql`DELETE FROM sessions WHERE id = ${id}`);
    },

    /** Ends all sessions of an admin except one. @returns how many sessions were ended. */
    removeOthers: (email: string, keptId: string | null) =>
      change(database, sql`DELETE FROM sessions WHERE email = ${email} AND id <> ${keptId ?? ''}`),
  };
}

export interface StoredPasskey {
  /** The credential id that the authenticator created; base64url. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** The public key in COSE format; base64url. */
  readonly publicKey: string;
  /** The authenticator's signature counter; 0 if it has none. */
  readonly counter: number;
  readonly createdAt: string;
}

export function passkeyStore(database: Database) {
  return {
    create: (passkey: StoredPasskey) => database.write(insert('passkeys', passkey)),

    get: (id: string) => one<StoredPasskey>(database, sql`SELECT * FROM passkeys WHERE id = ${id}`),

    /** Returns an admin's passkeys, oldest first. */
    listOf: (email: string) =>
      all<PasskeyRecord>(
        database,
        sql`SELECT id, name, created_at, used_at FROM passkeys WHERE email = ${email} ORDER BY created_at`,
      ),

    async used(id: string, counter: number, at: string): Promise<void> {
      await database.write(sql`UPDATE passkeys SET counter = ${counter}, used_at = ${at} WHERE id = ${id}`);
    },

    /**
     * Removes a passkey, unless no admin could sign in without it.
     * @param openId whether admins with a company account can sign in.
     */
    remove: async (id: string, openId: boolean): Promise<boolean> =>
      (await change(
        database,
        sql`DELETE FROM passkeys WHERE id = ${id} AND (EXISTS (SELECT 1 FROM passkeys WHERE id <> ${id})
              OR EXISTS (SELECT 1 FROM admins WHERE password_hash <> '')
              OR (${Number(openId)} AND EXISTS (SELECT 1 FROM identities)))`,
      )) === 1,

    /** Removes all passkeys of an admin. @returns how many were removed. */
    removeOf: (email: string) => change(database, sql`DELETE FROM passkeys WHERE email = ${email}`),
  };
}

/** A person at an OpenID provider: the provider's URL (`issuer`) and the person's permanent id there (`subject`). */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Stores which identity at an OpenID provider belongs to which admin. */
export function identityStore(database: Database) {
  return {
    /** Returns the email address of the admin with this identity, or null. */
    emailOf: ({ issuer, subject }: Identity) =>
      one(database, sql`SELECT email FROM identities WHERE issuer = ${issuer} AND subject = ${subject}`, (row) =>
        text(row.email),
      ),

    /**
     * Connects an identity with an admin.
     * @returns false if the identity is in use, or if the admin already has an identity at this provider.
     */
    async create(identity: Identity, email: string, at: string): Promise<boolean> {
      const row = insert('identities', { ...identity, email, createdAt: at });
      return (await change(database, sql`${row} ON CONFLICT DO NOTHING`)) === 1;
    },

    /** Removes all identities of an admin. */
    async removeOf(email: string): Promise<void> {
      await database.write(sql`DELETE FROM identities WHERE email = ${email}`);
    },
  };
}

export interface SignInTries {
  /** The tries in the current window, including the one that was just counted. */
  readonly count: number;
  /** When the window ends, and the count starts again; ISO 8601, UTC. */
  readonly endsAt: string;
}

/** Counts tries to sign in: one counter for each key, in a window that starts with the first try. */
export function signInTryStore(database: Database) {
  return {
    /**
     * Counts a try in one statement, so simultaneous tries and other instances get other counts.
     * @param windowMs the length of a window that starts now.
     */
    async count(key: string, windowMs: number, now: Date): Promise<SignInTries> {
      const endsAt = new Date(now.getTime() + windowMs).toISOString();
      // A window that ends too late was started by a clock that was ahead.
      const goesOn = sql`ends_at > ${now.toISOString()} AND ends_at <= excluded.ends_at`;
      const [counted] = await database.write(
        sql`INSERT INTO sign_in_tries (key, count, ends_at) VALUES (${key}, 1, ${endsAt})
            ON CONFLICT (key) DO UPDATE SET
              count = CASE WHEN ${goesOn} THEN count + 1 ELSE 1 END,
              ends_at = CASE WHEN ${goesOn} THEN ends_at ELSE excluded.ends_at END
            RETURNING count, ends_at`,
      );
      return record<SignInTries>(counted!.rows[0]!);
    },

    /** Undoes a count of a try that was refused. */
    async takeBack(key: string): Promise<void> {
      await database.write(sql`UPDATE sign_in_tries SET count = count - 1 WHERE key = ${key}`);
    },

    /** Deletes the counts of these keys; by default all counts. */
    async forget(keys?: readonly string[]): Promise<void> {
      const which = keys && sql`WHERE key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
      await database.write(sql`DELETE FROM sign_in_tries ${which ?? sql``}`);
    },
  };
}
