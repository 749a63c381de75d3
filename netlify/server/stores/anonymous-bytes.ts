import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, sql } from '../db/database.ts';

export interface AnonymousBytes {
  /** Of what they are: an upload, a draft, an application. */
  readonly id: string;
  readonly kind: 'upload' | 'draft' | 'resume';
  /** A name for the visitor's network from which nobody can tell the network. */
  readonly network: string;
  readonly bytes: number;
  /** ISO 8601, UTC: until when they count. */
  readonly expiresAt: string;
}

/** The most that counts at one time, in bytes. */
export interface ByteQuota {
  readonly each: number;
  readonly all: number;
}

/** What visitors left without signing in, counted over all instances and restarts. */
export function anonymousByteStore(database: Database) {
  return {
    /** Counts bytes. What counts already is not counted twice. @returns false where a quota is used up. */
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
