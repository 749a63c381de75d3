import { randomUUID } from 'node:crypto';
import { type Database, type Statement, record, sql } from '../db/database.ts';

/**
 * The recipient of a message. An email goes to the firm, to the sender of a submission, or to an admin. The firm's chat
 * gets a message through its webhook.
 */
export type Audience = 'firm' | 'sender' | 'admin' | 'webhook';

/** A delivery channel. Channels are delivered separately, so a slow channel does not delay the other one. */
export type Channel = 'mail' | 'webhook';

const unsent = sql`status IN ('waiting', 'retrying')`;
/**
 * The messages of each channel, and the unsent ones with their partial index. The table keeps all sent messages, so
 * SQLite's planner would otherwise read them too. A query must repeat the condition of a partial index.
 */
const goesBy = { mail: sql`audience <> 'webhook'`, webhook: sql`audience = 'webhook'` } as const;
const waiting = {
  mail: sql`outbox INDEXED BY outbox_mail_due`,
  webhook: sql`outbox INDEXED BY outbox_webhook_due`,
} as const;
const givenUp = sql`outbox INDEXED BY outbox_given_up`;

interface NewMessage {
  readonly audience: Audience;
  /**
   * Who gets the message, for the limits: an admin's address, a visitor's mailbox, or the kind of submission for the
   * firm's mailboxes. Empty for the webhook.
   */
  readonly recipient: string;
  /** For an acknowledgment: its sender's network has sent few forms, so {@link acknowledgementsADay} does not count. */
  readonly quiet?: boolean;
  /** The text of a notice. The text of other messages is written from the submission when they are sent. */
  readonly subject?: string;
  readonly text?: string;
  /** Identifies a notice, which is stored once for each recipient. */
  readonly key?: string;
}

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

/** A due time further in the future than this comes from a wrong clock. Retries are at most an hour apart. */
const longestWaitMs = 2 * 60 * 60_000;
const hour = 60 * 60_000;
const timeAfter = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

/** The most messages to one recipient in an hour. Further ones are listed in one message an hour, the digest. */
export const singlesAnHour = 20;
/** The most messages in one digest. */
const digestSize = 200;
/**
 * The most acknowledgments (confirmations to visitors who sent a form) in 24 hours, which limits the emails to strangers
 * that a flood of submissions can cause. The first two of a network in an hour are sent nevertheless, so a flood from
 * other networks cannot use up an honest sender's acknowledgment.
 */
export const acknowledgementsADay = 500;

const oneAnHour =
  'The site sends at most one acknowledgment an hour to each address. The site sent one to this address less than an hour earlier.';
const tooManyADay = `The site already sent ${acknowledgementsADay} acknowledgments within 24 hours, and ${acknowledgementsADay} is the limit.`;

/**
 * Returns a statement that adds messages to the outbox, within the limits of their recipients.
 * @param submission the id of the submission; null for notices.
 * @param at the time at which the messages are due; ISO 8601, UTC.
 * @param condition the SQL condition for adding them.
 */
export function addMessages(
  submission: string | null,
  messages: readonly NewMessage[],
  at: string,
  condition: Statement,
): Statement {
  const rows = messages.map((message) => ({ id: randomUUID(), quiet: false, subject: '', text: '', ...message }));
  const counted = (since: number) => sql`created_at BETWEEN ${timeAfter(at, -since)} AND ${at}`;
  return sql`
    INSERT INTO outbox (id, submission, audience, recipient, subject, text, key, created_at, digest, due_at, status, error)
    SELECT id, ${submission}, audience, recipient, subject, text, key, ${at}, digest,
      iif(digest, coalesce((SELECT min(due_at) FROM outbox o WHERE ${unsent} AND digest = 1
        AND o.audience = m.audience AND o.recipient = m.recipient), ${timeAfter(at, hour)}), ${at}),
      iif(refusal IS NULL, 'waiting', 'skipped'), refusal
    FROM (
      SELECT id, audience, recipient, subject, text, key,
        audience <> 'sender' AND (SELECT count(*) FROM (SELECT 1 FROM outbox o WHERE o.audience = n.audience
          AND o.recipient = n.recipient AND ${counted(hour)} LIMIT ${singlesAnHour})) >= ${singlesAnHour} AS digest,
        CASE WHEN audience <> 'sender' THEN NULL
          WHEN EXISTS (SELECT 1 FROM outbox o WHERE o.audience = 'sender' AND o.recipient = n.recipient
            AND ${counted(hour)} AND status <> 'skipped') THEN ${oneAnHour}
          WHEN NOT quiet AND (SELECT count(*) FROM (SELECT 1 FROM outbox o WHERE o.audience = 'sender'
            AND ${counted(24 * hour)} AND status <> 'skipped' LIMIT ${acknowledgementsADay})) >= ${acknowledgementsADay}
            THEN ${tooManyADay} END AS refusal
      FROM (
        SELECT value ->> 'id' AS id, value ->> 'audience' AS audience, value ->> 'recipient' AS recipient,
          value ->> 'subject' AS subject, value ->> 'text' AS text, value ->> 'key' AS key, value ->> 'quiet' AS quiet
        FROM json_each(${JSON.stringify(rows)})
      ) AS n
    ) AS m
    WHERE ${condition}
    ON CONFLICT DO NOTHING`;
}

const minute = 60_000;
/** Messages are sent every minute, so a message that was due this long ago shows that nothing sends them. */
const overdueMs = 5 * minute;
/** A mail server that refuses every first try (greylisting) accepts a message within this time. */
const greylistMs = 4 * minute;
/** A message whose next try is further away than this was refused permanently, or often. */
const refusedWaitMs = 20 * minute;
/** Acknowledgments that failed longer ago than this are not sent again with all failed emails. */
export const acknowledgmentsResentMs = 7 * 24 * hour;

/** The unsent messages of a channel, and whether it works, according to the last messages. Times are ISO 8601, UTC. */
export interface ChannelState {
  readonly waiting: number;
  /** The waiting messages that should have been sent five minutes ago. */
  readonly overdue: number;
  /** Messages about submissions, to the firm or its chat, that are refused for longer than greylisting lasts. */
  readonly stuck: number;
  /** The first try of the oldest message to the firm or its chat that is being retried. */
  readonly refusedSince: string | null;
  /** Messages about submissions, to the firm or its chat, that the site stopped trying to send. */
  readonly failed: number;
  /** The messages that 'Send all failed emails again' sends. */
  readonly resendable: number;
  /** The time of the first failure since the last success. */
  readonly failingSince: string | null;
  /** 1 if a connection or sign-in to the server has failed since the last success. */
  readonly unreachable: number | null;
  readonly succeededAt: string | null;
  /** The last error of the server, or of a message that is refused; shown only to admins. */
  readonly error: string | null;
}

/** A failure of the channel itself. The rejection of one recipient is not such a failure. */
export interface ChannelFailure {
  readonly unreachable: boolean;
}

/** Marks the channel as working. Writes at most once a minute if it was working before. */
const worked = (channel: Channel, at: string): Statement =>
  sql`INSERT INTO channels (name, succeeded_at) VALUES (${channel}, ${at})
      ON CONFLICT (name) DO UPDATE SET failing_since = NULL, error = NULL, unreachable = 0, succeeded_at = ${at}
        WHERE failing_since IS NOT NULL OR succeeded_at IS NULL
          OR succeeded_at NOT BETWEEN ${timeAfter(at, -60_000)} AND ${at}`;

const failedWith = (channel: Channel, error: string, at: string, { unreachable }: ChannelFailure): Statement =>
  sql`INSERT INTO channels (name, failing_since, error, unreachable)
      VALUES (${channel}, ${at}, ${error}, ${unreachable ? 1 : 0})
      ON CONFLICT (name) DO UPDATE SET failing_since = coalesce(failing_since, excluded.failing_since),
        error = excluded.error, unreachable = max(unreachable, excluded.unreachable)`;

/**
 * If the channel has been failing, makes the messages that wait for a retry due now. Run this statement before
 * {@link worked}, which clears `failing_since`.
 */
const dueAfterOutage = (channel: Channel, at: string): Statement =>
  sql`UPDATE ${waiting[channel]} SET due_at = ${at}
      WHERE ${unsent} AND status = 'retrying' AND ${goesBy[channel]} AND leased_until IS NULL
        AND EXISTS (SELECT 1 FROM channels WHERE name = ${channel} AND failing_since IS NOT NULL)`;

const among = (messages: readonly DueMessage[]): Statement =>
  sql`id IN (SELECT value FROM json_each(${JSON.stringify(messages.map(({ id }) => id))}))`;

export function outboxStore(database: Database) {
  return {
    /**
     * Takes due messages of this channel and reserves them until `leasedUntil`, so no other instance sends them before
     * that time. A message also counts as due if its due time is further in the future than any retry, because such a
     * time comes from a wrong clock.
     * @returns groups of messages. Each group is sent as one message.
     */
    async take(channel: Channel, now: string, leasedUntil: string, limit: number): Promise<DueMessage[][]> {
      const horizon = timeAfter(now, longestWaitMs);
      // `~` sorts after every time that begins with `now`, so messages that are due at `now` are taken too.
      const due = sql`${unsent} AND due_at NOT BETWEEN ${`${now}~`} AND ${horizon}
        AND (leased_until IS NULL OR leased_until NOT BETWEEN ${now} AND ${horizon}) AND ${goesBy[channel]}`;
      const [taken] = await database.write(
        sql`UPDATE outbox SET leased_until = ${leasedUntil}, attempts = attempts + 1,
              first_tried_at = coalesce(first_tried_at, ${now})
            WHERE id IN (
              SELECT id FROM (SELECT id FROM ${waiting[channel]} WHERE ${due} AND digest = 0
                ORDER BY due_at LIMIT ${limit})
              UNION ALL
              SELECT id FROM (SELECT id FROM ${waiting[channel]} WHERE ${due} AND digest = 1 AND (audience, recipient) =
                (SELECT audience, recipient FROM ${waiting[channel]} WHERE ${due} AND digest = 1 ORDER BY due_at LIMIT 1)
                LIMIT ${digestSize})
            )
            RETURNING id, submission, audience, recipient, subject, text, attempts, first_tried_at, digest`,
      );
      const messages = (taken?.rows ?? []).map((row) => record<DueMessage & { digest: number }>(row));
      const listed = messages.filter(({ digest }) => digest === 1);
      const singles = messages.filter(({ digest }) => digest === 0).map((message) => [message]);
      return [...singles, ...(listed.length > 0 ? [listed] : [])];
    },

    /** Returns the state of a channel, in one statement, because the scheduled work asks for it every minute. */
    async state(channel: Channel, at: Date): Promise<ChannelState> {
      const after = (ms: number) => new Date(at.getTime() + ms).toISOString();
      const toFirm = sql`submission IS NOT NULL AND audience <> 'sender'`;
      const stuck = sql`status = 'retrying' AND ${toFirm}
        AND (first_tried_at < ${after(-greylistMs)} OR due_at > ${after(refusedWaitMs)})`;
      const failed = sql`FROM ${givenUp} WHERE status = 'failed' AND ${goesBy[channel]} AND submission IS NOT NULL`;
      const [row] = await database.read(
        sql`SELECT o.*, c.failing_since, c.unreachable, c.succeeded_at, coalesce(c.error, o.refusal) AS error FROM (
          SELECT count(*) AS waiting, count(*) FILTER (WHERE due_at < ${after(-overdueMs)}) AS overdue,
            count(*) FILTER (WHERE ${stuck}) AS stuck,
            min(first_tried_at) FILTER (WHERE status = 'retrying' AND ${toFirm}) AS refused_since,
            (SELECT count(*) ${failed} AND audience <> 'sender') AS failed,
            count(*) FILTER (WHERE status = 'retrying') + (SELECT count(*) ${failed}
              AND (audience <> 'sender' OR due_at > ${after(-acknowledgmentsResentMs)})) AS resendable,
            coalesce(max(error) FILTER (WHERE ${stuck}), (SELECT max(error) ${failed} AND audience <> 'sender')) AS refusal
          FROM ${waiting[channel]} WHERE ${unsent} AND ${goesBy[channel]}
        ) AS o LEFT JOIN channels AS c ON c.name = ${channel}`,
      );
      return record<ChannelState>(row!);
    },

    async sent(channel: Channel, messages: readonly DueMessage[], at: string): Promise<void> {
      await database.write(
        sql`UPDATE outbox SET status = 'sent', sent_at = ${at}, error = NULL, leased_until = NULL WHERE ${among(messages)}`,
        dueAfterOutage(channel, at),
        worked(channel, at),
      );
    },

    /**
     * Records a failed try to send messages.
     * @param dueAt the time of the next try; null for no further try.
     * @param failure null if only this recipient was rejected, which does not mean that the channel fails.
     */
    async refused(
      channel: Channel,
      messages: readonly DueMessage[],
      {
        error,
        at,
        dueAt,
        failure,
      }: { error: string; at: string; dueAt: string | null; failure: ChannelFailure | null },
    ): Promise<void> {
      await database.write(
        sql`UPDATE outbox SET status = ${dueAt === null ? 'failed' : 'retrying'}, due_at = ${dueAt ?? at},
              error = ${error}, leased_until = NULL WHERE ${among(messages)}`,
        ...(failure ? [failedWith(channel, error, at, failure)] : []),
      );
    },

    /** Records that a channel does not work. */
    async channelFails(channel: Channel, error: string, at: string): Promise<void> {
      await database.write(failedWith(channel, error, at, { unreachable: false }));
    },

    /** Records that a channel works, and makes its waiting messages due. */
    async channelWorks(channel: Channel, at: string): Promise<void> {
      await database.write(dueAfterOutage(channel, at), worked(channel, at));
    },

    /** Makes the waiting messages of a channel due, without recording that the channel works. */
    async tryNow(channel: Channel, at: string): Promise<void> {
      await database.write(dueAfterOutage(channel, at));
    },

    /** Releases the messages that a stopped process had reserved, so they can be sent now. */
    async releaseLeases(): Promise<void> {
      await database.write(sql`UPDATE outbox SET leased_until = NULL WHERE ${unsent} AND leased_until IS NOT NULL`);
    },

    /**
     * Queues a message about a submission in the inbox again, with another day of tries.
     * @returns false if there is no message: the submission is in quarantine, or arrived before a webhook was set up.
     */
    async again(submission: string, audience: Audience, at: string): Promise<boolean> {
      const [updated] = await database.write(
        sql`UPDATE outbox SET id = ${randomUUID()}, status = 'waiting', digest = 0, attempts = 0, first_tried_at = NULL,
              due_at = ${at}, leased_until = NULL, sent_at = NULL, error = NULL
            WHERE submission = ${submission} AND audience = ${audience}
              AND EXISTS (SELECT 1 FROM submissions s WHERE s.id = ${submission} AND s.status = 'inbox')`,
      );
      return updated?.rowsAffected === 1;
    },

    /**
     * Makes failed emails due now, and gives each another day of tries: emails that are being retried, emails to the
     * firm that the site stopped trying to send, and acknowledgments that failed after `acknowledgedAfter`.
     * @param limit the most emails that this call queues.
     * @returns the number of queued emails.
     */
    async queueFailedMail(at: string, acknowledgedAfter: string, limit: number): Promise<number> {
      const [queued] = await database.write(
        sql`UPDATE outbox SET status = 'waiting', attempts = 0, first_tried_at = NULL, due_at = ${at},
              leased_until = NULL, error = NULL
            WHERE id IN (
              SELECT id FROM ${waiting.mail} WHERE ${unsent} AND status = 'retrying' AND ${goesBy.mail}
                AND (leased_until IS NULL OR leased_until <= ${at})
              UNION ALL
              SELECT id FROM ${givenUp} WHERE status = 'failed' AND ${goesBy.mail} AND submission IS NOT NULL
                AND (audience <> 'sender' OR due_at > ${acknowledgedAfter})
              LIMIT ${limit}
            )`,
      );
      return queued?.rowsAffected ?? 0;
    },

    /** Deletes unsent messages of a channel that is no longer configured. Each call deletes a limited number. */
    async forget(channel: Channel): Promise<void> {
      const some = (rows: Statement, state: Statement) =>
        sql`DELETE FROM outbox WHERE id IN (SELECT id FROM ${rows} WHERE ${state} AND ${goesBy[channel]} LIMIT 1000)`;
      await database.write(
        some(waiting[channel], unsent),
        some(givenUp, sql`status = 'failed'`),
        sql`DELETE FROM channels WHERE name = ${channel}`,
      );
    },

    /**
     * Adds a notice for each recipient, unless a notice with this key was added before.
     * @param notice.recipients admins' email addresses. An empty string means the webhook.
     * @returns whether this call added the notice.
     */
    async addNotice(
      { key, recipients, subject, text }: { key: string; recipients: readonly string[]; subject: string; text: string },
      at: string,
    ): Promise<boolean> {
      const messages = [...new Set(recipients)].map((recipient) => {
        const audience = recipient === '' ? ('webhook' as const) : ('admin' as const);
        return { audience, recipient, subject, text, key };
      });
      const isNew = sql`NOT EXISTS (SELECT 1 FROM outbox WHERE key = ${key})`;
      const [added] = await database.write(addMessages(null, messages, at, isNew));
      return (added?.rowsAffected ?? 0) > 0;
    },
  };
}
