import { unsavedTable } from './content.ts';
import { outboxTable, submissionTables } from './submissions.ts';

export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly statements: readonly string[];
}

/** The last migration of version 0.1.0. Databases of that version and later can be upgraded. */
export const oldestId = 28;

/**
 * The migrations of an existing database, in the order in which they run. A new database starts with `schema.ts`, which
 * has the result of the first one. Released migrations never change. A new one goes at the end.
 */
export const migrations: readonly Migration[] = [
  {
    id: 43,
    name: 'from the schema of version 0.1.0',
    statements: [
      // Signing in: one counter for each network, account and browser. Known browsers and challenges are signed tokens.
      `CREATE TABLE sign_in_tries (key TEXT PRIMARY KEY, count INTEGER NOT NULL, ends_at TEXT NOT NULL) STRICT`,
      `ALTER TABLE sessions DROP COLUMN device`,
      `ALTER TABLE passkeys DROP COLUMN transports`,
      // Unsaved changes to posts, home texts and notes.
      ...unsavedTable,
      `INSERT INTO unsaved (email, kind, id, base, text, updated_at)
       SELECT email, 'post', key, draft ->> 'revision',
         json_object('title', draft ->> 'title', 'slug', draft ->> 'slug', 'content', draft ->> 'content',
           'excerpt', draft ->> 'excerpt', 'featuredImage', draft ->> 'featuredImage',
           'status', iif(draft ->> 'status' = 'draft' AND draft ->> 'publishAt' > '', 'scheduled', draft ->> 'status'),
           'publishAt', coalesce(draft ->> 'publishAt', '')),
         updated_at
       FROM post_drafts`,
      `ALTER TABLE posts ADD COLUMN date_before TEXT`,
      `DELETE FROM anonymous_bytes WHERE kind = 'draft'`,
      // One row for the scheduled work.
      `INSERT INTO installation (name, value, at)
       SELECT 'jobs', json_object('ranAt', ran_at, 'hourlyAt', ran_at, 'deleteFrom',
         CASE WHEN doubted_since IS NULL THEN '' ELSE strftime('%FT%TZ', ran_at, '+1 day') END,
         'failing', json('{}'), 'files', 'ok', 'faults', json('{}')), ran_at
       FROM clock`,
      // One table for all submissions, and one outbox for their messages and for notices.
      `DELETE FROM search_deletions`,
      `ALTER TABLE search_deletions DROP COLUMN merging`,
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
      // Activity: one row for each entry with a link, without kinds and hourly counts.
      `DELETE FROM activity WHERE kind = 'refused'`,
      `UPDATE activity SET who = 'The site' WHERE who = 'retention'`,
      `UPDATE activity SET action = action || ' ' || subject, subject = '' WHERE kind = 'sign-in' AND subject <> ''`,
      `UPDATE activity SET action = action || ' (' || count || ' times)' WHERE count > 1`,
      ...['by_hour', 'by_kind', 'by_who'].map((index) => `DROP INDEX activity_${index}`),
      ...['kind', 'count', 'hour'].map((column) => `ALTER TABLE activity DROP COLUMN ${column}`),
      `ALTER TABLE activity ADD COLUMN link TEXT NOT NULL DEFAULT ''`,
      ...(
        'policy_reports form_drafts known_devices sign_in_attempts post_drafts jobs clock faults health_checks ' +
        'blob_sentinel passkey_challenges hosts inquiries_words applications_words inquiries applications notices ' +
        'acknowledgements former_outbox'
      )
        .split(' ')
        .map((table) => `DROP TABLE ${table}`),
    ],
  },
  {
    id: 46,
    name: 'without the number of failures that no code reads',
    statements: [`ALTER TABLE channels DROP COLUMN failures`],
  },
  {
    id: 48,
    name: 'indexes of the outbox that each inquiry writes and reads only where it needs them',
    statements: [
      `CREATE INDEX outbox_digests ON outbox (audience, recipient, due_at)
       WHERE digest = 1 AND status IN ('waiting', 'retrying')`,
      ...['by_key', 'by_time'].map((index) => `DROP INDEX outbox_${index}`),
      `CREATE UNIQUE INDEX outbox_by_key ON outbox (key, recipient) WHERE key IS NOT NULL`,
      `CREATE INDEX outbox_acknowledged ON outbox (created_at) WHERE audience = 'sender' AND status <> 'skipped'`,
    ],
  },
  {
    id: 202611272001,
    name: 'invitations, recovery codes, and when an admin last signed in',
    statements: [
      `ALTER TABLE admins ADD COLUMN signed_in_at TEXT`,
      // `token` is a hash. `invited_by` is '' for the link after a sign-in with a recovery code.
      `CREATE TABLE set_up_links (
         token TEXT PRIMARY KEY,
         email TEXT NOT NULL COLLATE NOCASE UNIQUE,
         invited_by TEXT NOT NULL,
         created_at TEXT NOT NULL,
         expires_at TEXT NOT NULL
       ) STRICT`,
      // `code` is a hash. A used code has no row.
      `CREATE TABLE recovery_codes (
         code TEXT PRIMARY KEY,
         email TEXT NOT NULL REFERENCES admins (email) ON DELETE CASCADE
       ) STRICT`,
      `CREATE INDEX recovery_codes_by_email ON recovery_codes (email)`,
    ],
  },
  {
    id: 202611282130,
    name: 'an index of erasures for the submissions that waited for the database',
    statements: [`CREATE INDEX erasures_by_hash ON erasures (hash, at)`],
  },
];

export const newestId = Math.max(...migrations.map(({ id }) => id));
