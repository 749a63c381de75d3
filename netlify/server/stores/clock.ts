import { type Database, sql, text } from '../db/database.ts';

/**
 * The state of the server's clock at the last run of the scheduled jobs (`every-minute.ts`). A clock that jumped by
 * more than a day is not trusted (`jobs/trusted-clock.ts`). Times are ISO 8601, UTC.
 */
export interface ClockRecord {
  /** The time of the last run at which the clock was trusted. */
  readonly trustedAt: string;
  /** The time of the last run. */
  readonly ranAt: string;
  /** Since when the clock has not been trusted; null while it is trusted. */
  readonly doubtedSince: string | null;
}

const minute = 60_000;
const day = 24 * 60 * minute;

export function clockStore(database: Database) {
  return {
    /** @returns null before the first run. */
    async get(): Promise<ClockRecord | null> {
      const [row] = await database.read(sql('SELECT trusted_at, ran_at, doubted_since FROM clock'));
      if (!row) return null;
      const { doubted_since: doubtedSince } = row;
      return {
        trustedAt: text(row.trusted_at),
        ranAt: text(row.ran_at),
        doubtedSince: doubtedSince === null ? null : text(doubtedSince),
      };
    },

    async set({ trustedAt, ranAt, doubtedSince }: ClockRecord): Promise<void> {
      await database.write(
        sql(
          `INSERT INTO clock (one, trusted_at, ran_at, doubted_since) VALUES (1, ?, ?, ?) ON CONFLICT (one) DO UPDATE
           SET trusted_at = excluded.trusted_at, ran_at = excluded.ran_at, doubted_since = excluded.doubted_since`,
          trustedAt,
          ranAt,
          doubtedSince,
        ),
      );
    },

    /**
     * Corrects stored times that are further in the future than the site ever sets them. Otherwise, a clock that was
     * ahead for a moment would leave emails waiting and links open for years.
     */
    async bringBack(now: Date): Promise<void> {
      const at = now.toISOString();
      const after = (ms: number) => new Date(now.getTime() + ms).toISOString();
      await database.write(
        // Retries are at most an hour apart, and a message is reserved for one minute while it is sent. A wrong clock
        // set every later time.
        sql(
          `UPDATE outbox SET due_at = ? WHERE status IN ('waiting', 'retrying') AND due_at > ?`,
          at,
          after(2 * 60 * minute),
        ),
        sql(
          `UPDATE outbox SET leased_until = NULL WHERE status IN ('waiting', 'retrying') AND leased_until > ?`,
          after(30 * minute),
        ),
        // Sign-in attempts with future times would keep counting toward the limits, and sessions would last longer than
        // a week.
        sql('UPDATE sign_in_attempts SET at = ? WHERE at > ?', at, after(minute)),
        sql('UPDATE sessions SET seen_at = ? WHERE seen_at > ?', at, after(minute)),
        sql('UPDATE sessions SET created_at = ? WHERE created_at > ?', at, after(minute)),
        sql('UPDATE sessions SET expires_at = ? WHERE expires_at > ?', after(7 * day), after(7 * day)),
        sql('DELETE FROM passkey_challenges WHERE expires_at > ?', after(day)),
        sql('UPDATE form_drafts SET expires_at = ? WHERE expires_at > ?', after(60 * minute), after(day)),
        sql('UPDATE uploads SET expires_at = ? WHERE expires_at > ?', after(day), after(day)),
        sql('UPDATE anonymous_bytes SET expires_at = ? WHERE expires_at > ?', after(60 * minute), after(day)),
        sql('UPDATE share_links SET expires_at = ? WHERE expires_at > ?', after(7 * day), after(7 * day)),
        // At most 20 notices of one kind are sent in 24 hours. A notice with a time in the future would count toward
        // this limit until that time has passed.
        sql('UPDATE notices SET created_at = ? WHERE created_at > ?', at, after(minute)),
      );
    },
  };
}
