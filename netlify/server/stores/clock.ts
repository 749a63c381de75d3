import { type Database, type Statement, sql, text } from '../db/database.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** The state of the server's clock at the last run of the scheduled jobs. Times are ISO 8601, UTC. */
export interface ClockRecord {
  /** The time of the last run at which the clock was trusted. */
  readonly trustedAt: string;
  /** The time of the last run. */
  readonly ranAt: string;
  /** Since when the clock has not been trusted; null while it is trusted. */
  readonly doubtedSince: string | null;
}

export function clockStore(database: Database) {
  return {
    /** @returns null before the first run. */
    async get(): Promise<ClockRecord | null> {
      const [row] = await database.read(sql('SELECT trusted_at, ran_at, doubted_since FROM clock'));
      if (!row) return null;
      const doubtedSince = row.doubted_since === null ? null : text(row.doubted_since);
      return { trustedAt: text(row.trusted_at), ranAt: text(row.ran_at), doubtedSince };
    },

    /** Stores the state of the clock. @param wentBack true if the clock was ahead at the run before. */
    async set({ trustedAt, ranAt, doubtedSince }: ClockRecord, wentBack: boolean): Promise<void> {
      await database.write(
        sql(
          'INSERT OR REPLACE INTO clock (one, trusted_at, ran_at, doubted_since) VALUES (1, ?, ?, ?)',
          trustedAt,
          ranAt,
          doubtedSince,
        ),
        ...(wentBack ? corrections(new Date(ranAt)) : []),
      );
    },
  };
}

/** Tables whose rows expire after at most seven days. */
const expiring = ['uploads', 'anonymous_bytes', 'share_links'];

/**
 * Corrects times that a clock that was ahead has stored. Otherwise, emails would wait, failed sign-ins would count, and
 * sessions and links would stay valid, for as long as the clock was ahead.
 */
function corrections(now: Date): Statement[] {
  const at = now.toISOString();
  const after = (ms: number) => new Date(now.getTime() + ms).toISOString();
  return [
    // Retries are at most an hour apart.
    sql(
      `UPDATE outbox SET due_at = min(due_at, ?1), leased_until = NULL
       WHERE status IN ('waiting', 'retrying') AND (due_at > ?2 OR leased_until > ?2)`,
      at,
      after(2 * 60 * minute),
    ),
    sql(
      `UPDATE sessions
       SET seen_at = min(seen_at, ?1), created_at = min(created_at, ?1), expires_at = min(expires_at, ?2)`,
      at,
      after(7 * day),
    ),
    ...expiring.map((table) => sql(`DELETE FROM ${table} WHERE expires_at > ?`, after(8 * day))),
  ];
}
