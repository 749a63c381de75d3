import { type Database, sql } from '../db/database.ts';

/** What a claim is answered: `yes`, or why no acknowledgement may go out. */
export type Claim = 'yes' | 'recipient' | 'day';

interface ClaimLimits {
  /** ISO 8601, UTC, as are the others. */
  readonly at: string;
  readonly hourAgo: string;
  readonly dayAgo: string;
  readonly dailyLimit: number;
}

/** The acknowledgements of the last day, so that no one can make the site flood somebody's mailbox. */
export function acknowledgementStore(database: Database) {
  return {
    /**
     * Claims the right to send one acknowledgement, in one statement, so instances that ask at the same time cannot both get it.
     * Every try of one message has the same claim.
     * @param message the message's own id.
     * @param recipient a hash of the address.
     */
    async claim(message: string, recipient: string, { at, hourAgo, dayAgo, dailyLimit }: ClaimLimits): Promise<Claim> {
      const [, claimed] = await database.write(
        sql('DELETE FROM acknowledgements WHERE at NOT BETWEEN ? AND ?', dayAgo, at),
        sql(
          `INSERT INTO acknowledgements (message, recipient, at)
           SELECT ?1, ?2, ?3
           WHERE EXISTS (SELECT 1 FROM acknowledgements WHERE message = ?1)
             OR (NOT EXISTS (SELECT 1 FROM acknowledgements WHERE recipient = ?2 AND at > ?4)
               AND (SELECT count(*) FROM acknowledgements) < ?5)
           ON CONFLICT (message) DO UPDATE SET recipient = excluded.recipient`,
          message,
          recipient,
          at,
          hourAgo,
          dailyLimit,
        ),
      );
      if (claimed?.rowsAffected === 1) return 'yes';
      const [row] = await database.read(
        sql('SELECT count(*) AS sent FROM acknowledgements WHERE recipient = ? AND at > ?', recipient, hourAgo),
      );
      return Number(row?.sent) > 0 ? 'recipient' : 'day';
    },

    /** Forgets those that are older than a day. */
    async removeBefore(at: string): Promise<void> {
      await database.write(sql('DELETE FROM acknowledgements WHERE at < ?', at));
    },
  };
}
