import type { Row } from '@libsql/client/http';
import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, sql, text } from '../db/database.ts';

export interface StoredPasskey {
  /** The credential id that the authenticator created; base64url. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** The public key in COSE format; base64url. */
  readonly publicKey: string;
  /** The authenticator's signature counter; 0 if it has none. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: string;
  readonly usedAt: string | null;
}

/**
 * Maximum number of open challenges. A challenge is valid for five minutes. Even 30 requests a second create only 9,000
 * challenges in that time.
 */
const mostChallenges = 10_000;

/** Passkeys, and the challenges that are not signed yet. */
export function passkeyStore(database: Database) {
  return {
    async create(passkey: Omit<StoredPasskey, 'usedAt'>): Promise<void> {
      const { id, email, name, publicKey, counter, transports, createdAt } = passkey;
      await database.write(
        sql(
          `INSERT INTO passkeys (id, email, name, public_key, counter, transports, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
          id,
          email,
          name,
          publicKey,
          counter,
          JSON.stringify(transports),
          createdAt,
        ),
      );
    },

    async get(id: string): Promise<StoredPasskey | null> {
      const [row] = await database.read(sql('SELECT * FROM passkeys WHERE id = ?', id));
      return row ? toPasskey(row) : null;
    },

    /** Returns an admin's passkeys, oldest first. */
    async listOf(email: string): Promise<StoredPasskey[]> {
      const rows = await database.read(sql('SELECT * FROM passkeys WHERE email = ? ORDER BY created_at', email));
      return rows.map(toPasskey);
    },

    async used(id: string, counter: number, at: string): Promise<void> {
      await database.write(sql('UPDATE passkeys SET counter = ?, used_at = ? WHERE id = ?', counter, at, id));
    },

    /** @returns false if the admin has no such passkey. */
    async remove(id: string, email: string): Promise<boolean> {
      const [removed] = await database.write(sql('DELETE FROM passkeys WHERE id = ? AND email = ?', id, email));
      return removed?.rowsAffected === 1;
    },

    /** @returns how many passkeys were deleted. */
    async removeAll(email: string): Promise<number> {
      const [removed] = await database.write(sql('DELETE FROM passkeys WHERE email = ?', email));
      return removed?.rowsAffected ?? 0;
    },

    /**
     * Stores a challenge, and removes the oldest ones beyond 10,000, because anyone may request one.
     * @param email the admin who registers a passkey; null for signing in.
     */
    async openChallenge(challenge: string, email: string | null, expiresAt: string): Promise<void> {
      await database.write(
        sql(
          'INSERT INTO passkey_challenges (challenge, email, expires_at) VALUES (?, ?, ?)',
          challenge,
          email,
          expiresAt,
        ),
        sql(
          'DELETE FROM passkey_challenges WHERE rowid <= (SELECT max(rowid) FROM passkey_challenges) - ?',
          mostChallenges,
        ),
      );
    },

    /** Deletes a challenge, so it can be used only once. @returns whether the challenge existed and was valid. */
    async takeChallenge(challenge: string, email: string | null, now: string): Promise<boolean> {
      const [removed] = await database.write(
        sql(
          'DELETE FROM passkey_challenges WHERE challenge = ? AND email IS ? AND expires_at > ?',
          challenge,
          email,
          now,
        ),
      );
      return removed?.rowsAffected === 1;
    },

    async removeExpiredChallenges(now: string): Promise<void> {
      await database.write(deleteSome('passkey_challenges', 'expires_at <= ?', now));
    },
  };
}

function toPasskey(row: Row): StoredPasskey {
  return {
    id: text(row.id),
    email: text(row.email),
    name: text(row.name),
    publicKey: text(row.public_key),
    counter: Number(row.counter),
    transports: JSON.parse(text(row.transports)) as string[],
    createdAt: text(row.created_at),
    usedAt: row.used_at === null ? null : text(row.used_at),
  };
}
