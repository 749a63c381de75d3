import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, sql } from '../db/database.ts';

export interface AnonymousBytes {
  /** The id of the upload or application. */
  readonly id: string;
  readonly kind: 'upload' | 'resume';
  /** A keyed hash of the visitor's network. */
  readonly network: string;
  readonly bytes: number;
  /** When the bytes stop counting; ISO 8601, UTC. */
  readonly expiresAt: string;
}

/** The limits in bytes: for one network (`each`), and for all networks together (`all`). */
export interface ByteQuota {
  readonly each: number;
  readonly all: number;
}

/** Counts the bytes that visitors upload without signing in. Instances share the counts, which survive a restart. */
export function anonymousByteStore(database: Database) {
  return {
    /** Adds bytes to the counts, once for each id. @returns false if that would exceed a quota. */
    async take(
      { id, kind, network, bytes, expiresAt }: AnonymousBytes,
      quota: ByteQuota,
      now: string,
    ): Promise<boolean> {
      const sum = (where: string) =>
        `(SELECT coalesce(sum(bytes), 0) FROM anonymous_bytes WHERE kind = ?2 AND expires_at > ?6 ${where})`;
      const [, counted] = await database.write(
        sql(
          `INSERT INTO anonymous_bytes (id, kind, network, bytes, expires_at) SELECT ?1, ?2, ?3, ?4, ?5
           WHERE ${sum('AND network = ?3')} + ?4 <= ?7 AND ${sum('')} + ?4 <= ?8 ON CONFLICT (id) DO NOTHING`,
          ...[id, kind, network, bytes, expiresAt, now, quota.each, quota.all],
        ),
        sql('SELECT 1 FROM anonymous_bytes WHERE id = ?', id),
      );
      return counted?.rows.length === 1;
    },

    async removeExpired(now: string): Promise<void> {
      await database.write(deleteSome('anonymous_bytes', 'expires_at <= ?', now));
    },
  };
}
