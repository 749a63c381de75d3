import type { Migration } from './migration.ts';

const noteGone = (table: string) =>
  `CREATE TRIGGER ${table}_note_removed AFTER DELETE ON ${table} BEGIN
     DELETE FROM unsaved WHERE kind = 'note' AND id = old.id;
   END`;

/** Returns SQL for the words of a submission: the text of all its fields. */
const wordsOf = (row: string) => `(SELECT group_concat(value, char(10)) FROM json_each(${row}.fields))`;

export const from30: readonly Migration[] = [
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
      `CREATE TABLE unsaved (
         email TEXT NOT NULL COLLATE NOCASE,
         kind TEXT NOT NULL,
         id TEXT NOT NULL,
         base TEXT,
         text TEXT NOT NULL CHECK (json_valid(text)),
         older TEXT NOT NULL DEFAULT 'null' CHECK (json_valid(older)),
         updated_at TEXT NOT NULL,
         PRIMARY KEY (kind, id, email)
       ) STRICT`,
      `CREATE INDEX unsaved_by_time ON unsaved (updated_at)`,
      `INSERT INTO unsaved (email, kind, id, base, text, updated_at)
       SELECT email, 'post', key, draft ->> 'revision',
         json_object('title', draft ->> 'title', 'slug', draft ->> 'slug', 'content', draft ->> 'content',
           'excerpt', draft ->> 'excerpt', 'featuredImage', draft ->> 'featuredImage',
           'status', draft ->> 'status', 'publishAt', coalesce(draft ->> 'publishAt', '')),
         updated_at
       FROM post_drafts`,
      `DROP TABLE post_drafts`,
      // Unsaved notes about a submission are erased with it.
      noteGone('inquiries'),
      noteGone('applications'),
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
      // `fields` is JSON with the text of each field, and `resume` is JSON with the name, type and size of a resume.
      `CREATE TABLE submissions (
         seq INTEGER PRIMARY KEY,
         id TEXT NOT NULL UNIQUE,
         kind TEXT NOT NULL,
         email TEXT NOT NULL,
         fields TEXT NOT NULL,
         resume TEXT,
         status TEXT NOT NULL,
         suspicions TEXT NOT NULL,
         created_at TEXT NOT NULL,
         handled_at TEXT,
         note TEXT NOT NULL DEFAULT '',
         delete_at TEXT,
         kept INTEGER NOT NULL DEFAULT 0
       ) STRICT`,
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
      `CREATE INDEX submissions_by_time ON submissions (kind, status, created_at, seq)`,
      `CREATE INDEX submissions_open ON submissions (kind, created_at, seq) WHERE status = 'inbox' AND handled_at IS NULL`,
      `CREATE INDEX submissions_handled ON submissions (kind, created_at, seq)
       WHERE status = 'inbox' AND handled_at IS NOT NULL`,
      `CREATE INDEX submissions_by_email ON submissions (lower(email))`,
      `CREATE INDEX submissions_to_announce ON submissions (created_at, seq)
       WHERE kind = 'application' AND delete_at IS NULL AND kept = 0`,
      `CREATE INDEX submissions_announced ON submissions (delete_at, seq) WHERE delete_at IS NOT NULL AND kept = 0`,
      // The search index has the words of every field, so a new field needs no migration. It stores no text.
      `CREATE VIRTUAL TABLE submissions_words USING fts5 (
         words, content = '', tokenize = 'unicode61 remove_diacritics 2'
       )`,
      `CREATE TRIGGER submissions_words_added AFTER INSERT ON submissions BEGIN
         INSERT INTO submissions_words (rowid, words) VALUES (new.seq, ${wordsOf('new')});
       END`,
      // A deletion only marks the words of the row. A job merges an index that has deletions, which removes the words
      // (db/search-index.ts).
      `CREATE TRIGGER submissions_words_removed AFTER DELETE ON submissions BEGIN
         INSERT INTO submissions_words (submissions_words, rowid, words) VALUES ('delete', old.seq, ${wordsOf('old')});
         UPDATE search_deletions SET deletions = deletions + 1 WHERE words = 'submissions_words';
       END`,
      noteGone('submissions'),
      `INSERT INTO submissions_words (rowid, words) SELECT seq, ${wordsOf('submissions')} FROM submissions`,
      `DELETE FROM search_deletions`,
      `INSERT INTO search_deletions (words, deletions, merging, merged) VALUES ('submissions_words', 1, 0, 0)`,
      // A message about a submission has no text. Its text is written from the submission when the message is sent.
      `CREATE TABLE messages (
         id TEXT PRIMARY KEY,
         submission TEXT REFERENCES submissions (id) ON DELETE CASCADE,
         audience TEXT NOT NULL,
         recipient TEXT NOT NULL,
         subject TEXT NOT NULL DEFAULT '',
         text TEXT NOT NULL DEFAULT '',
         key TEXT,
         digest INTEGER NOT NULL DEFAULT 0,
         created_at TEXT NOT NULL,
         status TEXT NOT NULL,
         attempts INTEGER NOT NULL DEFAULT 0,
         first_tried_at TEXT,
         due_at TEXT NOT NULL,
         leased_until TEXT,
         sent_at TEXT,
         error TEXT
       ) STRICT`,
      // A message keeps the id that its Message-ID had.
      `INSERT INTO messages (id, submission, audience, recipient, subject, text, key, created_at, status, attempts,
           first_tried_at, due_at, leased_until, sent_at, error)
         SELECT o.id || '-' || o.audience || '-' || o.generation, s.id, o.audience,
           coalesce(n.recipient, CASE o.audience WHEN 'firm' THEN s.kind WHEN 'sender' THEN lower(s.email) ELSE '' END),
           coalesce(n.subject, ''), coalesce(n.text, ''), n.key, coalesce(s.created_at, n.created_at), o.status, o.attempts,
           o.first_tried_at, o.due_at, o.leased_until, o.sent_at, o.error
         FROM outbox o
         LEFT JOIN submissions s ON s.id = o.id AND s.kind = o.kind
         LEFT JOIN notices n ON n.id = o.id AND o.kind = 'notice'
         WHERE s.id IS NOT NULL OR n.id IS NOT NULL`,
      ...[
        'outbox',
        'notices',
        'acknowledgements',
        'inquiries_words',
        'applications_words',
        'inquiries',
        'applications',
      ].map((table) => `DROP TABLE ${table}`),
      `ALTER TABLE messages RENAME TO outbox`,
      `CREATE UNIQUE INDEX outbox_of_submission ON outbox (submission, audience)`,
      `CREATE UNIQUE INDEX outbox_by_key ON outbox (key, recipient)`,
      `CREATE INDEX outbox_by_recipient ON outbox (audience, recipient, created_at)`,
      `CREATE INDEX outbox_by_time ON outbox (audience, created_at)`,
      // If no email server is set up, all emails stay in the outbox, so webhook messages have their own index.
      `CREATE INDEX outbox_mail_due ON outbox (due_at, digest, leased_until)
       WHERE status IN ('waiting', 'retrying') AND audience <> 'webhook'`,
      `CREATE INDEX outbox_webhook_due ON outbox (due_at, digest, leased_until)
       WHERE status IN ('waiting', 'retrying') AND audience = 'webhook'`,
      `CREATE INDEX outbox_given_up ON outbox (audience) WHERE status = 'failed'`,
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
