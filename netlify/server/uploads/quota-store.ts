import { type Database, sql } from '../db/database.ts';

export interface AnonymousBytes {
  /** The id of the upload or submission. */
  readonly id: string;
  readonly kind: 'upload' | 'resume' | 'form';
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
  /** Further bytes for all networks together, which only a quiet network may use. */
  readonly reserve?: number;
}

export interface Taken {
  readonly taken: boolean;
  /** True if the network has at most two counted entries of the kind. */
  readonly quiet: boolean;
}

/** Counts the bytes that visitors send without signing in. Instances share the counts, which survive a restart. */
export function anonymousByteStore(database: Database) {
  return {
    /**
     * Adds bytes to the counts, unless that would exceed a quota. More bytes under the same id replace the count of that
     * id, so retries are free.
     */
    async take(
      { id, kind, network, bytes, expiresAt }: AnonymousBytes,
      { each, all, reserve = 0 }: ByteQuota,
      now: string,
    ): Promise<Taken> {
      const others = sql`FROM anonymous_bytes WHERE kind = ${kind} AND expires_at > ${now} AND id <> ${id}`;
      const own = sql`${others} AND network = ${network}`;
      const [, counted] = await database.write(
        sql`INSERT INTO anonymous_bytes (id, kind, network, bytes, expires_at)
            SELECT ${id}, ${kind}, ${network}, ${bytes}, ${expiresAt}
            WHERE (SELECT coalesce(sum(bytes), 0) ${own}) + ${bytes} <= ${each}
              AND (SELECT coalesce(sum(bytes), 0) ${others}) + ${bytes}
                <= ${all} + iif((SELECT count(*) ${own}) < 2, ${reserve}, 0)
            ON CONFLICT (id) DO UPDATE SET bytes = max(bytes, excluded.bytes)`,
        sql`SELECT (SELECT count(*) FROM anonymous_bytes WHERE id = ${id} AND bytes >= ${bytes}) AS taken,
              (SELECT count(*) ${own}) AS own`,
      );
      const row = counted?.rows[0];
      return { taken: row?.taken === 1, quiet: Number(row?.own) <= 1 };
    },
  };
}
