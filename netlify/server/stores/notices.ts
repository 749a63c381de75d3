import { randomUUID } from 'node:crypto';
import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, sql, text } from '../db/database.ts';
import { addMessages } from './outbox.ts';

/** An email to one admin, or a message to the webhook. The text is written when the notice is created. */
export interface NoticeRecord {
  readonly id: string;
  /** An email address; empty for the webhook. */
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export interface NewNotice {
  /** Identifies the notice. A second notice with the same key is not stored. */
  readonly key: string;
  /** Groups notices for the limit in `create`: at most `dailyLimit` different keys of one kind to these recipients in 24 hours. */
  readonly kind: string;
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** Messages from the site to its admins. Each one is added to the outbox. */
export function noticeStore(database: Database) {
  return {
    /**
     * Stores a notice for each recipient. Does nothing if the key was used before, or if `dailyLimit` different keys of
     * the kind were stored for these recipients since `dayAgo`.
     * @returns whether this call stored the notice.
     */
    async create(
      { key, kind, recipients, subject, text: words }: NewNotice,
      { at, dayAgo, dailyLimit }: { at: string; dayAgo: string; dailyLimit: number },
    ): Promise<boolean> {
      const notices = [...new Set(recipients)].map((recipient) => ({ id: randomUUID(), recipient }));
      const allowed = sql(
        `NOT EXISTS (SELECT 1 FROM notices WHERE key = ?)
           AND (SELECT count(DISTINCT key) FROM notices WHERE kind = ? AND created_at > ?
                  AND recipient IN (SELECT value FROM json_each(?))) < ?`,
        ...[key, kind, dayAgo, JSON.stringify(recipients), dailyLimit],
      );
      const results = await database.write(
        ...notices.map(({ id, recipient }) =>
          addMessages({ kind: 'notice', id, audiences: [recipient === '' ? 'webhook' : 'admin'], at }, allowed),
        ),
        sql(
          `INSERT INTO notices (id, key, kind, recipient, subject, text, created_at)
           SELECT value ->> 'id', ?, ?, value ->> 'recipient', ?, ?, ? FROM json_each(?) WHERE ${allowed.sql}`,
          ...[key, kind, subject, words, at, JSON.stringify(notices)],
          ...allowed.args,
        ),
      );
      return (results.at(-1)?.rowsAffected ?? 0) > 0;
    },

    async get(id: string): Promise<NoticeRecord | null> {
      const [row] = await database.read(
        sql('SELECT id, recipient, subject, text, created_at FROM notices WHERE id = ?', id),
      );
      return row
        ? {
            id: text(row.id),
            recipient: text(row.recipient),
            subject: text(row.subject),
            text: text(row.text),
            createdAt: text(row.created_at),
          }
        : null;
    },

    /** Removes old notices, with their rows in the outbox. */
    async removeBefore(at: string): Promise<void> {
      await database.write(deleteSome('notices', 'created_at < ?', at));
    },
  };
}
