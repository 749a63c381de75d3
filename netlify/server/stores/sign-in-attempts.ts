import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, sql } from '../db/database.ts';

export interface Tally {
  readonly count: number;
  /** ISO 8601, UTC; null where there is none. */
  readonly oldestAt: string | null;
}

export function signInAttemptStore(database: Database) {
  return {
    /**
     * Counts an attempt as failed until it is known to have succeeded. One that is over the limit is not counted, so that
     * hammering at the door does not keep it shut for ever.
     * @returns `id` null where the address or the account has used up its attempts; the tallies are those before this one.
     */
    async open(attempt: {
      address: string;
      account: string;
      at: string;
      addressSince: string;
      accountSince: string;
      most: number;
    }): Promise<{ id: number | null; byAddress: Tally; byAccount: Tally }> {
      const { address, account, at, addressSince, accountSince, most } = attempt;
      const [byAddress, byAccount, inserted] = await database.write(
        sql(
          'SELECT count(*) AS count, min(at) AS oldest FROM sign_in_attempts WHERE address = ? AND at > ?',
          address,
          addressSince,
        ),
        sql(
          'SELECT count(*) AS count, min(at) AS oldest FROM sign_in_attempts WHERE account = ? AND at > ? AND succeeded = 0',
          account,
          accountSince,
        ),
        sql(
          `INSERT INTO sign_in_attempts (address, account, succeeded, at)
           SELECT ?1, ?2, 0, ?3
           WHERE (SELECT count(*) FROM sign_in_attempts WHERE address = ?1 AND at > ?4) < ?6
             AND (SELECT count(*) FROM sign_in_attempts WHERE account = ?2 AND at > ?5 AND succeeded = 0) < ?6
           RETURNING id`,
          address,
          account,
          at,
          addressSince,
          accountSince,
          most,
        ),
      );
      const tally = (row: Record<string, unknown> | undefined): Tally => ({
        count: Number(row?.count ?? 0),
        oldestAt: typeof row?.oldest === 'string' ? row.oldest : null,
      });
      const id = inserted?.rows[0]?.id;
      return {
        id: id === undefined || id === null ? null : Number(id),
        byAddress: tally(byAddress?.rows[0]),
        byAccount: tally(byAccount?.rows[0]),
      };
    },

    /** The attempt was right, and the account's earlier failures no longer count. */
    async succeed(id: number): Promise<void> {
      await database.write(
        sql(
          'UPDATE sign_in_attempts SET succeeded = 1 WHERE account = (SELECT account FROM sign_in_attempts WHERE id = ?)',
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
