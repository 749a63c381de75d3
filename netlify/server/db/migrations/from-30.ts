import { unsavedTable } from './content.ts';
import { outboxTable, submissionTables } from './submissions.ts';

export interface Migration {
  readonly id: number;
  /** The ids of the migrations whose result the statements of a new database include. */
  readonly includes?: readonly number[];
  readonly name: string;
  readonly statements: readonly string[];
}

/** The last migration of version 0.1.0. Databases of that version and later can be upgraded. */
export const oldestId = 28;

/**
 * The migrations of an existing database, in the order in which they run. A new database starts with `schema.ts`, which
 * includes the result of the first ones. Released migrations never change. A new one goes at the end.
 */
export const migrations: readonly Migration[] = [
  {
    id: 29,
    name: 'no counts of refused requests and of what browsers refused',
    statements: [`DROP TABLE policy_reports`, `DELETE FROM activity WHERE kind = 'refused'`],
  },
  {
    id: 30,
    name: 'no drafts of refused forms',
    statements: [`DROP TABLE form_drafts`, `DELETE FROM anonymous_bytes WHERE kind = 'draft'`],
  },
  {
    id: 32,
    name: 'sign-in: one counter for each network, account and browser; known browsers are in a cookie',
    statements: [
      `DROP TABLE known_devices`,
      `ALTER TABLE sessions DROP COLUMN device`,
      `DROP TABLE sign_in_attempts`,
      // `key` is a hash. The count starts again when a try comes after `ends_at`.
      `CREATE TABLE sign_in_tries (key TEXT PRIMARY KEY, count INTEGER NOT NULL, ends_at TEXT NOT NULL) STRICT`,
    ],
  },
  {
    id: 33,
    name: 'unsaved changes to posts, home texts and notes',
    statements: [
      ...unsavedTable,
      `INSERT INTO unsaved (email, kind, id, base, text, updated_at)
       SELECT email, 'post', key, draft ->> 'revision',
         json_object('title', draft ->> 'title', 'slug', draft ->> 'slug', 'content', draft ->> 'content',
           'excerpt', draft ->> 'excerpt', 'featuredImage', draft ->> 'featuredImage',
           'status', draft ->> 'status', 'publishAt', coalesce(draft ->> 'publishAt', '')),
         updated_at
       FROM post_drafts`,
      `DROP TABLE post_drafts`,
    ],
  },
  {
    id: 35,
    name: 'one row for the scheduled work, in place of its tables',
    statements: [
      `INSERT INTO installation (name, value, at)
       SELECT 'jobs', json_object('ranAt', ran_at, 'hourlyAt', ran_at, 'deleteFrom',
         CASE WHEN doubted_since IS NULL THEN '' ELSE strftime('%FT%TZ', ran_at, '+1 day') END,
         'failing', json('{}'), 'files', 'ok', 'faults', json('{}')), ran_at
       FROM clock`,
      ...['jobs', 'clock', 'faults', 'health_checks', 'blob_sentinel'].map((table) => `DROP TABLE ${table}`),
    ],
  },
  {
    id: 36,
    name: 'the date of a post before its last save, so an admin can put it back',
    statements: [`ALTER TABLE posts ADD COLUMN date_before TEXT`],
  },
  {
    id: 38,
    name: 'passkeys: challenges are signed tokens, and nothing used the transports',
    statements: [`DROP TABLE passkey_challenges`, `ALTER TABLE passkeys DROP COLUMN transports`],
  },
  {
    id: 42,
    name: 'one table for all submissions, and one outbox for their messages and for notices',
    statements: [
      `DELETE FROM search_deletions`,
      ...submissionTables,
      `INSERT INTO submissions
           (id, kind, email, fields, resume, status, suspicions, created_at, handled_at, note, delete_at, kept)
         SELECT id, 'inquiry', email, json_object('fullName', full_name, 'email', email, 'company', company,
           'serviceInterest', service_interest, 'message', message), NULL, status, suspicions, created_at, handled_at,
           note, NULL, 0
         FROM inquiries ORDER BY seq`,
      `INSERT INTO submissions
           (id, kind, email, fields, resume, status, suspicions, created_at, handled_at, note, delete_at, kept)
         SELECT id, 'application', email, json_object('fullName', full_name, 'email', email, 'phone', phone,
           'position', position, 'experience', experience, 'coverLetter', cover_letter),
           json_object('name', resume_name, 'kind', resume_kind, 'size', resume_size), status, suspicions, created_at,
           handled_at, note, delete_at, held_at IS NOT NULL
         FROM applications ORDER BY seq`,
      `ALTER TABLE outbox RENAME TO former_outbox`,
      ...['mail_due', 'webhook_due', 'given_up'].map((index) => `DROP INDEX outbox_${index}`),
      ...outboxTable,
      // A message keeps the id that its Message-ID had.
      `INSERT INTO outbox (id, submission, audience, recipient, subject, text, key, created_at, status, attempts,
           first_tried_at, due_at, leased_until, sent_at, error)
         SELECT o.id || '-' || o.audience || '-' || o.generation, s.id, o.audience,
           coalesce(n.recipient, CASE o.audience WHEN 'firm' THEN s.kind WHEN 'sender' THEN lower(s.email) ELSE '' END),
           coalesce(n.subject, ''), coalesce(n.text, ''), n.key, coalesce(s.created_at, n.created_at), o.status, o.attempts,
           o.first_tried_at, o.due_at, o.leased_until, o.sent_at, o.error
         FROM former_outbox o
         LEFT JOIN submissions s ON s.id = o.id AND s.kind = o.kind
         LEFT JOIN notices n ON n.id = o.id AND o.kind = 'notice'
         WHERE s.id IS NOT NULL OR n.id IS NOT NULL`,
      ...['inquiries_words', 'applications_words', 'inquiries', 'applications', 'notices', 'acknowledgements'].map(
        (table) => `DROP TABLE ${table}`,
      ),
      `DROP TABLE former_outbox`,
    ],
  },
  {
    id: 43,
    name: 'activity: one row for each entry with a link, without kinds and hourly counts',
    statements: [
      `UPDATE activity SET who = 'The site' WHERE who = 'retention'`,
      `UPDATE activity SET action = action || ' ' || subject, subject = '' WHERE kind = 'sign-in' AND subject <> ''`,
      `UPDATE activity SET action = action || ' (' || count || ' times)' WHERE count > 1`,
      `DROP INDEX activity_by_hour`,
      `DROP INDEX activity_by_kind`,
      `DROP INDEX activity_by_who`,
      `ALTER TABLE activity DROP COLUMN kind`,
      `ALTER TABLE activity DROP COLUMN count`,
      `ALTER TABLE activity DROP COLUMN hour`,
      `ALTER TABLE activity ADD COLUMN link TEXT NOT NULL DEFAULT ''`,
    ],
  },
];

export const newestId = Math.max(...migrations.map(({ id }) => id));
