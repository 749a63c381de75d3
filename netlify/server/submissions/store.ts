import type { Row } from '@libsql/client/http';
import type * as z from 'zod/mini';
import { leavingDays, type resumeFacts, yearsFrom } from '../../../src/domain/application.ts';
import type { Page } from '../../../src/domain/paging.ts';
import {
  type DeliveryState,
  type SubmissionFolder,
  type SubmissionListQuery,
  type SubmissionStatus,
  idRangeOf,
  referenceOf,
} from '../../../src/domain/submission.ts';
import { site } from '../../../src/site.config.ts';
import { type Database, type Statement, record, sql, text } from '../db/database.ts';
import { foundBy, readPage } from '../db/paging.ts';
import { type Audience, addMessages, logSkipped } from '../mail/add-messages.ts';
import type { Submission } from '../mail/texts.ts';
import { type Kind, kinds } from './kinds.ts';

/** A new submission. Its id and status are determined before it is stored, so a retry writes the same row. */
export interface NewSubmission {
  readonly id: string;
  readonly status: SubmissionStatus;
  readonly suspicions: readonly string[];
  readonly createdAt: string;
  /** The visitor's text by field name. */
  readonly input: Readonly<Record<string, string | undefined>> & { readonly email: string };
  /** The resume of an application. Its bytes are in a separate store, under the same id. */
  readonly resume?: z.infer<typeof resumeFacts>;
  /** The visitor's network has sent few forms (`takeBytes`). */
  readonly quiet?: boolean;
  /**
   * The id that the same text would have had in the previous 10-minute window. If a row has this id, the form was sent
   * twice, and nothing is stored. Set only for a form without JavaScript: such a form has no retry key, so its id is a
   * hash of its text and of the current window.
   */
  readonly unlessStored?: string;
}

/** Identifies a submission and its sender. */
export interface Sender {
  readonly id: string;
  readonly kind: Kind;
  readonly email: string;
  readonly createdAt: string;
}

/** The delivery and handling of a sample submission (host/commands/seed.ts). */
interface Past {
  /** When the emails of the submission were sent. The outbox stores them as sent at this time. */
  readonly mailedAt: string;
  readonly handledAt: string | null;
  readonly note: string;
}

// The conditions match the partial indexes. Queries name the index (INDEXED BY), because SQLite's planner would
// otherwise choose the index on the status and read all rows with that status.
const folders: Readonly<Record<SubmissionFolder, { condition: Statement; rows: Statement }>> = {
  inbox: {
    condition: sql`status = 'inbox' AND handled_at IS NULL`,
    rows: sql`submissions i INDEXED BY submissions_open`,
  },
  handled: {
    condition: sql`status = 'inbox' AND handled_at IS NOT NULL`,
    rows: sql`submissions i INDEXED BY submissions_handled`,
  },
  quarantine: { condition: sql`status = 'quarantine'`, rows: sql`submissions i INDEXED BY submissions_by_time` },
};

/** The columns of a record. `delivery` has the state of each message by its audience. */
const columns = sql`i.*, (
  SELECT json_group_object(audience, json_object('status', status, 'at', coalesce(sent_at, due_at), 'error', error))
  FROM outbox WHERE submission = i.id) AS delivery`;

const noMessage: DeliveryState = { status: 'none', at: null, error: null };
const keptYears = site.applicationsKeptYears;
const daysLater = (at: string, days: number) => new Date(Date.parse(at) + days * 24 * 60 * 60_000).toISOString();

/**
 * Returns the condition for the applications that are due for deletion within {@link leavingDays} days, are not kept,
 * and have no announced deletion yet.
 */
const toAnnounce = (at: string): Statement =>
  sql`kind = 'application' AND delete_at IS NULL AND kept = 0
      AND created_at <= ${yearsFrom(daysLater(at, leavingDays), -keptYears)}`;
const announced = sql`delete_at IS NOT NULL AND kept = 0`;

/** Returns the condition that matches words in the search index, or the reference that visitors see. */
function searchCondition(q: string): Statement {
  const byWords = foundBy('submissions', q);
  if (!byWords) return sql`TRUE`;
  const range = idRangeOf(q);
  return range ? sql`(${byWords} OR (i.id >= ${range.from} AND i.id < ${range.to}))` : byWords;
}

/**
 * Returns the mailbox of an email address as most providers deliver it: in lowercase, without a suffix after a plus
 * sign, and for Gmail without dots. Used only for comparisons.
 */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const [mailbox = ''] = address.slice(0, at).toLowerCase().split('+', 1);
  const gmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return gmail ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`;
}

/** A row of the table, without its `seq`. */
interface SubmissionRow {
  readonly id: string;
  readonly kind: Kind;
  readonly fields: string;
  readonly resume: string | null;
  readonly suspicions: string;
  readonly createdAt: string;
  readonly deleteAt: string | null;
  readonly kept: number;
  readonly delivery: string;
}

function toRecord(row: Row): Submission {
  const { kind, fields, resume, suspicions, delivery, deleteAt, kept, ...others } = record<SubmissionRow>(row);
  const stored = JSON.parse(fields) as Record<string, string>;
  const {
    firm = noMessage,
    sender = noMessage,
    webhook = noMessage,
  } = JSON.parse(delivery) as Partial<Record<Audience, DeliveryState>>;
  return kinds[kind].record.parse({
    // The row may be older than a field of the form.
    ...Object.fromEntries(Object.keys(kinds[kind].fields).map((name) => [name, stored[name] ?? ''])),
    ...others,
    reference: referenceOf(others.id),
    suspicions: JSON.parse(suspicions) as unknown,
    delivery: { firm, sender, webhook },
    ...(resume !== null && {
      resume: JSON.parse(resume) as unknown,
      keptUntil: deleteAt ?? yearsFrom(others.createdAt, keptYears),
      kept: kept === 1,
    }),
  });
}

/**
 * Creates the store of inquiries and applications.
 * @param hasWebhook true if a submission in the inbox also gets a message for the firm's chat.
 */
export function submissionStore(database: Database, hasWebhook: boolean) {
  const audiences: readonly Audience[] = ['firm', 'sender', ...(hasWebhook ? (['webhook'] as const) : [])];

  /** Changes a submission. @returns whether anything changed. */
  const change = async (id: string, changes: Statement, condition: Statement, ...then: Statement[]) => {
    const [changed, added] = await database.write(
      sql`UPDATE submissions SET ${changes} WHERE id = ${id} AND ${condition}`,
      ...then,
    );
    logSkipped(id, added);
    return changed?.rowsAffected === 1;
  };

  /** Returns the statement that adds the messages of a submission if the statement before has changed a row. */
  const messages = (id: string, kind: string, email: string, quiet: boolean, at: string): Statement =>
    addMessages(
      id,
      audiences.map((audience) => ({
        audience,
        recipient: { firm: kind, sender: mailboxOf(email), admin: '', webhook: '' }[audience],
        quiet,
      })),
      at,
      sql`changes() = 1`,
    );

  const insert = (kind: Kind, submission: NewSubmission, past?: Past): Statement[] => {
    const { id, input, resume, status, suspicions, createdAt, unlessStored = id, quiet = false } = submission;
    const given = Object.fromEntries(Object.keys(kinds[kind].fields).map((name) => [name, input[name] ?? '']));
    return [
      sql`INSERT INTO submissions (id, kind, email, fields, resume, status, suspicions, created_at, handled_at, note)
          SELECT ${id}, ${kind}, ${input.email}, ${JSON.stringify(given)}, ${resume ? JSON.stringify(resume) : null},
            ${status}, ${JSON.stringify(suspicions)}, ${createdAt}, ${past?.handledAt ?? null}, ${past?.note ?? ''}
          WHERE NOT EXISTS (SELECT 1 FROM submissions WHERE id IN (${id}, ${unlessStored}))`,
      ...(status === 'inbox' ? [messages(id, kind, input.email, quiet, createdAt)] : []),
    ];
  };

  return {
    /** @param kind null for either kind. */
    async get(kind: Kind | null, id: string): Promise<Submission | null> {
      const [row] = await database.read(
        sql`SELECT ${columns} FROM submissions i WHERE id = ${id} AND kind = coalesce(${kind}, kind)`,
      );
      return row ? toRecord(row) : null;
    },

    /**
     * Stores a submission and, unless it is in quarantine, its messages, in one transaction. A retry changes nothing.
     * @returns the id of the stored submission.
     */
    async create(kind: Kind, submission: NewSubmission): Promise<{ id: string }> {
      const { id, unlessStored = id } = submission;
      const [created, added] = await database.write(...insert(kind, submission));
      logSkipped(id, added);
      if (created?.rowsAffected === 1 || unlessStored === id) return { id };
      const [earlier] = await database.read(sql`SELECT id FROM submissions WHERE id IN (${id}, ${unlessStored})`);
      return { id: earlier ? text(earlier.id) : id };
    },

    /**
     * Stores sample submissions (host/commands/seed.ts) in one transaction, with their messages as already sent.
     * Existing submissions are not changed.
     * @returns how many submissions were stored.
     */
    async createPast(kind: Kind, submissions: readonly (NewSubmission & Past)[]): Promise<number> {
      const sent = sql`UPDATE outbox SET status = 'sent', sent_at = due_at, error = NULL WHERE status <> 'sent'
        AND submission IN (SELECT value FROM json_each(${JSON.stringify(submissions.map(({ id }) => id))}))`;
      const count = sql`SELECT count(*) AS count FROM submissions WHERE kind = ${kind}`;
      const inserted = submissions.flatMap((submission) => insert(kind, submission, submission));
      const results = await database.write(count, ...inserted, sent, count);
      return Number(results.at(-1)?.rows[0]?.count) - Number(results[0]?.rows[0]?.count);
    },

    /** Returns a page of one folder (inbox, handled or quarantine), newest first by default. */
    async list(kind: Kind, { q, status, sort, cursor, limit }: SubmissionListQuery): Promise<Page<Submission>> {
      const { rows, condition } = folders[status];
      const select = sql`SELECT ${columns} FROM ${rows}
        WHERE kind = ${kind} AND ${condition} AND ${searchCondition(q)}`;
      const page = { column: 'created_at', descending: sort === '-createdAt', limit, cursor };
      return await readPage(database, select, page, toRecord);
    },

    /** @param at the current time, for `leaving`: the number of applications that will soon be deleted. */
    async counts(kind: Kind, at: string): Promise<Record<SubmissionFolder, number> & { leaving?: number }> {
      const count = (folder: SubmissionFolder) =>
        sql`(SELECT count(*) FROM ${folders[folder].rows} WHERE kind = ${kind} AND ${folders[folder].condition})`;
      const leaving = sql`(SELECT count(*) FROM submissions WHERE ${toAnnounce(at)})
        + (SELECT count(*) FROM submissions WHERE ${announced})`;
      const [row] = await database.read(
        sql`SELECT ${count('inbox')} AS inbox, ${count('handled')} AS handled, ${count('quarantine')} AS quarantine,
              ${leaving} AS leaving`,
      );
      const counts = { inbox: Number(row?.inbox), handled: Number(row?.handled), quarantine: Number(row?.quarantine) };
      return kind === 'application' ? { ...counts, leaving: Number(row?.leaving) } : counts;
    },

    /** Releases a submission from quarantine. Its messages are due at `at`. @returns whether it was in quarantine. */
    async release(id: string, at: string): Promise<boolean> {
      const [row] = await database.read(sql`SELECT kind, email FROM submissions WHERE id = ${id}`);
      if (!row) return false;
      const queued = messages(id, text(row.kind), text(row.email), true, at);
      return await change(id, sql`status = 'inbox'`, sql`status = 'quarantine'`, queued);
    },

    /** Moves a submission to quarantine and deletes its unsent messages. @returns whether it was not there before. */
    async quarantine(id: string): Promise<boolean> {
      const dropped = sql`DELETE FROM outbox WHERE submission = ${id} AND status <> 'sent' AND changes() = 1`;
      return await change(id, sql`status = 'quarantine', handled_at = NULL`, sql`status = 'inbox'`, dropped);
    },

    /** Marks a submission in the inbox as handled at `at`, or as open if `at` is null. @returns whether it changed. */
    async handle(id: string, at: string | null): Promise<boolean> {
      return await change(id, sql`handled_at = ${at}`, sql`status = 'inbox' AND (handled_at IS NULL) = ${at ? 1 : 0}`);
    },

    /** Saves the admins' note, unless `was` is given and is not the stored note. @returns whether it was saved. */
    async annotate(id: string, note: string, was?: string): Promise<boolean> {
      return await change(id, sql`note = ${note}`, sql`note = coalesce(${was ?? null}, note)`);
    },

    /** Keeps an application past its deletion date, or no longer. @returns whether anything changed. */
    async keep(id: string, kept: boolean): Promise<boolean> {
      return await change(
        id,
        sql`kept = ${kept ? 1 : 0}, delete_at = NULL`,
        sql`kind = 'application' AND kept <> ${kept ? 1 : 0}`,
      );
    },

    /** Returns the submissions from an email address. Ignores upper and lower case. */
    async of(email: string): Promise<{ id: string; kind: Kind; kept: number }[]> {
      const rows = await database.read(
        sql`SELECT id, kind, kept FROM submissions WHERE lower(email) = lower(${email}) ORDER BY seq`,
      );
      return rows.map((row) => record<{ id: string; kind: Kind; kept: number }>(row));
    },

    /**
     * Sets the deletion time of applications that will soon be `applicationsKeptYears` old. The deletion time is at
     * least {@link leavingDays} days from now.
     * @returns the deletion times (ISO 8601, UTC), the earliest first.
     */
    async announceDeletions(at: string, limit: number): Promise<string[]> {
      const rows = await database.read(
        sql`SELECT id, created_at FROM submissions WHERE ${toAnnounce(at)} ORDER BY created_at, seq LIMIT ${limit}`,
      );
      if (rows.length === 0) return [];
      const soonest = daysLater(at, leavingDays);
      const due = rows.map((row) => {
        const old = yearsFrom(text(row.created_at), keptYears);
        return { id: text(row.id), at: old > soonest ? old : soonest };
      });
      await database.write(
        ...due.map(
          (one) =>
            sql`UPDATE submissions SET delete_at = ${one.at} WHERE id = ${one.id} AND delete_at IS NULL AND kept = 0`,
        ),
      );
      return due.map((one) => one.at).sort();
    },

    /** Returns the ids of applications whose announced time of deletion has come, the earliest time first. */
    async overdueIds(at: string, limit: number): Promise<string[]> {
      const rows = await database.read(
        sql`SELECT id FROM submissions WHERE ${announced} AND delete_at <= ${at} ORDER BY delete_at, seq LIMIT ${limit}`,
      );
      return rows.map((row) => text(row.id));
    },

    /**
     * Returns the ids and email addresses of submissions, in the order of `seq`, to compare them with the hashes of
     * erasures.
     * @param after the last `seq` of the previous page; 0 for the first page.
     */
    async senders(after: number, limit: number): Promise<(Sender & { readonly seq: number })[]> {
      const rows = await database.read(
        sql`SELECT seq, id, kind, email, created_at FROM submissions WHERE seq > ${after} ORDER BY seq LIMIT ${limit}`,
      );
      return rows.map((row) => record<Sender & { seq: number }>(row));
    },

    /** Deletes a submission permanently, with its words in the search index and its messages. */
    async remove(id: string): Promise<void> {
      await database.write(sql`DELETE FROM submissions WHERE id = ${id}`);
    },
  };
}
