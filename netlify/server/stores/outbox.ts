import type { Row } from '@libsql/client/http';
import { type Database, sql, text } from '../db/database.ts';

/** Who a mail is for: the firm, or the person who sent the inquiry or application. */
type Audience = 'firm' | 'sender';

/** What a mail is about. */
export type SubmissionKind = 'inquiry' | 'application';

interface MailKey {
  readonly kind: SubmissionKind;
  /** Of the inquiry or application. */
  readonly id: string;
  readonly audience: Audience;
}

/** A mail that is to be sent now. It holds no text: that is made from its subject when it is sent. */
export interface DueMail extends MailKey {
  /** Counts 'Send again', so that each has a Message-ID of its own and each try of it the same. */
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
     * Takes mails that are due, and holds them until `leasedUntil`: no other instance sends them meanwhile, and one that
     * dies in the middle does not keep them.
     */
    async take(now: string, leasedUntil: string, limit: number): Promise<DueMail[]> {
      const [taken] = await database.write(
        sql(
          `UPDATE outbox SET leased_until = ?2, attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, ?1)
           WHERE (kind, id, audience) IN (
             SELECT kind, id, audience FROM outbox
             WHERE status IN ('waiting', 'retrying') AND due_at <= ?1 AND (leased_until IS NULL OR leased_until < ?1)
             ORDER BY due_at LIMIT ?3
           )
           RETURNING kind, id, audience, generation, attempts, first_tried_at`,
          now,
          leasedUntil,
          limit,
        ),
      );
      return (taken?.rows ?? []).map(toDueMail);
    },

    /** How much waits, how much of it was due before `overdueBefore`, how much was given up, and when the oldest came due. */
    async tally(overdueBefore: string): Promise<OutboxTally> {
      // Each part by the index of its own few rows, among all that were ever sent.
      const [row] = await database.read(
        sql(
          `SELECT count(*) AS waiting, count(*) FILTER (WHERE due_at < ?) AS overdue,
             min(coalesce(first_tried_at, due_at)) AS oldest,
             (SELECT count(*) FROM outbox WHERE status = 'failed') AS failed
           FROM outbox WHERE status IN ('waiting', 'retrying')`,
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

    async sent(mail: MailKey, at: string): Promise<void> {
      await database.write(
        sql(
          `UPDATE outbox SET status = 'sent', sent_at = ?, error = NULL, leased_until = NULL
           WHERE kind = ? AND id = ? AND audience = ?`,
          at,
          mail.kind,
          mail.id,
          mail.audience,
        ),
      );
    },

    /** @param dueAt when it is tried next; null gives it up. */
    async refused(mail: MailKey, error: string, at: string, dueAt: string | null): Promise<void> {
      await database.write(
        sql(
          `UPDATE outbox SET status = ?, due_at = ?, error = ?, leased_until = NULL
           WHERE kind = ? AND id = ? AND audience = ?`,
          dueAt === null ? 'failed' : 'retrying',
          dueAt ?? at,
          error,
          mail.kind,
          mail.id,
          mail.audience,
        ),
      );
    },

    /** 'Send again': a new mail with a fresh day of tries. @returns false where there is no mail: it is in quarantine. */
    async again({ kind, id, audience }: MailKey, at: string): Promise<boolean> {
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
  };
}

function toDueMail(row: Row): DueMail {
  return {
    kind: row.kind as SubmissionKind,
    id: text(row.id),
    audience: row.audience as Audience,
    generation: Number(row.generation),
    attempts: Number(row.attempts),
    firstTriedAt: text(row.first_tried_at),
  };
}
