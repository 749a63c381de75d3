import type { Row } from '@libsql/client/http';
import { deleteSomeBy } from '../db/bounded-delete.ts';
import { type Database, type Statement, sql, text } from '../db/database.ts';

/**
 * The recipient of a message. An email goes to the firm, to the sender of the inquiry or application, or to an admin.
 * The firm's chat gets a message through its webhook.
 */
export type Audience = 'firm' | 'sender' | 'admin' | 'webhook';

/** A delivery channel. Channels are delivered separately, so a slow channel does not delay the other one. */
export type Channel = 'mail' | 'webhook';

/**
 * The SQL conditions for the messages of each channel. They are the conditions of the outbox's partial indexes, because
 * SQLite uses a partial index only for a query that repeats its condition.
 */
const goesBy = { mail: `audience <> 'webhook'`, webhook: `audience = 'webhook'` } as const;

export type SubmissionKind = 'inquiry' | 'application';

/** The kind of record that a message belongs to. */
type MessageKind = SubmissionKind | 'notice';

interface MessageKey {
  readonly kind: MessageKind;
  /** The id of the inquiry, the application or the notice. */
  readonly id: string;
  readonly audience: Audience;
}

/** A due message. It has no text. The text is generated from the submission or notice when the message is sent. */
export interface DueMessage extends MessageKey {
  /**
   * Starts at 1 and grows each time an admin selects 'Send again'. The Message-ID contains the generation, so 'Send
   * again' gets a new ID, and retries keep the ID.
   */
  readonly generation: number;
  readonly attempts: number;
  /** ISO 8601, UTC. */
  readonly firstTriedAt: string;
}

/** A due time further in the future than this comes from a wrong clock. Retries are at most an hour apart. */
const longestWaitMs = 2 * 60 * 60_000;

const minuteBefore = (at: string): string => new Date(Date.parse(at) - 60_000).toISOString();

const tableOf = { inquiry: 'inquiries', application: 'applications' } as const;

/** The times that {@link OutboxTally} compares with; ISO 8601, UTC. */
interface TallyTimes {
  readonly overdueBefore: string;
  readonly triedBefore: string;
  readonly nextTryAfter: string;
  readonly acknowledgedAfter: string;
}

interface OutboxTally {
  readonly waiting: number;
  /** The waiting messages that failed at least once. */
  readonly retrying: number;
  /** The waiting messages that were due before `overdueBefore`. */
  readonly overdue: number;
  /**
   * Messages about submissions, to the firm or its chat, that are refused for long: the first try was before
   * `triedBefore`, or the next try is after `nextTryAfter`, as after a permanent refusal.
   */
  readonly stuck: number;
  /** Messages about submissions, to the firm or its chat, that the site stopped trying to send. */
  readonly failed: number;
  /** Acknowledgments to visitors that failed after `acknowledgedAfter`, usually because the address does not exist. */
  readonly undeliverable: number;
  /** ISO 8601, UTC. */
  readonly oldestAt: string | null;
  /** The error of one message that is counted as `stuck` or `failed`. */
  readonly error: string | null;
}

/** Whether a channel works, according to the last messages. Times are ISO 8601, UTC. */
export interface ChannelState {
  /** The time of the first failure since the last success. */
  readonly failingSince: string | null;
  /** The number of failures since the last success. */
  readonly failures: number;
  /** The last error of the server, shown only to admins. */
  readonly error: string | null;
  /** True if a connection or sign-in to the server has failed since the last success. */
  readonly unreachable: boolean;
  readonly succeededAt: string | null;
}

/** A failure of the channel itself. The rejection of one recipient is not such a failure. */
export interface ChannelFailure {
  readonly unreachable: boolean;
}

const healthy: ChannelState = {
  failingSince: null,
  failures: 0,
  error: null,
  unreachable: false,
  succeededAt: null,
};

/** Marks the channel as working. Writes at most once a minute if it was working before. */
const worked = (channel: Channel, at: string, minuteAgo: string): Statement =>
  sql(
    `INSERT INTO channels (name, succeeded_at) VALUES (?1, ?2)
     ON CONFLICT (name) DO UPDATE SET failing_since = NULL, failures = 0, error = NULL, unreachable = 0, succeeded_at = ?2
       WHERE failing_since IS NOT NULL OR succeeded_at IS NULL OR succeeded_at NOT BETWEEN ?3 AND ?2`,
    channel,
    at,
    minuteAgo,
  );

/**
 * If the channel has been failing, makes the messages that wait for a retry due now. Run this statement before
 * {@link worked}, which clears `failing_since`.
 */
const dueAfterOutage = (channel: Channel, at: string): Statement =>
  sql(
    `UPDATE outbox SET due_at = ?1 WHERE status = 'retrying' AND ${goesBy[channel]} AND leased_until IS NULL
       AND EXISTS (SELECT 1 FROM channels WHERE name = ?2 AND failing_since IS NOT NULL)`,
    at,
    channel,
  );

interface NewMessages {
  readonly kind: MessageKind;
  readonly id: string;
  readonly audiences: readonly Audience[];
  /** ISO 8601, UTC. The messages are due at that time. */
  readonly at: string;
  /** When the messages were sent; only for sample data (host/commands/seed.ts). */
  readonly sentAt?: string;
}

/**
 * Returns a statement that adds the messages of a submission or notice to the outbox. Run it before the statement that
 * stores the submission or notice, in the same transaction. Otherwise, a trigger rejects a notice or a submission in
 * the inbox, because it has no messages.
 * @param condition the SQL condition under which the other statement stores the submission or notice.
 */
export function addMessages({ kind, id, audiences, at, sentAt }: NewMessages, condition: Statement): Statement {
  return sql(
    `INSERT INTO outbox (kind, id, audience, status, due_at, sent_at)
     SELECT ?, ?, value, ?, ?, ? FROM json_each(?) WHERE ${condition.sql}
     ON CONFLICT (kind, id, audience) DO NOTHING`,
    kind,
    id,
    sentAt === undefined ? 'waiting' : 'sent',
    at,
    sentAt ?? null,
    JSON.stringify(audiences),
    ...condition.args,
  );
}

export function outboxStore(database: Database) {
  return {
    /**
     * Takes due messages of this channel and reserves them until `leasedUntil`, so no other instance sends them before
     * that time. A message also counts as due if its due time is further in the future than any retry, because such a
     * time comes from a wrong clock.
     */
    async take(channel: Channel, now: string, leasedUntil: string, limit: number): Promise<DueMessage[]> {
      const horizon = new Date(Date.parse(now) + longestWaitMs).toISOString();
      const [taken] = await database.write(
        sql(
          `UPDATE outbox SET leased_until = ?2, attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, ?1)
           WHERE (kind, id, audience) IN (
             SELECT kind, id, audience FROM outbox
             WHERE status IN ('waiting', 'retrying') AND due_at NOT BETWEEN ?4 AND ?5
               AND (leased_until IS NULL OR leased_until NOT BETWEEN ?1 AND ?5)
               AND ${goesBy[channel]}
             ORDER BY due_at LIMIT ?3
           )
           RETURNING kind, id, audience, generation, attempts, first_tried_at`,
          now,
          leasedUntil,
          limit,
          // Sorts after every time that begins with `now`, so messages that are due at `now` are taken too.
          `${now}~`,
          horizon,
        ),
      );
      return (taken?.rows ?? []).map(toDueMessage);
    },

    /** Counts the unsent messages of a channel. */
    async tally(
      channel: Channel,
      { overdueBefore, triedBefore, nextTryAfter, acknowledgedAfter }: TallyTimes,
    ): Promise<OutboxTally> {
      const stuck = `status = 'retrying' AND kind <> 'notice' AND audience <> 'sender'
        AND (first_tried_at < ?2 OR due_at > ?3)`;
      const failed = `status = 'failed' AND ${goesBy[channel]} AND kind <> 'notice' AND audience <> 'sender'`;
      // The table keeps all sent messages. Each count uses a partial index, which has only the few unsent ones.
      const [row] = await database.read(
        sql(
          `SELECT count(*) AS waiting, count(*) FILTER (WHERE status = 'retrying') AS retrying,
             count(*) FILTER (WHERE due_at < ?1) AS overdue, count(*) FILTER (WHERE ${stuck}) AS stuck,
             min(coalesce(first_tried_at, due_at)) AS oldest,
             (SELECT count(*) FROM outbox WHERE ${failed}) AS failed,
             (SELECT count(*) FROM outbox WHERE status = 'failed' AND ${goesBy[channel]} AND audience = 'sender'
               AND due_at > ?4) AS undeliverable,
             coalesce(max(error) FILTER (WHERE ${stuck}), (SELECT max(error) FROM outbox WHERE ${failed})) AS error
           FROM outbox
           WHERE status IN ('waiting', 'retrying') AND ${goesBy[channel]}`,
          overdueBefore,
          triedBefore,
          nextTryAfter,
          acknowledgedAfter,
        ),
      );
      return {
        waiting: Number(row?.waiting ?? 0),
        retrying: Number(row?.retrying ?? 0),
        overdue: Number(row?.overdue ?? 0),
        stuck: Number(row?.stuck ?? 0),
        failed: Number(row?.failed ?? 0),
        undeliverable: Number(row?.undeliverable ?? 0),
        oldestAt: typeof row?.oldest === 'string' ? row.oldest : null,
        error: typeof row?.error === 'string' ? row.error : null,
      };
    },

    async sent(channel: Channel, message: MessageKey, at: string): Promise<void> {
      await database.write(
        sql(
          `UPDATE outbox SET status = 'sent', sent_at = ?, error = NULL, leased_until = NULL
           WHERE kind = ? AND id = ? AND audience = ?`,
          at,
          message.kind,
          message.id,
          message.audience,
        ),
        dueAfterOutage(channel, at),
        worked(channel, at, minuteBefore(at)),
      );
    },

    /** Records that a message is deliberately not sent. @param reason the explanation that the admin sees. */
    async skipped(message: MessageKey, reason: string, at: string): Promise<void> {
      await database.write(
        sql(
          `UPDATE outbox SET status = 'skipped', due_at = ?, error = ?, leased_until = NULL
           WHERE kind = ? AND id = ? AND audience = ?`,
          at,
          reason,
          message.kind,
          message.id,
          message.audience,
        ),
      );
    },

    /**
     * Records a failed try to send a message.
     * @param dueAt the time of the next try; null for no further try.
     * @param failure null if only this recipient was rejected, which does not mean that the channel fails.
     */
    async refused(
      channel: Channel,
      message: MessageKey,
      {
        error,
        at,
        dueAt,
        failure,
      }: { error: string; at: string; dueAt: string | null; failure: ChannelFailure | null },
    ): Promise<void> {
      await database.write(
        sql(
          `UPDATE outbox SET status = ?, due_at = ?, error = ?, leased_until = NULL
           WHERE kind = ? AND id = ? AND audience = ?`,
          dueAt === null ? 'failed' : 'retrying',
          dueAt ?? at,
          error,
          message.kind,
          message.id,
          message.audience,
        ),
        ...(failure
          ? [
              sql(
                `INSERT INTO channels (name, failing_since, failures, error, unreachable) VALUES (?1, ?2, 1, ?3, ?4)
                 ON CONFLICT (name) DO UPDATE SET failing_since = coalesce(failing_since, ?2), failures = failures + 1,
                   error = ?3, unreachable = max(unreachable, ?4)`,
                channel,
                at,
                error,
                failure.unreachable ? 1 : 0,
              ),
            ]
          : []),
      );
    },

    async channel(channel: Channel): Promise<ChannelState> {
      const [row] = await database.read(
        sql('SELECT failing_since, failures, error, unreachable, succeeded_at FROM channels WHERE name = ?', channel),
      );
      if (!row) return healthy;
      const optional = (value: unknown) => (typeof value === 'string' ? value : null);
      return {
        failingSince: optional(row.failing_since),
        failures: Number(row.failures),
        error: optional(row.error),
        unreachable: row.unreachable === 1,
        succeededAt: optional(row.succeeded_at),
      };
    },

    /** Records that a channel works, and makes its waiting messages due. */
    async channelWorks(channel: Channel, at: string): Promise<void> {
      await database.write(dueAfterOutage(channel, at), worked(channel, at, minuteBefore(at)));
    },

    /** Makes the waiting messages of a channel due, without recording that the channel works. */
    async tryNow(channel: Channel, at: string): Promise<void> {
      await database.write(dueAfterOutage(channel, at));
    },

    /** Releases the messages that a stopped process had reserved, so they can be sent now. */
    async releaseLeases(): Promise<void> {
      await database.write(
        ...Object.values(goesBy).map((condition) =>
          sql(
            `UPDATE outbox SET leased_until = NULL
             WHERE status IN ('waiting', 'retrying') AND leased_until IS NOT NULL AND ${condition}`,
          ),
        ),
      );
    },

    /**
     * Queues a message again, with a new generation and another day of tries.
     * @returns false if there is no message: the submission is in quarantine, or arrived before a webhook was set up.
     */
    async again({ kind, id, audience }: MessageKey & { kind: SubmissionKind }, at: string): Promise<boolean> {
      const [updated] = await database.write(
        sql(
          `UPDATE outbox SET status = 'waiting', generation = generation + 1, attempts = 0, first_tried_at = NULL,
             due_at = ?, leased_until = NULL, sent_at = NULL, error = NULL
           WHERE kind = ? AND id = ? AND audience = ?
             AND EXISTS (SELECT 1 FROM ${tableOf[kind]} s WHERE s.id = outbox.id AND s.status = 'inbox')`,
          at,
          kind,
          id,
          audience,
        ),
      );
      return updated?.rowsAffected === 1;
    },

    /**
     * Makes failed emails due now, and gives each another day of tries: emails that are being retried, emails to the
     * firm that the site stopped trying to send, and acknowledgments that failed after `acknowledgedAfter`.
     * @param limit the most emails of each kind, retried or failed, that this call queues.
     * @returns the number of queued emails.
     */
    async queueFailedMail(at: string, acknowledgedAfter: string, limit: number): Promise<number> {
      // Two statements, so that each can use a partial index with few rows. An email that is being retried keeps its
      // generation and so its Message-ID, because the mail server may have accepted it before the connection broke.
      const results = await database.write(
        queueMail(
          'generation',
          `status IN ('waiting', 'retrying') AND status = 'retrying'
          AND (leased_until IS NULL OR leased_until <= ?1)`,
        ),
        queueMail('generation + 1', `status = 'failed' AND kind <> 'notice' AND (audience <> 'sender' OR due_at > ?2)`),
      );
      return results.reduce((total, { rowsAffected }) => total + rowsAffected, 0);

      function queueMail(generation: string, condition: string): Statement {
        return sql(
          `UPDATE outbox SET generation = ${generation}, status = 'waiting', attempts = 0, first_tried_at = NULL,
             due_at = ?1, leased_until = NULL, error = NULL
           WHERE (kind, id, audience) IN (
             SELECT kind, id, audience FROM outbox WHERE ${condition} AND ${goesBy.mail} AND ?2 = ?2 LIMIT ?3
           )`,
          at,
          acknowledgedAfter,
          limit,
        );
      }
    },

    /** Deletes unsent messages of a channel that is no longer configured. Each call deletes a limited number. */
    async forget(channel: Channel): Promise<void> {
      // Two statements, so that each can use a partial index with few rows.
      await database.write(
        ...[`status IN ('waiting', 'retrying')`, `status = 'failed'`].map((unsent) =>
          deleteSomeBy('kind, id, audience', 'outbox', `${unsent} AND ${goesBy[channel]}`),
        ),
        sql('DELETE FROM channels WHERE name = ?', channel),
      );
    },
  };
}

function toDueMessage(row: Row): DueMessage {
  return {
    kind: row.kind as MessageKind,
    id: text(row.id),
    audience: row.audience as Audience,
    generation: Number(row.generation),
    attempts: Number(row.attempts),
    firstTriedAt: text(row.first_tried_at),
  };
}
