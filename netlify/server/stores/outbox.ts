import type { Row } from '@libsql/client/http';
import { type Database, sql, text } from '../db/database.ts';

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

const tableOf = { inquiry: 'inquiries', application: 'applications' } as const;

interface OutboxTally {
  readonly waiting: number;
  readonly overdue: number;
  readonly failed: number;
  /** ISO 8601, UTC. */
  readonly oldestAt: string | null;
}

export function outboxStore(database: Database) {
  return {
    /**
     * Takes messages of this channel that are due, and holds them until `leasedUntil`: no other instance sends them meanwhile, and one that
     * dies in the middle does not keep them.
     */
    async take(channel: Channel, now: string, leasedUntil: string, limit: number): Promise<DueMessage[]> {
      const [taken] = await database.write(
        sql(
          `UPDATE outbox SET leased_until = ?2, attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, ?1)
           WHERE (kind, id, audience) IN (
             SELECT kind, id, audience FROM outbox
             WHERE status IN ('waiting', 'retrying') AND due_at <= ?1 AND (leased_until IS NULL OR leased_until < ?1)
               AND ${goesBy[channel]}
             ORDER BY due_at LIMIT ?3
           )
           RETURNING kind, id, audience, generation, attempts, first_tried_at`,
          now,
          leasedUntil,
          limit,
        ),
      );
      return (taken?.rows ?? []).map(toDueMessage);
    },

    /**
     * Of this channel: how much waits, how much of it was due before `overdueBefore`, how much was given up, and when
     * the oldest came due.
     */
    async tally(channel: Channel, overdueBefore: string): Promise<OutboxTally> {
      // Each part by the index of its own few rows, among all that were ever sent.
      const [row] = await database.read(
        sql(
          `SELECT count(*) AS waiting, count(*) FILTER (WHERE due_at < ?1) AS overdue,
             min(coalesce(first_tried_at, due_at)) AS oldest,
             (SELECT count(*) FROM outbox WHERE status = 'failed' AND ${goesBy[channel]}) AS failed
           FROM outbox
           WHERE status IN ('waiting', 'retrying') AND ${goesBy[channel]}`,
          overdueBefore,
        ),
      );
      return {
        waiting: Number(row?.waiting ?? 0),
        overdue: Number(row?.overdue ?? 0),
        failed: Number(row?.failed ?? 0),
        oldestAt: typeof row?.oldest === 'string' ? row.oldest : null,
      };
    },

    async sent(message: MessageKey, at: string): Promise<void> {
      await database.write(
        sql(
          `UPDATE outbox SET status = 'sent', sent_at = ?, error = NULL, leased_until = NULL
           WHERE kind = ? AND id = ? AND audience = ?`,
          at,
          message.kind,
          message.id,
          message.audience,
        ),
      );
    },

    /** @param dueAt when it is tried next; null gives it up. */
    async refused(message: MessageKey, error: string, at: string, dueAt: string | null): Promise<void> {
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

    /** Takes out what was not sent by a channel that is there no more. */
    async forget(channel: Channel): Promise<void> {
      // Two statements, so that each goes by the index of its own few rows.
      await database.write(
        sql(`DELETE FROM outbox WHERE status IN ('waiting', 'retrying') AND ${goesBy[channel]}`),
        sql(`DELETE FROM outbox WHERE status = 'failed' AND ${goesBy[channel]}`),
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
