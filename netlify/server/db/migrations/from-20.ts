import { installationTable } from '../deployment.ts';
import type { Migration } from './migration.ts';
import { mailed, needsMessages, rebuiltOutbox } from './outbox-triggers.ts';

/**
 * SQL for the beginning of the footer of an email to admins. Before migration 28, the stored text of a notice included
 * this footer.
 */
const oldFooter = `char(10) || char(10) || 'This message was sent automatically by the website of '`;

/** Migrations 20 and later. Released migrations never change; add a new one at the end. */
export const from20: readonly Migration[] = [
  {
    id: 20,
    name: 'accounts: known browsers, recent sign-ins, and who a provider says that an admin is',
    statements: [
      // Browsers in which an admin signed in. One browser can be known for several admins.
      `CREATE TABLE known_devices (
         id TEXT NOT NULL,
         email TEXT NOT NULL COLLATE NOCASE REFERENCES admins (email) ON DELETE CASCADE,
         seen_at TEXT NOT NULL,
         PRIMARY KEY (id, email)
       ) STRICT, WITHOUT ROWID`,
      `CREATE INDEX known_devices_by_email ON known_devices (email, seen_at)`,
      // `fresh_at` is when the admin signed in with a password, a passkey or a company account ('' if unknown).
      // `device` is the id of the known browser.
      `ALTER TABLE sessions ADD COLUMN fresh_at TEXT NOT NULL DEFAULT ''`,
      `ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT ''`,
      `UPDATE sessions SET fresh_at = created_at`,
      // The known browser or session that made the attempt. Its failures are counted separately.
      `ALTER TABLE sign_in_attempts ADD COLUMN client TEXT`,
      `CREATE TABLE identities (
         issuer TEXT NOT NULL,
         subject TEXT NOT NULL,
         email TEXT NOT NULL COLLATE NOCASE REFERENCES admins (email) ON DELETE CASCADE,
         created_at TEXT NOT NULL,
         PRIMARY KEY (issuer, subject),
         UNIQUE (email, issuer)
       ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    id: 21,
    name: 'links to drafts that can be revoked',
    statements: [
      `CREATE TABLE share_links (
         id TEXT PRIMARY KEY,
         email TEXT NOT NULL COLLATE NOCASE,
         key TEXT NOT NULL,
         created_at TEXT NOT NULL,
         expires_at TEXT NOT NULL
       ) STRICT`,
      `CREATE INDEX share_links_by_draft ON share_links (email, key)`,
      `CREATE INDEX share_links_by_expiry ON share_links (expires_at)`,
    ],
  },
  {
    id: 22,
    name: 'search: erased words leave it in small steps',
    // With 'secure-delete', SQLite 3.45 creates search indexes that its own integrity check reports as malformed, so a
    // backup of the database cannot be restored. Merging an index also removes erased words, and repairs a malformed
    // index. A trigger counts the deletions, and a job merges an index that has deletions (stores/search-words.ts). The
    // counts start at 1, so the job also merges both existing indexes.
    statements: [
      `CREATE TABLE search_deletions (
         words TEXT PRIMARY KEY,
         deletions INTEGER NOT NULL,
         merging INTEGER NOT NULL,
         merged INTEGER NOT NULL
       ) STRICT, WITHOUT ROWID`,
      ...['inquiries', 'applications'].flatMap((table) => [
        `INSERT INTO ${table}_words (${table}_words, rank) VALUES ('secure-delete', 0)`,
        `INSERT INTO search_deletions (words, deletions, merging, merged) VALUES ('${table}_words', 1, 0, 0)`,
        `CREATE TRIGGER ${table}_words_to_merge AFTER DELETE ON ${table} BEGIN
           UPDATE search_deletions SET deletions = deletions + 1 WHERE words = '${table}_words';
         END`,
      ]),
    ],
  },
  {
    id: 23,
    name: 'announced deletions, holds, repeatable erasures, the clock, and a trail with a budget for each kind',
    statements: [
      `ALTER TABLE applications ADD COLUMN delete_at TEXT`,
      `ALTER TABLE applications ADD COLUMN held_at TEXT`,
      `ALTER TABLE applications ADD COLUMN held_by TEXT NOT NULL DEFAULT ''`,
      `ALTER TABLE applications ADD COLUMN hold_reason TEXT NOT NULL DEFAULT ''`,
      `CREATE INDEX applications_to_announce ON applications (created_at, seq) WHERE delete_at IS NULL AND held_at IS NULL`,
      `CREATE INDEX applications_announced ON applications (delete_at, seq) WHERE delete_at IS NOT NULL AND held_at IS NULL`,
      // When the server's clock was last plausible, when `every-minute` last ran, and since when the clock has been
      // implausible (jobs/trusted-clock.ts).
      `CREATE TABLE clock (
         one INTEGER PRIMARY KEY CHECK (one = 1),
         trusted_at TEXT NOT NULL,
         ran_at TEXT NOT NULL,
         doubted_since TEXT
       ) STRICT`,
      `INSERT INTO clock (one, trusted_at, ran_at) SELECT 1, max(ran_at), max(ran_at) FROM jobs HAVING count(*) > 0`,
      // Keyed hashes of erased email addresses and ids, so that the erasures can be repeated after a restore. The key
      // is in every backup. The hashes are also stored outside the database (stores/erasures.ts).
      `CREATE TABLE erasure_key (one INTEGER PRIMARY KEY CHECK (one = 1), secret TEXT NOT NULL) STRICT`,
      `INSERT INTO erasure_key (one, secret) VALUES (1, lower(hex(randomblob(32))))`,
      `CREATE TABLE erasures (
         batch TEXT NOT NULL,
         hash TEXT NOT NULL,
         at TEXT NOT NULL,
         PRIMARY KEY (batch, hash)
       ) STRICT, WITHOUT ROWID`,
      `ALTER TABLE uploads ADD COLUMN used_by TEXT`,
      `CREATE INDEX uploads_by_user ON uploads (used_by) WHERE used_by IS NOT NULL`,
      `ALTER TABLE activity ADD COLUMN kind TEXT NOT NULL DEFAULT 'change'`,
      `ALTER TABLE activity ADD COLUMN count INTEGER NOT NULL DEFAULT 1`,
      // Set only in rows that count the events of one hour.
      `ALTER TABLE activity ADD COLUMN hour TEXT`,
      `UPDATE activity SET kind = 'sign-in' WHERE action IN ('signed in', 'signed in with a passkey', 'signed out')`,
      `UPDATE activity SET subject = 'matching a search' WHERE subject LIKE 'matching "%'`,
      `CREATE UNIQUE INDEX activity_by_hour ON activity (hour, kind, who, action, subject) WHERE hour IS NOT NULL`,
      `CREATE INDEX activity_by_kind ON activity (kind, at, seq)`,
      `CREATE INDEX activity_by_who ON activity (who, at) WHERE hour IS NULL`,
    ],
  },
  {
    id: 24,
    name: 'notices to admins, and the outbox for them too',
    // The table has no CHECK constraints, so a later migration can add values without copying the table.
    // `stores/outbox.ts` defines the values.
    statements: [
      ...rebuiltOutbox({
        indexes: ['outbox_mail_due', 'outbox_webhook_due', 'outbox_given_up'],
        former: 'outbox_of_submissions',
        checks: { kind: '', audience: '', status: '' },
      }),
      `CREATE INDEX outbox_mail_due ON outbox (due_at, leased_until, first_tried_at, status)
         WHERE status IN ('waiting', 'retrying') AND audience <> 'webhook'`,
      `CREATE INDEX outbox_webhook_due ON outbox (due_at, leased_until, first_tried_at, status)
         WHERE status IN ('waiting', 'retrying') AND audience = 'webhook'`,
      `CREATE INDEX outbox_given_up ON outbox (audience, kind) WHERE status = 'failed'`,
      ...mailed('inquiry', 'inquiries'),
      ...mailed('application', 'applications'),
      // One row for each recipient. An empty recipient means the webhook.
      `CREATE TABLE notices (
         id TEXT PRIMARY KEY,
         key TEXT NOT NULL,
         kind TEXT NOT NULL,
         recipient TEXT NOT NULL,
         subject TEXT NOT NULL,
         text TEXT NOT NULL,
         created_at TEXT NOT NULL,
         UNIQUE (key, recipient)
       ) STRICT`,
      `CREATE INDEX notices_by_kind ON notices (kind, created_at)`,
      `CREATE INDEX notices_by_time ON notices (created_at)`,
      `CREATE TRIGGER notices_sent AFTER INSERT ON notices BEGIN
         INSERT INTO outbox (kind, id, audience, status, due_at)
         VALUES ('notice', new.id, CASE new.recipient WHEN '' THEN 'webhook' ELSE 'admin' END, 'waiting', new.created_at);
       END`,
      `CREATE TRIGGER notices_forgotten AFTER DELETE ON notices BEGIN
         DELETE FROM outbox WHERE kind = 'notice' AND id = old.id;
       END`,
    ],
  },
  {
    id: 25,
    name: 'state of email and webhook, acknowledgements of a day, faults that admins were told of',
    statements: [
      `CREATE TABLE channels (
         name TEXT PRIMARY KEY,
         failing_since TEXT,
         failures INTEGER NOT NULL DEFAULT 0,
         error TEXT,
         unreachable INTEGER NOT NULL DEFAULT 0,
         succeeded_at TEXT
       ) STRICT`,
      // The confirmations that were sent to visitors. The recipient is a keyed hash of the email address. A row is
      // deleted after a day.
      `CREATE TABLE acknowledgements (
         message TEXT PRIMARY KEY,
         recipient TEXT NOT NULL,
         at TEXT NOT NULL
       ) STRICT`,
      `CREATE INDEX acknowledgements_by_recipient ON acknowledgements (recipient, at)`,
      `CREATE INDEX acknowledgements_by_time ON acknowledgements (at)`,
      `CREATE TABLE faults (
         part TEXT PRIMARY KEY,
         words TEXT NOT NULL,
         began_at TEXT NOT NULL,
         announced_at TEXT,
         cleared_at TEXT
       ) STRICT`,
      // The value is also in the blob store, so the site detects a blob store that was emptied or replaced.
      `CREATE TABLE blob_sentinel (
         id INTEGER PRIMARY KEY CHECK (id = 1),
         value TEXT NOT NULL
       ) STRICT`,
    ],
  },
  {
    id: 26,
    name: 'what the database belongs to, which machines use it, and what browsers refused',
    statements: [
      installationTable,
      `CREATE TABLE hosts (id TEXT PRIMARY KEY, seen_at TEXT NOT NULL) STRICT, WITHOUT ROWID`,
      `CREATE TABLE policy_reports (
         directive TEXT NOT NULL,
         blocked TEXT NOT NULL,
         page TEXT NOT NULL,
         count INTEGER NOT NULL,
         first_at TEXT NOT NULL,
         last_at TEXT NOT NULL,
         PRIMARY KEY (directive, blocked, page)
       ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    id: 27,
    name: 'messages enter the outbox in one way',
    statements: [
      ...['inquiries', 'applications'].flatMap((table) => [
        `DROP TRIGGER ${table}_mailed`,
        `DROP TRIGGER ${table}_released`,
      ]),
      `DROP TRIGGER notices_sent`,
      ...[
        ['inquiry', 'inquiries'],
        ['application', 'applications'],
      ].flatMap(([kind = '', table = '']) => [
        needsMessages(kind, table, 'INSERT', `new.status = 'inbox'`),
        needsMessages(kind, table, 'UPDATE OF status', `new.status = 'inbox'`),
      ]),
      needsMessages('notice', 'notices', 'INSERT'),
    ],
  },
  {
    id: 28,
    name: 'notices without the greeting and the footer, which the template of emails adds',
    statements: [
      `UPDATE notices SET text = substr(text, 9, instr(text, ${oldFooter}) - 9)
       WHERE text LIKE 'Hello,' || char(10) || char(10) || '%' AND instr(text, ${oldFooter}) > 9`,
    ],
  },
  {
    id: 29,
    name: 'no counts of refused requests and of what browsers refused',
    statements: [`DROP TABLE policy_reports`, `DELETE FROM activity WHERE kind = 'refused'`],
  },
];
