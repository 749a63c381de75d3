import type { OutboxStatus } from '../../../src/domain/site/site-status.ts';
import { type Database, type Statement, change, one, rawSql, record, sql } from '../db/database.ts';
import { type Audience, type Channel, type NewMessage, addMessages, timeAfter, unsent } from './add-messages.ts';

/**
 * The messages of each channel, and the unsent ones with their partial index. The table keeps all sent messages, so
 * SQLite's planner would otherwise read them too. A query must repeat the condition of a partial index.
 */
const goesBy = { mail: sql`audience <> 'webhook'`, webhook: sql`audience = 'webhook'` } as const;
const waiting = (channel: Channel): Statement => rawSql(`outbox INDEXED BY outbox_${channel}_due`);
const givenUp = sql`outbox INDEXED BY outbox_given_up`;

/** A due message. */
export interface DueMessage {
  /** In the Message-ID. 'Send again' sets a new one, and retries keep it. */
  readonly id: string;
  /** The id of the submission; null for a notice. */
  readonly submission: string | null;
  readonly audience: Audience;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly attempts: number;
  /** ISO 8601, UTC. */
  readonly firstTriedAt: string;
}

/** Messages that are sent as one: a single message, or the messages of a digest. */
export type MessageGroup = readonly [DueMessage, ...DueMessage[]];

const minute = 60_000;
const hour = 60 * minute;
/** A due time further in the future than this comes from a wrong clock. Retries are at most an hour apart. */
const longestWaitMs = 2 * hour;
/** The most messages in one digest. */
const digestSize = 200;
/** Messages are sent every minute, so a message that was due this long ago shows that nothing sends them. */
const overdueMs = 5 * minute;
/** A mail server that refuses every first try (greylisting) accepts a message within this time. */
const greylistMs = 4 * minute;
/** A message whose next try is further away than this was refused permanently, or often. */
const refusedWaitMs = 20 * minute;
/** Acknowledgments that failed longer ago than this are not sent again with all failed emails. */
const acknowledgmentsResentMs = 7 * 24 * hour;

/** The unsent messages of a channel, and whether it works, according to the last messages. */
interface ChannelState extends Omit<OutboxStatus, 'configured'> {
  /** The time of the first failure since the last success; ISO 8601, UTC. */
  readonly failingSince: string | null;
  /** The waiting messages that should have been sent five minutes ago. */
  readonly overdue: number;
  /** Messages about submissions, to the firm or its chat, that are refused for longer than greylisting lasts. */
  readonly stuck: number;
  /** Messages about submissions, to the firm or its chat, that the site stopped trying to send. */
  readonly failed: number;
}

/** The result of a try that the server, or the recipient, did not accept. */
export interface FailedTry {
  readonly error: string;
  /** The time of the next try; null for no further try. */
  readonly dueAt: string | null;
  /** True if the channel fails, and not only this recipient. */
  readonly channelFails: boolean;
  /**
   * True if the server could not be reached or did not accept the sign-in. Then one message a minute is tried until the
   * server works again, so the others do not wait for their next try.
   */
  readonly unreachable: boolean;
}

const isUnreachable = (channel: Channel): Statement =>
  sql`EXISTS (SELECT 1 FROM channels WHERE name = ${channel} AND unreachable = 1)`;

const among = (messages: readonly DueMessage[]): Statement =>
  sql`id IN (SELECT value FROM json_each(${JSON.stringify(messages.map(({ id }) => id))}))`;

export function outboxStore(database: Database) {
  /** Queues messages again, with new ids and another day of tries. @returns the number of messages. */
  const restart = async (which: Statement, at: string): Promise<number> =>
    await change(
      database,
      sql`UPDATE outbox SET id = lower(hex(randomblob(16))), status = 'waiting', digest = 0, attempts = 0,
            first_tried_at = NULL, due_at = ${at}, leased_until = NULL, sent_at = NULL, error = NULL WHERE ${which}`,
    );

  return {
    /**
     * Takes due messages of this channel and reserves them until `leasedUntil`, so no other instance sends them before
     * that time. A message also counts as due if its due time is further in the future than any retry, because such a
     * time comes from a wrong clock.
     */
    async take(channel: Channel, now: string, leasedUntil: string, limit: number): Promise<MessageGroup[]> {
      const horizon = timeAfter(now, longestWaitMs);
      // `~` sorts after every time that begins with `now`, so messages that are due at `now` are taken too.
      const due = sql`${unsent}
        AND (due_at NOT BETWEEN ${`${now}~`} AND ${horizon} OR status = 'retrying' AND ${isUnreachable(channel)})
        AND (leased_until IS NULL OR leased_until NOT BETWEEN ${now} AND ${horizon}) AND ${goesBy[channel]}`;
      const [taken] = await database.write(
        sql`UPDATE outbox SET leased_until = ${leasedUntil}, attempts = attempts + 1,
              first_tried_at = coalesce(first_tried_at, ${now})
            WHERE id IN (
              SELECT id FROM (SELECT id FROM ${waiting(channel)} WHERE ${due} AND digest = 0
                ORDER BY due_at LIMIT iif(${isUnreachable(channel)}, 1, ${limit}))
              UNION ALL
              SELECT id FROM (SELECT id FROM ${waiting(channel)} WHERE ${due} AND digest = 1 AND (audience, recipient) =
                (SELECT audience, recipient FROM ${waiting(channel)} WHERE ${due} AND digest = 1 ORDER BY due_at LIMIT 1)
                LIMIT ${digestSize})
            )
            RETURNING id, submission, audience, recipient, subject, text, attempts, first_tried_at, digest`,
      );
      const messages = (taken?.rows ?? []).map((row) => record<DueMessage & { digest: number }>(row));
      const groups = Map.groupBy(messages, ({ id, digest }) => digest === 1 || id);
      return [...groups.values()] as unknown as MessageGroup[];
    },

    /** Returns the state of a channel, in one statement, because the scheduled work asks for it every minute. */
    async state(channel: Channel, at: Date): Promise<ChannelState> {
      const after = (ms: number) => new Date(at.getTime() + ms).toISOString();
      const stuck = sql`status = 'retrying' AND submission IS NOT NULL AND audience <> 'sender'
        AND (first_tried_at < ${after(-greylistMs)} OR due_at > ${after(refusedWaitMs)})`;
      const failed = sql`FROM ${givenUp} WHERE status = 'failed' AND ${goesBy[channel]} AND submission IS NOT NULL`;
      const state = await one<ChannelState>(
        database,
        sql`SELECT o.*, c.failing_since, coalesce(c.error, o.refusal) AS error FROM (
          SELECT count(*) FILTER (WHERE due_at < ${after(-overdueMs)}) AS overdue,
            count(*) FILTER (WHERE ${stuck}) AS stuck,
            (SELECT count(*) ${failed} AND audience <> 'sender') AS failed,
            count(*) FILTER (WHERE status = 'retrying') + (SELECT count(*) ${failed}
              AND (audience <> 'sender' OR due_at > ${after(-acknowledgmentsResentMs)})) AS resendable,
            coalesce(max(error) FILTER (WHERE ${stuck}), (SELECT max(error) ${failed} AND audience <> 'sender')) AS refusal
          FROM ${waiting(channel)} WHERE ${unsent} AND ${goesBy[channel]}
        ) AS o LEFT JOIN channels AS c ON c.name = ${channel}`,
      );
      return state!;
    },

    /**
     * Records that a channel accepted messages. After an outage, makes the messages due that wait for a retry.
     * @param messages none if only the channel is known to work.
     * @returns whether other messages are now due.
     */
    async sent(channel: Channel, messages: readonly DueMessage[], at: string): Promise<boolean> {
      const [, others] = await database.write(
        sql`UPDATE outbox SET status = 'sent', sent_at = ${at}, error = NULL, leased_until = NULL WHERE ${among(messages)}`,
        sql`UPDATE ${waiting(channel)} SET due_at = ${at}
            WHERE ${unsent} AND status = 'retrying' AND ${goesBy[channel]} AND leased_until IS NULL
              AND EXISTS (SELECT 1 FROM channels WHERE name = ${channel} AND failing_since IS NOT NULL)`,
        // Written at most once a minute while the channel works.
        sql`INSERT INTO channels (name, succeeded_at) VALUES (${channel}, ${at})
            ON CONFLICT (name) DO UPDATE SET failing_since = NULL, error = NULL, unreachable = 0, succeeded_at = ${at}
              WHERE failing_since IS NOT NULL OR succeeded_at IS NULL
                OR succeeded_at NOT BETWEEN ${timeAfter(at, -minute)} AND ${at}`,
      );
      return (others?.rowsAffected ?? 0) > 0;
    },

    /** Records a failed try to send messages. @param messages none if only the channel is known to fail. */
    async refused(channel: Channel, messages: readonly DueMessage[], at: string, failed: FailedTry): Promise<void> {
      const { error, dueAt, channelFails, unreachable } = failed;
      await database.write(
        sql`UPDATE outbox SET status = ${dueAt === null ? 'failed' : 'retrying'}, due_at = ${dueAt ?? at},
              error = ${error}, leased_until = NULL WHERE ${among(messages)}`,
        sql`INSERT INTO channels (name, failing_since, error)
            SELECT ${channel}, ${at}, ${error} WHERE ${Number(channelFails)}
            ON CONFLICT (name) DO UPDATE SET failing_since = coalesce(failing_since, excluded.failing_since),
              error = excluded.error`,
        sql`UPDATE channels SET unreachable = ${Number(unreachable)}
            WHERE name = ${channel} AND unreachable <> ${Number(unreachable)}`,
      );
    },

    /**
     * Queues a message about a submission in the inbox again.
     * @returns false if there is no message: the submission is in quarantine, or arrived before a webhook was set up.
     */
    async again(submission: string, audience: Audience, at: string): Promise<boolean> {
      const isInInbox = sql`EXISTS (SELECT 1 FROM submissions s WHERE s.id = ${submission} AND s.status = 'inbox')`;
      return (await restart(sql`submission = ${submission} AND audience = ${audience} AND ${isInInbox}`, at)) === 1;
    },

    /**
     * Queues failed emails again: emails that are being retried, emails to the firm that the site stopped trying to
     * send, and acknowledgments that failed in the last week, because a visitor expects no confirmation after that.
     * @returns the number of queued emails, at most 10,000.
     */
    async queueFailedMail(at: string): Promise<number> {
      const failed = sql`
        SELECT id FROM ${waiting('mail')} WHERE ${unsent} AND status = 'retrying' AND ${goesBy.mail}
          AND (leased_until IS NULL OR leased_until <= ${at})
        UNION ALL
        SELECT id FROM ${givenUp} WHERE status = 'failed' AND ${goesBy.mail} AND submission IS NOT NULL
          AND (audience <> 'sender' OR due_at > ${timeAfter(at, -acknowledgmentsResentMs)})
        LIMIT 10000`;
      return await restart(sql`id IN (${failed})`, at);
    },

    /** Adds a notice for each recipient, unless a notice with this key was added before. */
    async addNotice(key: string, messages: readonly NewMessage[], at: string): Promise<void> {
      const isNew = sql`NOT EXISTS (SELECT 1 FROM outbox WHERE key = ${key})`;
      await database.write(addMessages(null, messages, at, isNew));
    },
  };
}
