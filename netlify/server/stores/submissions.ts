import type { Row, Value } from '@libsql/client/http';
import type { DeliveryState } from '../../../src/domain/delivery.ts';
import type { Page } from '../../../src/domain/paging.ts';
import {
  type SubmissionCounts,
  type SubmissionListQuery,
  type SubmissionPlace,
  type SubmissionStatus,
  idRangeOf,
  referenceOf,
} from '../../../src/domain/submission.ts';
import { type Database, type Statement, sql, text } from '../db/database.ts';
import { cursorCondition, cursorOf, searchExpression } from '../db/paging.ts';
import type { SubmissionKind } from './outbox.ts';

/** What of a submission is decided before it is stored, so that a retry writes the same row. */
export interface NewSubmission {
  readonly id: string;
  readonly status: SubmissionStatus;
  readonly suspicions: readonly string[];
  readonly createdAt: string;
  /**
   * The id that the same submission would have in the previous time window. If it exists, nothing is stored. A form that is
   * sent without scripts has no retry key.
   */
  readonly unlessStored?: string;
}

/** What became of a submission before it came into this database. */
export interface Past {
  /** When its mails went out; it is what they count as. */
  readonly mailedAt: string;
  readonly handledAt: string | null;
  readonly note: string;
}

// In the words of the partial indexes. Each index is named: left to itself the planner takes that of the status, and looks
// at every row of it.
const places: Readonly<Record<SubmissionPlace, { condition: string; index: string }>> = {
  inbox: { condition: `i.status = 'inbox' AND i.handled_at IS NULL`, index: 'open' },
  handled: { condition: `i.status = 'inbox' AND i.handled_at IS NOT NULL`, index: 'handled' },
  quarantine: { condition: `i.status = 'quarantine'`, index: 'by_time' },
};

interface SubmissionTable<T> {
  readonly kind: SubmissionKind;
  readonly table: 'inquiries' | 'applications';
  /** Columns of the visitor's own words. */
  readonly columns: readonly string[];
  /** Columns that only this table has, which the site sets. */
  readonly ownColumns?: readonly string[];
  readonly toRecord: (row: Row) => T;
}

/** What else happens to a submission that reaches the inbox. */
export interface Notices {
  /** Whether to add a message to the firm's chat to the outbox. */
  readonly webhook: boolean;
}

/** The verbs that inquiries and applications share, on the table of either, with their messages joined to each row. */
export function submissionTable<T>(
  database: Database,
  { kind, table, columns, ownColumns = [], toRecord }: SubmissionTable<T>,
  notices: Notices,
) {
  const from = (place: SubmissionPlace) => `${table} i INDEXED BY ${table}_${places[place].index}`;
  const selectFrom = (rows: string) => `
    SELECT i.seq, i.id, ${[...columns, ...ownColumns].map((column) => `i.${column}`).join(', ')}, i.status, i.suspicions, i.created_at, i.handled_at, i.note,
      f.status AS firm_status, coalesce(f.sent_at, f.due_at) AS firm_at, f.error AS firm_error,
      s.status AS sender_status, coalesce(s.sent_at, s.due_at) AS sender_at, s.error AS sender_error
      ${notices.webhook ? ', w.status AS webhook_status, coalesce(w.sent_at, w.due_at) AS webhook_at, w.error AS webhook_error' : ''}
    FROM ${rows}
    LEFT JOIN outbox f ON f.kind = '${kind}' AND f.id = i.id AND f.audience = 'firm'
    LEFT JOIN outbox s ON s.kind = '${kind}' AND s.id = i.id AND s.audience = 'sender'
    ${notices.webhook ? `LEFT JOIN outbox w ON w.kind = '${kind}' AND w.id = i.id AND w.audience = 'webhook'` : ''}`;

  const get = async (id: string): Promise<T | null> => {
    const [row] = await database.read(sql(`${selectFrom(`${table} i`)} WHERE i.id = ?`, id));
    return row ? toRecord(row) : null;
  };

  /** Words anywhere in it, or its reference as the visitor reads it out. */
  const searchCondition = (q: string): Statement | null => {
    const words = searchExpression(q);
    if (!words) return null;
    // The plus makes SQLite use the index for the order, so it sorts nothing if a word is in every row.
    const byWords = sql(`+i.seq IN (SELECT rowid FROM ${table}_words WHERE ${table}_words MATCH ?)`, words);
    const range = idRangeOf(q);
    return range ? sql(`(${byWords.sql} OR (i.id >= ? AND i.id < ?))`, ...byWords.args, range.from, range.to) : byWords;
  };

  return {
    get,

    /**
     * Stores a submission; the schema puts its two mails into the outbox with it, unless it is held in quarantine, and so
     * does the same transaction with the message to the chat where there is one. Storing it again changes nothing.
     * @param values in the order of the table's own columns.
     * @returns the id under which it stands, and whether this call stored it.
     */
    insert: async (
      submission: NewSubmission,
      values: readonly (string | number)[],
    ): Promise<{ id: string; created: boolean }> => {
      const { id, status, suspicions, createdAt, unlessStored } = submission;
      const notice =
        notices.webhook && status === 'inbox'
          ? [
              // Before the row, so a retry of a stored submission adds no message.
              sql(
                `INSERT INTO outbox (kind, id, audience, status, due_at)
                 SELECT '${kind}', ?, 'webhook', 'waiting', ? WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE id IN (?, ?))`,
                id,
                createdAt,
                id,
                unlessStored ?? id,
              ),
            ]
          : [];
      const results = await database.write(
        ...notice,
        sql(
          `INSERT INTO ${table} (id, ${columns.join(', ')}, status, suspicions, created_at)
           SELECT ?, ${columns.map(() => '?').join(', ')}, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE id = ?)
           ON CONFLICT (id) DO NOTHING`,
          id,
          ...values,
          status,
          JSON.stringify(suspicions),
          createdAt,
          unlessStored ?? id,
        ),
      );
      const created = results.at(-1)?.rowsAffected === 1;
      if (created || unlessStored === undefined) return { id, created };
      const [earlier] = await database.read(sql(`SELECT id FROM ${table} WHERE id IN (?, ?)`, id, unlessStored));
      return { id: earlier ? text(earlier.id) : id, created };
    },

    /**
     * Stores many submissions with their delivery state, in one transaction, so none of their emails is sent. The chat gets no
     * message. Existing submissions are not changed.
     * @returns how many were stored.
     */
    insertPast: async (
      rows: readonly { submission: NewSubmission & Past; values: readonly (string | number)[] }[],
    ): Promise<number> => {
      const results = await database.write(
        ...rows.flatMap(({ submission, values }) => {
          const { id, status, suspicions, createdAt, mailedAt, handledAt, note } = submission;
          return [
            sql(
              `INSERT INTO ${table} (id, ${columns.join(', ')}, status, suspicions, created_at, handled_at, note)
               VALUES (?, ${columns.map(() => '?').join(', ')}, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
              ...[id, ...values, status, JSON.stringify(suspicions), createdAt, handledAt, note],
            ),
            sql(
              `UPDATE outbox SET status = 'sent', sent_at = ? WHERE kind = '${kind}' AND id = ? AND status = 'waiting'`,
              mailedAt,
              id,
            ),
          ];
        }),
      );
      return results.filter(({ rowsAffected }, index) => index % 2 === 0 && rowsAffected === 1).length;
    },

    /** A page of one place, newest first unless asked otherwise. */
    async list(query: SubmissionListQuery): Promise<Page<T>> {
      const descending = query.sort === '-createdAt';
      const conditions = [sql(places[query.status].condition)];
      const search = searchCondition(query.q);
      if (search) conditions.push(search);
      if (query.cursor) conditions.push(cursorCondition(query.cursor, 'i.created_at', 'i.seq', descending));
      const direction = descending ? 'DESC' : 'ASC';
      const rows = await database.read(
        sql(
          `${selectFrom(from(query.status))} WHERE ${conditions.map((condition) => condition.sql).join(' AND ')}
           ORDER BY i.created_at ${direction}, i.seq ${direction} LIMIT ?`,
          ...conditions.flatMap((condition) => condition.args),
          query.limit + 1,
        ),
      );
      const page = rows.slice(0, query.limit);
      const last = page.at(-1);
      return {
        data: page.map(toRecord),
        nextCursor: rows.length > query.limit && last ? cursorOf(text(last.created_at), Number(last.seq)) : null,
      };
    },

    async counts(): Promise<SubmissionCounts> {
      const count = (place: SubmissionPlace) =>
        `(SELECT count(*) FROM ${from(place)} WHERE ${places[place].condition}) AS ${place}`;
      const [row] = await database.read(sql(`SELECT ${count('inbox')}, ${count('handled')}, ${count('quarantine')}`));
      return { inbox: Number(row?.inbox), handled: Number(row?.handled), quarantine: Number(row?.quarantine) };
    },

    /** How many came since a time and are in quarantine. */
    async quarantinedSince(since: string): Promise<number> {
      const [row] = await database.read(
        sql(`SELECT count(*) AS count FROM ${table} WHERE status = 'quarantine' AND created_at > ?`, since),
      );
      return Number(row?.count);
    },

    /**
     * Takes it out of quarantine; its messages are due at that time. The schema's trigger would make the emails due when the
     * submission came, so an old one would count as overdue.
     * @returns null where there is none.
     */
    async release(id: string, at: string): Promise<T | null> {
      const audiences = ['firm', 'sender', ...(notices.webhook ? ['webhook'] : [])];
      const messages = audiences.map((audience) =>
        sql(
          `INSERT INTO outbox (kind, id, audience, status, due_at)
           SELECT '${kind}', id, '${audience}', 'waiting', ?2 FROM ${table} WHERE id = ?1 AND status = 'quarantine'
           ON CONFLICT (kind, id, audience) DO NOTHING`,
          id,
          at,
        ),
      );
      await database.write(...messages, sql(`UPDATE ${table} SET status = 'inbox' WHERE id = ?`, id));
      return await get(id);
    },

    /** Puts it into quarantine; a message that has not gone out stays in. @returns null where there is none. */
    async quarantine(id: string): Promise<T | null> {
      await database.write(
        sql(`UPDATE ${table} SET status = 'quarantine', handled_at = NULL WHERE id = ?`, id),
        sql(`DELETE FROM outbox WHERE kind = ? AND id = ? AND status <> 'sent'`, kind, id),
      );
      return await get(id);
    },

    /** @param at when an admin was done with it; null opens it again. @returns null where there is none. */
    async handle(id: string, at: string | null): Promise<T | null> {
      await database.write(sql(`UPDATE ${table} SET handled_at = ? WHERE id = ? AND status = 'inbox'`, at, id));
      return await get(id);
    },

    /** Those of a person, upper and lower case of the address alike. */
    async idsOf(email: string): Promise<string[]> {
      const rows = await database.read(
        sql(`SELECT id FROM ${table} WHERE lower(email) = lower(?) ORDER BY seq`, email),
      );
      return rows.map((row) => text(row.id));
    },

    /** Whose they are, in the order of `seq`, for a comparison with hashes. @param after the last `seq` of the page before. */
    async senders(
      after: number,
      limit: number,
    ): Promise<{ seq: number; id: string; email: string; createdAt: string }[]> {
      const rows = await database.read(
        sql(`SELECT seq, id, email, created_at FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`, after, limit),
      );
      return rows.map((row) => ({
        seq: Number(row.seq),
        id: text(row.id),
        email: text(row.email),
        createdAt: text(row.created_at),
      }));
    },

    /** Removes it for good; the schema removes its words and its messages with it. */
    async remove(id: string): Promise<void> {
      await database.write(sql(`DELETE FROM ${table} WHERE id = ?`, id));
    },

    /**
     * Keeps the admins' note, unless another one than `was` is stored.
     * @returns the submission as it is then; null where there is none.
     */
    async annotate(id: string, note: string, was?: string): Promise<T | null> {
      await database.write(
        sql(`UPDATE ${table} SET note = ?2 WHERE id = ?1 AND note = coalesce(?3, note)`, id, note, was ?? null),
      );
      return await get(id);
    },
  };
}

export interface SubmissionVerbs<T> extends Omit<
  ReturnType<typeof submissionTable<T>>,
  'insert' | 'insertPast' | 'counts'
> {
  /** @param at now, for those that count by time. */
  counts(at: string): Promise<SubmissionCounts>;
}

/** What every record of a submission has beside the visitor's own words. */
export function commonFields(row: Row) {
  const delivery = (status: Value | undefined, at: Value | undefined, error: Value | undefined): DeliveryState =>
    typeof status === 'string'
      ? { status: status as DeliveryState['status'], at: text(at), error: typeof error === 'string' ? error : null }
      : { status: 'none', at: null, error: null };
  const id = text(row.id);
  return {
    id,
    reference: referenceOf(id),
    createdAt: row.created_at,
    status: row.status,
    suspicions: JSON.parse(text(row.suspicions)) as unknown,
    handledAt: row.handled_at,
    note: row.note,
    delivery: {
      firm: delivery(row.firm_status, row.firm_at, row.firm_error),
      sender: delivery(row.sender_status, row.sender_at, row.sender_error),
      webhook: delivery(row.webhook_status, row.webhook_at, row.webhook_error),
    },
  };
}
