import { type Database, sql } from '../db/database.ts';

/** `yes` if an acknowledgment may be sent, or else the limit that was reached. */
export type Claim = 'yes' | 'recipient' | 'day';

interface ClaimLimits {
  /** The current time. All three times are in ISO 8601, UTC. */
  readonly at: string;
  readonly hourAgo: string;
  readonly dayAgo: string;
  readonly dailyLimit: number;
}

/** Records the acknowledgments (confirmations to visitors) of the last day, to limit the emails to one mailbox. */
export function acknowledgementStore(database: Database) {
  return {
    /**
     * Reserves one acknowledgment. A single statement does this, so two instances cannot both reserve the last one that
     * the limit allows. All tries to send a message share one reservation.
     * @param message the id of the message.
     * @param recipient a keyed hash of the email address.
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

    async removeBefore(at: string): Promise<void> {
      await database.write(sql('DELETE FROM acknowledgements WHERE at < ?', at));
    },
  };
}
