import type { Row } from '@libsql/client/http';
import { deleteSomeBy } from '../db/bounded-delete.ts';
import { type Database, type Statement, sql, text } from '../db/database.ts';

/**
 * Who a message is for: the firm, the person who sent the inquiry or application, or an admin, by email; or the firm's chat,
 * by its webhook.
 */
export type Audience = 'firm' | 'sender' | 'admin' | 'webhook';

/** A way out of the outbox. Each is worked off by itself: where one is slow or away, the other does not wait for it. */
export type Channel = 'mail' | 'webhook';

/** Whose messages go out by which way: literally as the indexes of what is due say it. */
const goesBy = { mail: `audience <> 'webhook'`, webhook: `audience = 'webhook'` } as const;

export type SubmissionKind = 'inquiry' | 'application';

/** What a message is about. */
type MessageKind = SubmissionKind | 'notice';

interface MessageKey {
  readonly kind: MessageKind;
  /** Of the inquiry, the application or the notice. */
  readonly id: string;
  readonly audience: Audience;
}

/** A message that is to be sent now. It holds no text: that is made from its subject when it is sent. */
export interface DueMessage extends MessageKey {
  /** Counts 'Send again', so that each has an id of its own and each try of it the same. */
  readonly generation: number;
  readonly attempts: number;
  /** ISO 8601, UTC. */
  readonly firstTriedAt: string;
}

/** Longer than the wait before any retry. */
const longestWaitMs = 2 * 60 * 60_000;

const minuteBefore = (at: string): string => new Date(Date.parse(at) - 60_000).toISOString();

const tableOf = { inquiry: 'inquiries', application: 'applications' } as const;

interface OutboxTally {
  readonly waiting: number;
  readonly overdue: number;
  /** Messages to the firm or an admin that were tried before `triedBefore` and were not accepted since. */
  readonly stuck: number;
  /** Messages to the firm that were given up. */
  readonly failed: number;
  /** Acknowledgements to visitors that were given up: usually an address that does not exist. */
  readonly undeliverable: number;
  /** ISO 8601, UTC. */
  readonly oldestAt: string | null;
}

/** Whether a channel works, as the last messages show. Times are ISO 8601, UTC. */
export interface ChannelState {
  /** The first failure since the last success. */
  readonly failingSince: string | null;
  /** Failures since the last success. */
  readonly failures: number;
  /** What the server last said; for admins alone. */
  readonly error: string | null;
  /** True when, since the last success, the server could not be reached or signed in to. */
  readonly unreachable: boolean;
  readonly succeededAt: string | null;
}

/** A failure of the channel itself, in contrast to a refusal of one recipient. */
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

/** Marks the channel as working. Rows that say so already are written once a minute at most. */
const worked = (channel: Channel, at: string, minuteAgo: string): Statement =>
  sql(
    `INSERT INTO channels (name, succeeded_at) VALUES (?1, ?2)
     ON CONFLICT (name) DO UPDATE SET failing_since = NULL, failures = 0, error = NULL, unreachable = 0, succeeded_at = ?2
       WHERE failing_since IS NOT NULL OR succeeded_at IS NULL OR succeeded_at NOT BETWEEN ?3 AND ?2`,
    channel,
    at,
    minuteAgo,
  );

/** After an outage, what waits goes out now instead of at its next try. Run before {@link worked}. */
const dueAfterOutage = (channel: Channel, at: string): Statement =>
  sql(
    `UPDATE outbox SET due_at = ?1 WHERE status = 'retrying' AND ${goesBy[channel]} AND leased_until IS NULL
       AND EXISTS (SELECT 1 FROM channels WHERE name = ?2 AND failing_since IS NOT NULL)`,
    at,
    channel,
  );

export function outboxStore(database: Database) {
  return {
    /**
     * Takes messages of this channel that are due, and holds them until `leasedUntil`: no other instance sends them meanwhile, and one that
     * dies in the middle does not keep them. A time further away than any retry is that of a clock that was wrong, so it counts as due.
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
          // Just after now: what is due now is taken.
          `${now}~`,
          horizon,
        ),
      );
      return (taken?.rows ?? []).map(toDueMessage);
    },

    /** Of this channel: how much waits, how much of it was due before `overdueBefore`, and what was given up. */
    async tally(channel: Channel, overdueBefore: string, triedBefore: string): Promise<OutboxTally> {
      // Each part by the index of its own few rows, among all that were ever sent.
      const [row] = await database.read(
        sql(
          `SELECT count(*) AS waiting, count(*) FILTER (WHERE due_at < ?1) AS overdue,
             count(*) FILTER (WHERE status = 'retrying' AND audience <> 'sender' AND first_tried_at < ?2) AS stuck,
             min(coalesce(first_tried_at, due_at)) AS oldest,
             (SELECT count(*) FROM outbox WHERE status = 'failed' AND ${goesBy[channel]}
               AND audience <> 'sender' AND kind <> 'notice') AS failed,
             (SELECT count(*) FROM outbox WHERE status = 'failed' AND ${goesBy[channel]} AND audience = 'sender') AS undeliverable
           FROM outbox
           WHERE status IN ('waiting', 'retrying') AND ${goesBy[channel]}`,
          overdueBefore,
          triedBefore,
        ),
      );
      return {
        waiting: Number(row?.waiting ?? 0),
        overdue: Number(row?.overdue ?? 0),
        stuck: Number(row?.stuck ?? 0),
        failed: Number(row?.failed ?? 0),
        undeliverable: Number(row?.undeliverable ?? 0),
        oldestAt: typeof row?.oldest === 'string' ? row.oldest : null,
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

    /** Not sent, on purpose. @param reason for the admin. */
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
     * @param dueAt when it is tried next; null gives it up.
     * @param failure null when only this recipient was refused, which says nothing about the channel.
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

    /** Notes that the server of a channel works, so what waits for it goes out now. */
    async channelWorks(channel: Channel, at: string): Promise<void> {
      await database.write(dueAfterOutage(channel, at), worked(channel, at, minuteBefore(at)));
    },

    /** Makes what waits for a server due now, without a word on whether the server works. */
    async tryNow(channel: Channel, at: string): Promise<void> {
      await database.write(dueAfterOutage(channel, at));
    },

    /** Ends the leases of a process that is gone, so what it had in hand goes out now. */
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
     * 'Send again': a new message with a fresh day of tries.
     * @returns false where there is none: it is in quarantine, or came before the chat had a webhook.
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

    /** Removes some of the unsent messages of a channel that is no longer configured. */
    async forget(channel: Channel): Promise<void> {
      // Two statements, so that each uses the index of its own few rows.
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
