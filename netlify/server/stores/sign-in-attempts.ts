import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, sql, text } from '../db/database.ts';

interface Attempt {
  /** The network of the visitor's address. */
  readonly address: string;
  readonly account: string;
  /** A known browser or a session, which has a counter of its own; null where neither is known. */
  readonly client: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** How many attempts are looked at. Times are ISO 8601, UTC. */
interface Limits {
  /** Attempts by one address, and failures of one known client, since a time. */
  readonly most: number;
  readonly addressSince: string;
  readonly clientSince: string;
  /** Failures of the account from unknown clients since this time slow down the next one. */
  readonly accountSince: string;
  /** Failures that cause no delay. */
  readonly free: number;
  /** Seconds between two attempts after that: the first gap, doubled for each failure, up to the largest. */
  readonly firstGap: number;
  readonly largestGap: number;
  /** An attempt that would start later than this is refused. */
  readonly latestStart: string;
}

type Opened =
  /** The password may be looked at, not before `startsAt`. */
  | { readonly id: number; readonly startsAt: string }
  /** Refused. An attempt could start at `retryAt`. */
  | { readonly id: null; readonly retryAt: string; readonly because: 'address' | 'client' | 'account' };

export function signInAttemptStore(database: Database) {
  return {
    /** How many attempts failed since a time, from anywhere. */
    async failedSince(since: string): Promise<number> {
      const [row] = await database.read(
        sql('SELECT count(*) AS count FROM sign_in_attempts WHERE succeeded = 0 AND at > ?', since),
      );
      return Number(row?.count);
    },

    /**
     * Counts an attempt as failed until it is known to have succeeded. The account's attempts from unknown clients are put
     * one after another in time, by the database, so that the order holds across instances and for attempts made at the
     * same moment. A refused attempt is not counted, so refusals do not prolong themselves.
     * @param limits null counts the attempt without a limit.
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

    /** The attempt was right. Earlier failures of the same client, or of the same address, no longer count. */
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

    /** The account's failures no longer count. */
    async forgive(account: string): Promise<void> {
      await database.write(sql('DELETE FROM sign_in_attempts WHERE account = ? AND succeeded = 0', account));
    },

    async removeBefore(at: string): Promise<void> {
      await database.write(deleteSome('sign_in_attempts', 'at < ?', at));
    },
  };
}

/**
 * Returns SQL for the time at which an attempt may start: now for a known client, else one gap after the account's last failure
 * from an unknown client. Ignores times beyond `latestStart`, which a clock that was ahead has left.
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
