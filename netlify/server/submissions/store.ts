import type { Row } from '@libsql/client/http';
import type * as z from 'zod/mini';
import { leavingDays, type resumeFacts, yearsFrom } from '../../../src/domain/submissions/application.ts';
import type { Page } from '../../../src/domain/text/paging.ts';
import {
  type DeliveryState,
  type SubmissionCounts,
  type SubmissionFolder,
  type SubmissionListQuery,
  idRangeOf,
  referenceOf,
} from '../../../src/domain/submissions/submission.ts';
import {
  type Submission,
  type SubmissionKind as Kind,
  submissionKinds as kinds,
} from '../../../src/domain/submissions/submission-kinds.ts';
import { site } from '../../../src/site.config.ts';
import { type Database, type Statement, all, one, record, sql } from '../db/database.ts';
import { foundBy, readPage } from '../db/paging.ts';
import { type Audience, logSkipped, messagesAbout } from '../mail/add-messages.ts';

/** A new submission. Its id is determined before it is stored, so a retry writes the same row. */
export interface NewSubmission {
  readonly id: string;
  /** The reasons for quarantine. Without reasons, the submission goes into the inbox. */
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
  /** For a sample submission (host/commands/seed.ts): what an admin did with it. */
  readonly handledAt?: string | null;
  readonly note?: string;
}

/** Identifies a submission and its sender. */
export interface Sender {
  readonly id: string;
  readonly kind: Kind;
  readonly email: string;
  readonly createdAt: string;
}

// The conditions match the partial indexes. Queries name the index (INDEXED BY), because SQLite's planner would
// otherwise choose the index on the status and read all rows with that status.
const folders: Readonly<Record<SubmissionFolder, readonly [rows: Statement, condition: Statement]>> = {
  inbox: [sql`submissions i INDEXED BY submissions_open`, sql`status = 'inbox' AND handled_at IS NULL`],
  handled: [sql`submissions i INDEXED BY submissions_handled`, sql`status = 'inbox' AND handled_at IS NOT NULL`],
  quarantine: [sql`submissions i INDEXED BY submissions_by_time`, sql`status = 'quarantine'`],
};

/** The columns of a record. `delivery` has the state of each message by its audience. */
const columns = sql`i.*, (
  SELECT json_group_object(audience, json_object('status', status, 'at', coalesce(sent_at, due_at), 'error', error))
  FROM outbox WHERE submission = i.id) AS delivery`;

const allSenders = sql`SELECT id, kind, email, created_at FROM submissions`;
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

type TextColumn = 'id' | 'fields' | 'suspicions' | 'createdAt' | 'delivery';
type SubmissionRow = Record<TextColumn, string> &
  Record<'resume' | 'deleteAt', string | null> & { kind: Kind; kept: number };

function toRecord(row: Row): Submission {
  const { kind, fields, resume, suspicions, delivery, deleteAt, kept, ...others } = record<SubmissionRow>(row);
  // The row may be older than a field of the form.
  const none = Object.fromEntries(Object.keys(kinds[kind].fields).map((name) => [name, '']));
  const states = JSON.parse(delivery) as Partial<Record<Audience, DeliveryState>>;
  return kinds[kind].record.parse({
    ...none,
    ...(JSON.parse(fields) as object),
    ...others,
    reference: referenceOf(others.id),
    suspicions: JSON.parse(suspicions) as unknown,
    delivery: { firm: noMessage, sender: noMessage, webhook: noMessage, ...states },
    ...(resume !== null && {
      resume: JSON.parse(resume) as unknown,
      keptUntil: deleteAt ?? yearsFrom(others.createdAt, keptYears),
      kept: kept === 1,
    }),
  });
}

/** Returns the statement that adds a submission, unless it was added before. */
function insert(kind: Kind, submission: NewSubmission): Statement {
  const { id, input, resume, suspicions, createdAt, unlessStored = id, handledAt = null, note = '' } = submission;
  const given = Object.fromEntries(Object.keys(kinds[kind].fields).map((name) => [name, input[name] ?? '']));
  return sql`INSERT INTO submissions
      (id, kind, email, fields, resume, status, suspicions, created_at, handled_at, note)
    SELECT ${id}, ${kind}, ${input.email}, ${JSON.stringify(given)}, ${resume ? JSON.stringify(resume) : null},
      ${statusOf(submission)}, ${JSON.stringify(suspicions)}, ${createdAt}, ${handledAt}, ${note}
    WHERE NOT EXISTS (SELECT 1 FROM submissions WHERE id IN (${id}, ${unlessStored}))`;
}

const statusOf = ({ suspicions }: NewSubmission) => (suspicions.length > 0 ? 'quarantine' : 'inbox');

/**
 * Creates the store of inquiries and applications.
 * @param hasWebhook true if a submission in the inbox also gets a message for the team chat.
 */
export function submissionStore(database: Database, hasWebhook: boolean) {
  /** Changes a submission. @returns whether anything changed. */
  const change = async (id: string, changes: Statement, condition: Statement, ...then: Statement[]) => {
    const [changed, added] = await database.write(
      sql`UPDATE submissions SET ${changes} WHERE id = ${id} AND ${condition}`,
      ...then,
    );
    logSkipped(id, added);
    return changed?.rowsAffected === 1;
  };

  return {
    /** @param kind null for either kind. */
    get: (kind: Kind | null, id: string) =>
      one(
        database,
        sql`SELECT ${columns} FROM submissions i WHERE id = ${id} AND kind = coalesce(${kind}, kind)`,
        toRecord,
      ),

    /**
     * Stores a submission and, unless it is in quarantine, its messages, in one transaction. A retry changes nothing.
     * @returns the id of the stored submission.
     */
    async create(kind: Kind, submission: NewSubmission): Promise<string> {
      const { id, input, quiet = false, createdAt, unlessStored = id } = submission;
      const isSent = statusOf(submission) === 'inbox';
      const [created, added] = await database.write(
        insert(kind, submission),
        ...(isSent ? [messagesAbout({ id, kind, email: input.email }, { quiet, hasWebhook, at: createdAt })] : []),
      );
      logSkipped(id, added);
      if (created?.rowsAffected === 1 || unlessStored === id) return id;
      const earlier = sql`SELECT id FROM submissions WHERE id IN (${id}, ${unlessStored})`;
      return (await one<{ id: string }>(database, earlier))?.id ?? id;
    },

    /**
     * Stores sample submissions (host/commands/seed.ts) in one transaction, with their emails as already sent. Existing
     * submissions are not changed.
     * @returns how many submissions were stored.
     */
    async createPast(kind: Kind, submissions: readonly NewSubmission[]): Promise<number> {
      const ids = JSON.stringify(submissions.map(({ id }) => id));
      const results = await database.write(
        ...submissions.map((submission) => insert(kind, submission)),
        sql`INSERT INTO outbox (id, submission, audience, recipient, created_at, status, due_at, sent_at)
            SELECT lower(hex(randomblob(16))), s.id, audience.value, '', created_at, 'sent', created_at, created_at
            FROM submissions AS s, json_each('["firm", "sender"]') AS audience
            WHERE status = 'inbox' AND s.id IN (SELECT value FROM json_each(${ids})) ON CONFLICT DO NOTHING`,
      );
      return results.slice(0, -1).filter(({ rowsAffected }) => rowsAffected === 1).length;
    },

    /** Returns a page of one folder (inbox, handled or quarantine), newest first by default. */
    async list(kind: Kind, { q, status, sort, cursor, limit }: SubmissionListQuery): Promise<Page<Submission>> {
      const [rows, condition] = folders[status];
      const select = sql`SELECT ${columns} FROM ${rows}
        WHERE kind = ${kind} AND ${condition} AND ${searchCondition(q)}`;
      const page = { column: 'created_at', descending: sort === '-createdAt', limit, cursor };
      return await readPage(database, select, page, toRecord);
    },

    /** @param at the current time, for `leaving`: the number of applications that will soon be deleted. */
    async counts(kind: Kind, at: string): Promise<SubmissionCounts> {
      const count = ([rows, condition]: (typeof folders)['inbox']) =>
        sql`(SELECT count(*) FROM ${rows} WHERE kind = ${kind} AND ${condition})`;
      const { inbox, handled, quarantine } = folders;
      const row = await one<Record<SubmissionFolder | 'leaving', number>>(
        database,
        sql`SELECT ${count(inbox)} AS inbox, ${count(handled)} AS handled, ${count(quarantine)} AS quarantine,
              (SELECT count(*) FROM submissions WHERE ${toAnnounce(at)})
              + (SELECT count(*) FROM submissions WHERE ${announced}) AS leaving`,
      );
      const { leaving, ...counts } = row!;
      return kind === 'application' ? { ...counts, leaving } : counts;
    },

    /** Releases a submission from quarantine. Its messages are due at `at`. @returns whether it was in quarantine. */
    async release(id: string, at: string): Promise<boolean> {
      const sender = await one<Sender>(database, sql`${allSenders} WHERE id = ${id}`);
      if (!sender) return false;
      const queued = messagesAbout(sender, { quiet: true, hasWebhook, at });
      return await change(id, sql`status = 'inbox'`, sql`status = 'quarantine'`, queued);
    },

    /** Moves a submission to quarantine and deletes its unsent messages. @returns whether it was not there before. */
    async quarantine(id: string): Promise<boolean> {
      const dropped = sql`DELETE FROM outbox WHERE submission = ${id} AND status <> 'sent' AND changes() = 1`;
      return await change(id, sql`status = 'quarantine', handled_at = NULL`, sql`status = 'inbox'`, dropped);
    },

    /** Marks a submission in the inbox as handled at `at`, or reopens it if `at` is null. @returns whether it changed. */
    async handle(id: string, at: string | null): Promise<boolean> {
      return await change(id, sql`handled_at = ${at}`, sql`status = 'inbox' AND (handled_at IS NULL) = ${at ? 1 : 0}`);
    },

    /** Saves the admins' note, unless `was` is given and is not the stored note. @returns whether it was saved. */
    async annotate(id: string, note: string, was?: string): Promise<boolean> {
      return await change(id, sql`note = ${note}`, sql`note = coalesce(${was ?? null}, note)`);
    },

    /** Keeps an application after its deletion date, or no longer. @returns whether anything changed. */
    async keep(id: string, kept: boolean): Promise<boolean> {
      const isKept = kept ? 1 : 0;
      return await change(id, sql`kept = ${isKept}, delete_at = NULL`, sql`kind = 'application' AND kept <> ${isKept}`);
    },

    /** Returns the submissions from an email address. Ignores upper and lower case. */
    of: (email: string) =>
      all(
        database,
        sql`SELECT ${columns} FROM submissions i WHERE lower(email) = lower(${email}) ORDER BY seq`,
        toRecord,
      ),

    /** Returns the sender of every submission, to compare them with the hashes of erasures. */
    senders: () => all<Sender>(database, allSenders),

    /**
     * Sets the deletion time of applications that will soon be `applicationsKeptYears` old. The deletion time is at
     * least {@link leavingDays} days from now.
     * @returns the deletion times (ISO 8601, UTC), the earliest first.
     */
    async announceDeletions(at: string, limit: number): Promise<string[]> {
      const old = sql`${allSenders} WHERE ${toAnnounce(at)} ORDER BY created_at, seq LIMIT ${limit}`;
      const soonest = daysLater(at, leavingDays);
      const due = (await all<Sender>(database, old)).map(({ id, createdAt }) => {
        const last = yearsFrom(createdAt, keptYears);
        return { id, deleteAt: last > soonest ? last : soonest };
      });
      const updates = due.map(
        ({ id, deleteAt }) =>
          sql`UPDATE submissions SET delete_at = ${deleteAt} WHERE id = ${id} AND delete_at IS NULL AND kept = 0`,
      );
      if (due.length > 0) await database.write(...updates);
      return due.map(({ deleteAt }) => deleteAt).sort();
    },

    /** Returns the ids of applications whose announced time of deletion has come, the earliest time first. */
    async overdueIds(at: string, limit: number): Promise<string[]> {
      const due = sql`${allSenders} WHERE ${announced} AND delete_at <= ${at} ORDER BY delete_at, seq LIMIT ${limit}`;
      return (await all<Sender>(database, due)).map(({ id }) => id);
    },

    /** Deletes a submission permanently, with its words in the search index and its messages. */
    async remove(id: string): Promise<void> {
      await database.write(sql`DELETE FROM submissions WHERE id = ${id}`);
    },
  };
}
