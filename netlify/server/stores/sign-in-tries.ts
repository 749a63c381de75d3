import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, record, sql } from '../db/database.ts';

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
     * Counts a try under each key, in one statement, so simultaneous tries and other instances get other counts.
     * @param windows each key, and when a window ends that starts now.
     */
    async count(
      windows: readonly { readonly key: string; readonly endsAt: string }[],
      now: string,
    ): Promise<ReadonlyMap<string, SignInTries>> {
      // A window that ends too late was started by a clock that was ahead.
      const goesOn = sql`sign_in_tries.ends_at > ${now} AND sign_in_tries.ends_at <= excluded.ends_at`;
      const [counted] = await database.write(
        sql`INSERT INTO sign_in_tries (key, count, ends_at)
            SELECT value ->> 'key', 1, value ->> 'endsAt' FROM json_each(${JSON.stringify(windows)}) WHERE TRUE
            ON CONFLICT (key) DO UPDATE SET
              count = CASE WHEN ${goesOn} THEN count + 1 ELSE 1 END,
              ends_at = CASE WHEN ${goesOn} THEN ends_at ELSE excluded.ends_at END
            RETURNING key, count, ends_at`,
      );
      const rows = counted?.rows.map((row) => record<SignInTries & { key: string }>(row)) ?? [];
      return new Map(rows.map(({ key, ...tries }) => [key, tries]));
    },

    /** Takes a try back that was counted and then refused. */
    async takeBack(keys: readonly string[]): Promise<void> {
      await database.write(
        sql`UPDATE sign_in_tries SET count = count - 1
            WHERE key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`,
      );
    },

    /** Deletes the counts of these keys; by default all counts. */
    async forget(keys?: readonly string[]): Promise<void> {
      const which = keys && sql`WHERE key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
      await database.write(sql`DELETE FROM sign_in_tries ${which ?? sql``}`);
    },

    async removeEnded(now: string): Promise<void> {
      await database.write(deleteSome('sign_in_tries', 'ends_at <= ?', now));
    },
  };
}
