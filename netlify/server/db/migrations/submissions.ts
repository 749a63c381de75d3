/** Returns SQL for the words of a submission: the text of all its fields. */
const wordsOf = (row: string) => `(SELECT group_concat(value, char(10)) FROM json_each(${row}.fields))`;

/** The tables of inquiries and applications. `fields` is JSON with the text of each field. */
export const submissionTables: readonly string[] = [
  // `resume` is JSON with the name, type and size of a resume.
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
  // (db/search-index.ts). FTS5's own 'secure-delete' makes indexes that fail the integrity check.
  `CREATE TRIGGER submissions_words_removed AFTER DELETE ON submissions BEGIN
     INSERT INTO submissions_words (submissions_words, rowid, words) VALUES ('delete', old.seq, ${wordsOf('old')});
     UPDATE search_deletions SET deletions = deletions + 1 WHERE words = 'submissions_words';
   END`,
  // Unsaved notes about a submission are erased with it.
  `CREATE TRIGGER submissions_note_removed AFTER DELETE ON submissions BEGIN
     DELETE FROM unsaved WHERE kind = 'note' AND id = old.id;
   END`,
  `INSERT INTO search_deletions (words, deletions, merged) VALUES ('submissions_words', 1, 0)`,
];

/**
 * The table of the messages to the firm, to senders, to admins and to the team chat. A message about a submission has
 * no text. Its text is written from the submission when the message is sent.
 */
export const outboxTable: readonly string[] = [
  `CREATE TABLE outbox (
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
];
