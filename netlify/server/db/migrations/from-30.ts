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
];
