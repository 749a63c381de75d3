import type { Migration } from './migration.ts';

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
