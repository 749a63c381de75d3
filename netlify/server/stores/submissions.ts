import type { InValue, Row, Value } from '@libsql/client/http';
import type { DeliveryState } from '../../../src/domain/delivery.ts';
import type { Fields, InputOf } from '../../../src/domain/field.ts';
import type { Page } from '../../../src/domain/paging.ts';
import {
  type SubmissionCounts,
  type SubmissionListQuery,
  type SubmissionFolder,
  type SubmissionStatus,
  idRangeOf,
  referenceOf,
} from '../../../src/domain/submission.ts';
import { type Database, type Statement, sql, text } from '../db/database.ts';
import { cursorCondition, pageFrom, searchExpression } from '../db/paging.ts';
import { type Audience, type SubmissionKind, addMessages } from './outbox.ts';

/** A new submission. Its id and status are determined before it is stored, so a retry writes the same row. */
export interface NewSubmission {
  readonly id: string;
  readonly status: SubmissionStatus;
  readonly suspicions: readonly string[];
  readonly createdAt: string;
  /**
   * The id that the same text would have had in the previous 10-minute window. If a row has this id, the form was sent
   * twice, and nothing is stored. Set only for a form without JavaScript: such a form has no retry key, so its id is a
   * hash of its text and of the current window.
   */
  readonly unlessStored?: string;
}

/** The delivery and handling of a sample submission (host/commands/seed.ts). */
export interface Past {
  /** When the emails of the submission were sent. The outbox stores them as sent at this time. */
  readonly mailedAt: string;
  readonly handledAt: string | null;
  readonly note: string;
}

// The conditions match the partial indexes. Queries name the index (INDEXED BY), because SQLite's planner would
// otherwise choose the index on the status and read all rows with that status.
const folders: Readonly<Record<SubmissionFolder, { condition: string; index: string }>> = {
  inbox: { condition: `i.status = 'inbox' AND i.handled_at IS NULL`, index: 'open' },
  handled: { condition: `i.status = 'inbox' AND i.handled_at IS NOT NULL`, index: 'handled' },
  quarantine: { condition: `i.status = 'quarantine'`, index: 'by_time' },
};

/** A new submission with the visitor's input. */
export interface Filled<F extends Fields> extends NewSubmission {
  readonly input: InputOf<F>;
}

interface SubmissionTable<F extends Fields, T, New extends Filled<F>> {
  readonly kind: SubmissionKind;
  readonly table: 'inquiries' | 'applications';
  /** The fields of the form. Each is a column ({@link columnOf}). */
  readonly fields: F;
  /** Returns the values of further columns that are stored with a new submission. */
  readonly extra?: (submission: New) => Readonly<Record<string, InValue>>;
  /** Columns of this table in addition to the fields. */
  readonly ownColumns?: readonly string[];
  readonly toRecord: (row: Row) => T;
}

/** Returns the column of a field, for example `full_name` for `fullName`. */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The messages that a submission in the inbox has in addition to its two emails. */
export interface Notices {
  /** True if the outbox also gets a message for the firm's chat. */
  readonly webhook: boolean;
}

/** Creates the store functions that inquiries and applications share. Queries join each row with its messages. */
export function submissionTable<F extends Fields, T, New extends Filled<F>>(
  database: Database,
  { kind, table, fields, extra = () => ({}), ownColumns = [], toRecord }: SubmissionTable<F, T, New>,
  notices: Notices,
) {
  const columns = [...Object.keys(fields).map(columnOf), ...ownColumns];
  const emails: readonly Audience[] = ['firm', 'sender'];
  const everyAudience: readonly Audience[] = notices.webhook ? [...emails, 'webhook'] : emails;
  const notStored = (...ids: string[]): Statement =>
    sql(`NOT EXISTS (SELECT 1 FROM ${table} WHERE id IN (${ids.map(() => '?').join(', ')}))`, ...ids);
  const from = (folder: SubmissionFolder) => `${table} i INDEXED BY ${table}_${folders[folder].index}`;
  const selectFrom = (rows: string) => `
    SELECT i.seq, i.id, ${columns.map((column) => `i.${column}`).join(', ')}, i.status, i.suspicions, i.created_at, i.handled_at, i.note,
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

  /** Returns a condition that matches words in the search index, or the reference that visitors see. */
  const searchCondition = (q: string): Statement | null => {
    const words = searchExpression(q);
    if (!words) return null;
    // The plus in `+i.seq` keeps SQLite from looking up each match by `i.seq` and then sorting all matches. SQLite
    // reads the rows from an index that is already in the order of the list.
    const byWords = sql(`+i.seq IN (SELECT rowid FROM ${table}_words WHERE ${table}_words MATCH ?)`, words);
    const range = idRangeOf(q);
    return range ? sql(`(${byWords.sql} OR (i.id >= ? AND i.id < ?))`, ...byWords.args, range.from, range.to) : byWords;
  };

  /** Returns the row of a submission: its values by column. */
  const rowOf = (submission: New): Record<string, InValue> => {
    const { id, status, suspicions, createdAt } = submission;
    // A submission that waited in the blob store may lack a field that a newer version of the form has.
    const input: Readonly<Record<string, string | undefined>> = submission.input;
    return {
      id,
      ...Object.fromEntries(Object.keys(fields).map((name) => [columnOf(name), input[name] ?? ''])),
      ...extra(submission),
      status,
      suspicions: JSON.stringify(suspicions),
      created_at: createdAt,
    };
  };
  const insertRow = (row: Readonly<Record<string, InValue>>, unlessStored: string): Statement => {
    const names = Object.keys(row);
    return sql(
      `INSERT INTO ${table} (${names.join(', ')})
       SELECT ${names.map(() => '?').join(', ')} WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE id = ?)
       ON CONFLICT (id) DO NOTHING`,
      ...Object.values(row),
      unlessStored,
    );
  };

  return {
    get,

    /**
     * Stores a submission and, unless it is in quarantine, its messages, in one transaction. A retry changes nothing.
     * @returns the id of the stored submission, and whether this call stored it.
     */
    create: async (submission: New): Promise<{ id: string; created: boolean }> => {
      const { id, status, createdAt, unlessStored = id } = submission;
      const audiences = status === 'inbox' ? everyAudience : [];
      const results = await database.write(
        addMessages({ kind, id, audiences, at: createdAt }, notStored(id, unlessStored)),
        insertRow(rowOf(submission), unlessStored),
      );
      const created = results.at(-1)?.rowsAffected === 1;
      if (created || unlessStored === id) return { id, created };
      const [earlier] = await database.read(sql(`SELECT id FROM ${table} WHERE id IN (?, ?)`, id, unlessStored));
      return { id: earlier ? text(earlier.id) : id, created };
    },

    /**
     * Stores sample submissions (host/commands/seed.ts) in one transaction, with their emails as already sent, so no email is sent.
     * The chat gets no message. Existing submissions are not changed.
     * @returns how many submissions were stored.
     */
    createPast: async (submissions: readonly (New & Past)[]): Promise<number> => {
      const results = await database.write(
        ...submissions.flatMap((submission) => {
          const { id, status, createdAt, mailedAt, handledAt, note } = submission;
          const audiences = status === 'inbox' ? emails : [];
          return [
            addMessages({ kind, id, audiences, at: createdAt, sentAt: mailedAt }, notStored(id)),
            insertRow({ ...rowOf(submission), handled_at: handledAt, note }, id),
          ];
        }),
      );
      return results.filter(({ rowsAffected }, index) => index % 2 === 1 && rowsAffected === 1).length;
    },

    /** Returns a page of one folder (inbox, handled or quarantine), newest first by default. */
    async list(query: SubmissionListQuery): Promise<Page<T>> {
      const descending = query.sort === '-createdAt';
      const conditions = [sql(folders[query.status].condition)];
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
      return pageFrom(rows, query.limit, 'created_at', toRecord);
    },

    async counts(): Promise<SubmissionCounts> {
      const count = (folder: SubmissionFolder) =>
        `(SELECT count(*) FROM ${from(folder)} WHERE ${folders[folder].condition}) AS ${folder}`;
      const [row] = await database.read(sql(`SELECT ${count('inbox')}, ${count('handled')}, ${count('quarantine')}`));
      return { inbox: Number(row?.inbox), handled: Number(row?.handled), quarantine: Number(row?.quarantine) };
    },

    /**
     * Releases a submission from quarantine. Its messages are due at `at`.
     * @returns null if there is no such submission.
     */
    async release(id: string, at: string): Promise<T | null> {
      const inQuarantine = sql(`EXISTS (SELECT 1 FROM ${table} WHERE id = ? AND status = 'quarantine')`, id);
      await database.write(
        addMessages({ kind, id, audiences: everyAudience, at }, inQuarantine),
        sql(`UPDATE ${table} SET status = 'inbox' WHERE id = ?`, id),
      );
      return await get(id);
    },

    /**
     * Moves a submission to quarantine and deletes its unsent messages.
     * @returns null if there is no such submission.
     */
    async quarantine(id: string): Promise<T | null> {
      await database.write(
        sql(`UPDATE ${table} SET status = 'quarantine', handled_at = NULL WHERE id = ?`, id),
        sql(`DELETE FROM outbox WHERE kind = ? AND id = ? AND status <> 'sent'`, kind, id),
      );
      return await get(id);
    },

    /**
     * Marks a submission in the inbox as handled at `at`, or as open if `at` is null.
     * @returns null if the submission does not exist.
     */
    async handle(id: string, at: string | null): Promise<T | null> {
      await database.write(sql(`UPDATE ${table} SET handled_at = ? WHERE id = ? AND status = 'inbox'`, at, id));
      return await get(id);
    },

    /** Returns the ids of the submissions from an email address. Ignores upper and lower case. */
    async idsOf(email: string): Promise<string[]> {
      const rows = await database.read(
        sql(`SELECT id FROM ${table} WHERE lower(email) = lower(?) ORDER BY seq`, email),
      );
      return rows.map((row) => text(row.id));
    },

    /**
     * Returns the ids and email addresses of submissions, in the order of `seq`, to compare them with the hashes of
     * erasures.
     * @param after the last `seq` of the previous page; 0 for the first page.
     */
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

    /** Deletes a submission permanently. Triggers delete its words in the search index and its messages. */
    async remove(id: string): Promise<void> {
      await database.write(sql(`DELETE FROM ${table} WHERE id = ?`, id));
    },

    /**
     * Saves the admins' note. If `was` is given and differs from the stored note, the stored note does not change.
     * @returns the submission with the note that is now stored; null if the submission does not exist.
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
  ReturnType<typeof submissionTable<Fields, T, Filled<Fields>>>,
  'create' | 'createPast' | 'counts'
> {
  /** @param at the current time, for the count of applications that will soon be deleted. */
  counts(at: string): Promise<SubmissionCounts>;
}

/** Returns the properties that the records of inquiries and applications share. */
export function commonParts(fields: Fields, row: Row) {
  const delivery = (status: Value | undefined, at: Value | undefined, error: Value | undefined): DeliveryState =>
    typeof status === 'string'
      ? { status: status as DeliveryState['status'], at: text(at), error: typeof error === 'string' ? error : null }
      : { status: 'none', at: null, error: null };
  const id = text(row.id);
  return {
    ...Object.fromEntries(Object.keys(fields).map((name) => [name, row[columnOf(name)]])),
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
