import type { Migration } from './migration.ts';

const noteGone = (table: string) =>
  `CREATE TRIGGER ${table}_note_removed AFTER DELETE ON ${table} BEGIN
     DELETE FROM unsaved WHERE kind = 'note' AND id = old.id;
   END`;

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
