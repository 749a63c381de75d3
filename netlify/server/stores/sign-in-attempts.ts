import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, sql, text } from '../db/database.ts';

interface Attempt {
  /** The network of the visitor's IP address. */
  readonly address: string;
  readonly account: string;
  /** The known browser or the session, which has its own limit; null for an unknown browser. */
  readonly client: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** The limits for sign-in attempts. Times are ISO 8601, UTC. */
interface Limits {
  /**
   * The maximum number of attempts from one network since `addressSince`. Also the maximum number of failed attempts
   * from one known browser since `clientSince`.
   */
  readonly most: number;
  readonly addressSince: string;
  readonly clientSince: string;
  /** Failed attempts on the account from unknown clients after this time delay the next attempt. */
  readonly accountSince: string;
  /** The number of attempts that are not delayed. */
  readonly free: number;
  /**
   * Delays in seconds. After `free` failures, the next attempt is delayed by `firstGap`. Each further failure doubles
   * the delay, up to `largestGap`.
   */
  readonly firstGap: number;
  readonly largestGap: number;
  /** An attempt that would start later than this is refused. */
  readonly latestStart: string;
}

type Opened =
  /** The password may be checked at `startsAt` or later. */
  | { readonly id: number; readonly startsAt: string }
  /** The attempt is refused. A new attempt can start at `retryAt`. */
  | { readonly id: null; readonly retryAt: string; readonly because: 'address' | 'client' | 'account' };

export function signInAttemptStore(database: Database) {
  return {
    /**
     * Records an attempt as failed, until {@link succeed} marks it as successful. The recorded time is the time at
     * which the attempt may start ({@link startOf}), so the delays also hold across instances and for simultaneous
     * attempts. A refused attempt is not recorded, so it does not extend the delay.
     * @param limits null for no limits.
     */
    async open({ address, account, client, at }: Attempt, limits: Limits | null): Promise<Opened> {
      if (!limits) {
        const [row] = await database.write(
          sql(
            'INSERT INTO sign_in_attempts (address, account, client, succeeded, at) VALUES (?, ?, ?, 0, ?) RETURNING id',
            address,
            account,
            client,
            at,
          ),
        );
        return { id: Number(row?.rows[0]?.id), startsAt: at };
      }
      const { most, addressSince, clientSince, accountSince, free, firstGap, largestGap, latestStart } = limits;
      const byAddress = 'address = ?1 AND at > ?2';
      const byClient = 'account = ?1 AND client = ?2 AND at > ?3 AND succeeded = 0';
      const [addressTally, clientTally, slot, inserted] = await database.write(
        sql(
          `SELECT count(*) AS count, min(at) AS oldest FROM sign_in_attempts WHERE ${byAddress}`,
          address,
          addressSince,
        ),
        sql(
          `SELECT count(*) AS count, min(at) AS oldest FROM sign_in_attempts WHERE ${byClient}`,
          account,
          client,
          clientSince,
        ),
        sql(
          `SELECT ${startOf('?1', '?2', '?3', '?4', '?5', '?6', '?7', '?8')} AS start`,
          account,
          client,
          accountSince,
          at,
          free,
          firstGap,
          largestGap,
          latestStart,
        ),
        sql(
          `INSERT INTO sign_in_attempts (address, account, client, succeeded, at)
           SELECT ?9, ?1, ?2, 0, start
           FROM (SELECT ${startOf('?1', '?2', '?3', '?4', '?5', '?6', '?7', '?8')} AS start)
           WHERE start <= ?8
             AND (SELECT count(*) FROM sign_in_attempts WHERE address = ?9 AND at > ?10) < ?12
             AND (SELECT count(*) FROM sign_in_attempts
                  WHERE account = ?1 AND client = ?2 AND at > ?11 AND succeeded = 0) < ?12
           RETURNING id, at`,
          account,
          client,
          accountSince,
          at,
          free,
          firstGap,
          largestGap,
          latestStart,
          address,
          addressSince,
          clientSince,
          most,
        ),
      );
      const row = inserted?.rows[0];
      if (row) return { id: Number(row.id), startsAt: text(row.at) };
      const ends = (tally: typeof addressTally, since: string): string => {
        const oldest = tally?.rows[0]?.oldest;
        const windowMs = Date.parse(at) - Date.parse(since);
        return new Date((typeof oldest === 'string' ? Date.parse(oldest) : Date.parse(at)) + windowMs).toISOString();
      };
      if (Number(addressTally?.rows[0]?.count) >= most) {
        return { id: null, retryAt: ends(addressTally, addressSince), because: 'address' };
      }
      if (Number(clientTally?.rows[0]?.count) >= most) {
        return { id: null, retryAt: ends(clientTally, clientSince), because: 'client' };
      }
      return { id: null, retryAt: text(slot?.rows[0]?.start), because: 'account' };
    },

    /**
     * Marks an attempt as successful. Earlier failures on the account from the same client or network no longer count.
     */
    async succeed(id: number): Promise<void> {
      await database.write(
        sql(
          `UPDATE sign_in_attempts SET succeeded = 1
           FROM (SELECT address, account, client FROM sign_in_attempts WHERE id = ?) AS right_one
           WHERE sign_in_attempts.account = right_one.account
             AND sign_in_attempts.client IS right_one.client
             AND (right_one.client IS NOT NULL OR sign_in_attempts.address = right_one.address)`,
          id,
        ),
      );
    },

    /** Deletes the failed attempts on an account, so they no longer count. */
    async forgive(account: string): Promise<void> {
      await database.write(sql('DELETE FROM sign_in_attempts WHERE account = ? AND succeeded = 0', account));
    },

    async removeBefore(at: string): Promise<void> {
      await database.write(deleteSome('sign_in_attempts', 'at < ?', at));
    },
  };
}

/**
 * Returns SQL for the time at which an attempt may start. An attempt from a known client starts now. So does an attempt
 * from an unknown client while the account has fewer than `free` failures from unknown clients. Any other attempt
 * starts after a delay, which is counted from the last of these failures. Failures with a time after `latestStart` are
 * ignored, because that time comes from a clock that was ahead.
 */
function startOf(
  account: string,
  client: string,
  since: string,
  at: string,
  free: string,
  firstGap: string,
  largestGap: string,
  latestStart: string,
): string {
  return `(SELECT CASE WHEN ${client} IS NOT NULL OR count(*) < ${free} THEN ${at} ELSE max(${at},
      strftime('%Y-%m-%dT%H:%M:%fZ', max(at), '+' || min(${firstGap} * (1 << min(count(*) - ${free}, 20)), ${largestGap})
        || ' seconds')) END
    FROM sign_in_attempts WHERE account = ${account} AND client IS NULL AND at > ${since} AND at <= ${latestStart} AND succeeded = 0)`;
}
