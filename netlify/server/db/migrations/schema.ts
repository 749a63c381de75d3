import { installationTable } from '../installation.ts';
import { contentTables } from './content.ts';
import type { Migration } from './from-30.ts';
import { outboxTable, submissionTables } from './submissions.ts';

/** The tables of admins, and of how they sign in. */
const adminTables: readonly string[] = [
  `CREATE TABLE admins (
     email TEXT PRIMARY KEY COLLATE NOCASE,
     password_hash TEXT NOT NULL,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL
   ) STRICT`,
  // `fresh_at` is when the admin last proved who they are ('' if unknown).
  `CREATE TABLE sessions (
     id TEXT PRIMARY KEY,
     email TEXT NOT NULL REFERENCES admins (email) ON DELETE CASCADE,
     created_at TEXT NOT NULL,
     expires_at TEXT NOT NULL,
     user_agent TEXT NOT NULL,
     seen_at TEXT NOT NULL DEFAULT '',
     fresh_at TEXT NOT NULL DEFAULT ''
   ) STRICT`,
  `CREATE INDEX sessions_by_expiry ON sessions (expires_at)`,
  `CREATE INDEX sessions_by_email ON sessions (email)`,
  // `key` is a hash. The count starts again when a try comes after `ends_at`.
  `CREATE TABLE sign_in_tries (key TEXT PRIMARY KEY, count INTEGER NOT NULL, ends_at TEXT NOT NULL) STRICT`,
  `CREATE TABLE identities (
     issuer TEXT NOT NULL,
     subject TEXT NOT NULL,
     email TEXT NOT NULL COLLATE NOCASE REFERENCES admins (email) ON DELETE CASCADE,
     created_at TEXT NOT NULL,
     PRIMARY KEY (issuer, subject),
     UNIQUE (email, issuer)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE passkeys (
     id TEXT PRIMARY KEY,
     email TEXT NOT NULL REFERENCES admins (email) ON DELETE CASCADE,
     name TEXT NOT NULL,
     public_key TEXT NOT NULL,
     counter INTEGER NOT NULL,
     created_at TEXT NOT NULL,
     used_at TEXT
   ) STRICT`,
  `CREATE INDEX passkeys_by_email ON passkeys (email)`,
];

/** The tables of files that arrive, of erasures, and of the site itself. */
const siteTables: readonly string[] = [
  `CREATE TABLE uploads (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     type TEXT NOT NULL,
     size INTEGER NOT NULL,
     purpose TEXT NOT NULL,
     expires_at TEXT NOT NULL,
     used_by TEXT
   ) STRICT`,
  `CREATE INDEX uploads_by_expiry ON uploads (expires_at)`,
  `CREATE INDEX uploads_by_user ON uploads (used_by) WHERE used_by IS NOT NULL`,
  // Resumes that could not be written to the blob store. A scheduled job moves them there later.
  `CREATE TABLE resumes_waiting (id TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT`,
  `CREATE TABLE anonymous_bytes (
     id TEXT PRIMARY KEY,
     kind TEXT NOT NULL,
     network TEXT NOT NULL,
     bytes INTEGER NOT NULL,
     expires_at TEXT NOT NULL
   ) STRICT`,
  `CREATE INDEX anonymous_bytes_by_network ON anonymous_bytes (kind, network, expires_at, bytes)`,
  `CREATE INDEX anonymous_bytes_by_kind ON anonymous_bytes (kind, expires_at, bytes)`,
  `CREATE INDEX anonymous_bytes_by_expiry ON anonymous_bytes (expires_at)`,
  // Keyed hashes of erased email addresses and ids, so that the erasures can be repeated after a restore. The key is in
  // every backup. The hashes are also stored outside the database (submissions/blobs.ts).
  `CREATE TABLE erasure_key (one INTEGER PRIMARY KEY CHECK (one = 1), secret TEXT NOT NULL) STRICT`,
  `INSERT INTO erasure_key (one, secret) VALUES (1, lower(hex(randomblob(32))))`,
  `CREATE TABLE erasures (
     batch TEXT NOT NULL,
     hash TEXT NOT NULL,
     at TEXT NOT NULL,
     PRIMARY KEY (batch, hash)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE search_deletions (
     words TEXT PRIMARY KEY,
     deletions INTEGER NOT NULL,
     merged INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE channels (
     name TEXT PRIMARY KEY,
     failing_since TEXT,
     failures INTEGER NOT NULL DEFAULT 0,
     error TEXT,
     unreachable INTEGER NOT NULL DEFAULT 0,
     succeeded_at TEXT
   ) STRICT`,
  `CREATE TABLE activity (
     seq INTEGER PRIMARY KEY,
     at TEXT NOT NULL,
     who TEXT NOT NULL,
     action TEXT NOT NULL,
     subject TEXT NOT NULL,
     link TEXT NOT NULL DEFAULT ''
   ) STRICT`,
  `CREATE INDEX activity_by_time ON activity (at, seq)`,
  installationTable,
];

/**
 * The schema of a new database, as migration 43 left it. It never changes: later migrations change every database alike.
 * Times are text in ISO 8601, UTC.
 */
export const schema: Migration = {
  id: 43,
  name: 'schema',
  statements: [...adminTables, ...siteTables, ...contentTables, ...submissionTables, ...outboxTable],
};
