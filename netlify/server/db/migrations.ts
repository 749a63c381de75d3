import { installationTable } from './deployment.ts';

/** A numbered change of the schema. Never change a released migration; add a new one. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * Returns triggers that add a submission's two emails to the outbox and remove them, in the submission's transaction.
 */
const mailed = (kind: string, table: string): string[] => [
  `CREATE TRIGGER ${table}_mailed AFTER INSERT ON ${table} WHEN new.status = 'inbox' BEGIN
     INSERT INTO outbox (kind, id, audience, status, due_at)
     VALUES ('${kind}', new.id, 'firm', 'waiting', new.created_at), ('${kind}', new.id, 'sender', 'waiting', new.created_at);
   END`,
  `CREATE TRIGGER ${table}_released AFTER UPDATE OF status ON ${table} WHEN new.status = 'inbox' BEGIN
     INSERT INTO outbox (kind, id, audience, status, due_at)
     VALUES ('${kind}', new.id, 'firm', 'waiting', new.created_at), ('${kind}', new.id, 'sender', 'waiting', new.created_at)
     ON CONFLICT (kind, id, audience) DO NOTHING;
   END`,
  `CREATE TRIGGER ${table}_unmailed AFTER DELETE ON ${table} BEGIN
     DELETE FROM outbox WHERE kind = '${kind}' AND id = old.id;
   END`,
];

/**
 * Returns statements that copy the outbox into a table with other CHECK constraints, because SQLite cannot change a
 * CHECK. They also drop the triggers of {@link mailed} and the indexes. The migration must create both again.
 */
const rebuiltOutbox = ({
  indexes,
  former,
  checks,
}: {
  readonly indexes: readonly string[];
  readonly former: string;
  readonly checks: Readonly<Record<'kind' | 'audience' | 'status', string>>;
}): string[] => [
  ...['inquiries', 'applications'].flatMap((table) =>
    ['mailed', 'released', 'unmailed'].map((when) => `DROP TRIGGER ${table}_${when}`),
  ),
  ...indexes.map((index) => `DROP INDEX ${index}`),
  `ALTER TABLE outbox RENAME TO ${former}`,
  `CREATE TABLE outbox (
         kind TEXT NOT NULL${checks.kind},
         id TEXT NOT NULL,
         audience TEXT NOT NULL${checks.audience},
         status TEXT NOT NULL${checks.status},
         generation INTEGER NOT NULL DEFAULT 1,
         attempts INTEGER NOT NULL DEFAULT 0,
         first_tried_at TEXT,
         due_at TEXT NOT NULL,
         leased_until TEXT,
         sent_at TEXT,
         error TEXT,
         PRIMARY KEY (kind, id, audience)
       ) STRICT, WITHOUT ROWID`,
  `INSERT INTO outbox
         SELECT kind, id, audience, status, generation, attempts, first_tried_at, due_at, leased_until, sent_at, error
         FROM ${former}`,
  `DROP TABLE ${former}`,
];

/**
 * Returns a trigger that rejects a row without messages in the outbox. A store adds the messages before the row, in the
 * same transaction (`addMessages` in `stores/outbox.ts`). An older version of the site, which expects a trigger to add
 * the messages, therefore fails instead of silently sending nothing.
 */
const needsMessages = (kind: string, table: string, when: string, condition = 'true'): string =>
  `CREATE TRIGGER ${table}_need_messages_${when.split(' ', 1)[0]?.toLowerCase()} AFTER ${when} ON ${table}
   WHEN ${condition} AND NOT EXISTS (SELECT 1 FROM outbox WHERE kind = '${kind}' AND id = new.id) BEGIN
     SELECT RAISE(ABORT, 'no messages in the outbox');
   END`;

/** The beginning of the footer of notices before migration 28, as SQL. The text of these notices was stored with it. */
const oldFooter = `char(10) || char(10) || 'This message was sent automatically by the website of '`;

/** All migrations, in one module and not in separate files, so that bundlers include them. */
export const migrations: readonly Migration[] = [
  {
    id: 1,
    name: 'admins and sessions',
    statements: [
      `CREATE TABLE admins (
         email TEXT PRIMARY KEY COLLATE NOCASE,
         password_hash TEXT NOT NULL,
         created_at TEXT NOT NULL,
         updated_at TEXT NOT NULL
       ) STRICT`,
      `CREATE TABLE sessions (
         id TEXT PRIMARY KEY,
         email TEXT NOT NULL REFERENCES admins (email) ON DELETE CASCADE,
         created_at TEXT NOT NULL,
         expires_at TEXT NOT NULL,
         user_agent TEXT NOT NULL
       ) STRICT`,
      `CREATE INDEX sessions_by_expiry ON sessions (expires_at)`,
      `CREATE TABLE sign_in_attempts (
         id INTEGER PRIMARY KEY,
         address TEXT NOT NULL,
         account TEXT NOT NULL COLLATE NOCASE,
         succeeded INTEGER NOT NULL,
         at TEXT NOT NULL
       ) STRICT`,
      `CREATE INDEX sign_in_attempts_by_address ON sign_in_attempts (address, at)`,
      `CREATE INDEX sign_in_attempts_by_account ON sign_in_attempts (account, at)`,
    ],
  },
  {
    id: 2,
    name: 'inquiries, their search and their mail',
    statements: [
      `CREATE TABLE inquiries (
         seq INTEGER PRIMARY KEY,
         id TEXT NOT NULL UNIQUE,
         full_name TEXT NOT NULL,
         email TEXT NOT NULL,
         company TEXT NOT NULL,
         service_interest TEXT NOT NULL,
         message TEXT NOT NULL,
         status TEXT NOT NULL CHECK (status IN ('inbox', 'quarantine')),
         suspicions TEXT NOT NULL CHECK (json_valid(suspicions)),
         created_at TEXT NOT NULL
       ) STRICT`,
      `CREATE INDEX inquiries_by_time ON inquiries (status, created_at, seq)`,
      // The search index of inquiries. It refers to the rows and stores no copy of their text.
      `CREATE VIRTUAL TABLE inquiries_words USING fts5 (
         full_name, email, company, message,
         content = 'inquiries', content_rowid = 'seq', tokenize = 'unicode61 remove_diacritics 2'
       )`,
      `CREATE TRIGGER inquiries_words_added AFTER INSERT ON inquiries BEGIN
         INSERT INTO inquiries_words (rowid, full_name, email, company, message)
         VALUES (new.seq, new.full_name, new.email, new.company, new.message);
       END`,
      `CREATE TRIGGER inquiries_words_removed AFTER DELETE ON inquiries BEGIN
         INSERT INTO inquiries_words (inquiries_words, rowid, full_name, email, company, message)
         VALUES ('delete', old.seq, old.full_name, old.email, old.company, old.message);
       END`,
      `CREATE TABLE outbox (
         inquiry_id TEXT NOT NULL REFERENCES inquiries (id) ON DELETE CASCADE,
         audience TEXT NOT NULL CHECK (audience IN ('firm', 'sender')),
         status TEXT NOT NULL CHECK (status IN ('waiting', 'retrying', 'sent', 'failed')),
         generation INTEGER NOT NULL DEFAULT 1,
         attempts INTEGER NOT NULL DEFAULT 0,
         first_tried_at TEXT,
         due_at TEXT NOT NULL,
         leased_until TEXT,
         sent_at TEXT,
         error TEXT,
         PRIMARY KEY (inquiry_id, audience)
       ) STRICT, WITHOUT ROWID`,
      // Adds the two emails of an inquiry in the same transaction, so no inquiry is in the inbox without its emails.
      `CREATE TRIGGER inquiries_mailed AFTER INSERT ON inquiries WHEN new.status = 'inbox' BEGIN
         INSERT INTO outbox (inquiry_id, audience, status, due_at)
         VALUES (new.id, 'firm', 'waiting', new.created_at), (new.id, 'sender', 'waiting', new.created_at);
       END`,
      `CREATE TRIGGER inquiries_released AFTER UPDATE OF status ON inquiries WHEN new.status = 'inbox' BEGIN
         INSERT INTO outbox (inquiry_id, audience, status, due_at)
         VALUES (new.id, 'firm', 'waiting', new.created_at), (new.id, 'sender', 'waiting', new.created_at)
         ON CONFLICT (inquiry_id, audience) DO NOTHING;
       END`,
      `CREATE INDEX outbox_due ON outbox (due_at) WHERE status IN ('waiting', 'retrying')`,
    ],
  },
  {
    id: 3,
    name: 'home texts, drafts of forms, files in parts',
    statements: [
      `CREATE TABLE sections (
         section_key TEXT PRIMARY KEY,
         title TEXT NOT NULL,
         content TEXT NOT NULL,
         metadata TEXT NOT NULL,
         updated_at TEXT NOT NULL
       ) STRICT`,
      `CREATE TABLE form_drafts (
         id TEXT PRIMARY KEY,
         draft TEXT NOT NULL CHECK (json_valid(draft)),
         expires_at TEXT NOT NULL
       ) STRICT`,
      `CREATE INDEX form_drafts_by_expiry ON form_drafts (expires_at)`,
      `CREATE TABLE uploads (
         id TEXT PRIMARY KEY,
         name TEXT NOT NULL,
         type TEXT NOT NULL,
         size INTEGER NOT NULL,
         purpose TEXT NOT NULL,
         expires_at TEXT NOT NULL
       ) STRICT`,
      `CREATE INDEX uploads_by_expiry ON uploads (expires_at)`,
    ],
  },
  {
    id: 4,
    name: 'applications, and an outbox for them too',
    statements: [
      `CREATE TABLE applications (
         seq INTEGER PRIMARY KEY,
         id TEXT NOT NULL UNIQUE,
         full_name TEXT NOT NULL,
         email TEXT NOT NULL,
         phone TEXT NOT NULL,
         position TEXT NOT NULL,
         experience TEXT NOT NULL,
         cover_letter TEXT NOT NULL,
         resume_name TEXT NOT NULL,
         resume_kind TEXT NOT NULL CHECK (resume_kind IN ('pdf', 'doc', 'docx')),
         resume_size INTEGER NOT NULL,
         status TEXT NOT NULL CHECK (status IN ('inbox', 'quarantine')),
         suspicions TEXT NOT NULL CHECK (json_valid(suspicions)),
         created_at TEXT NOT NULL
       ) STRICT`,
      `CREATE INDEX applications_by_time ON applications (status, created_at, seq)`,
      `CREATE VIRTUAL TABLE applications_words USING fts5 (
         full_name, email, phone, position, cover_letter,
         content = 'applications', content_rowid = 'seq', tokenize = 'unicode61 remove_diacritics 2'
       )`,
      `CREATE TRIGGER applications_words_added AFTER INSERT ON applications BEGIN
         INSERT INTO applications_words (rowid, full_name, email, phone, position, cover_letter)
         VALUES (new.seq, new.full_name, new.email, new.phone, new.position, new.cover_letter);
       END`,
      `CREATE TRIGGER applications_words_removed AFTER DELETE ON applications BEGIN
         INSERT INTO applications_words (applications_words, rowid, full_name, email, phone, position, cover_letter)
         VALUES ('delete', old.seq, old.full_name, old.email, old.phone, old.position, old.cover_letter);
       END`,
      // Resumes that could not be written to the blob store. A scheduled job moves them there later.
      `CREATE TABLE resumes_waiting (id TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT`,
      `DROP TRIGGER inquiries_mailed`,
      `DROP TRIGGER inquiries_released`,
      `DROP INDEX outbox_due`,
      `ALTER TABLE outbox RENAME TO outbox_of_inquiries`,
      // An email belongs to an inquiry or application and is deleted with it.
      `CREATE TABLE outbox (
         kind TEXT NOT NULL CHECK (kind IN ('inquiry', 'application')),
         id TEXT NOT NULL,
         audience TEXT NOT NULL CHECK (audience IN ('firm', 'sender')),
         status TEXT NOT NULL CHECK (status IN ('waiting', 'retrying', 'sent', 'failed')),
         generation INTEGER NOT NULL DEFAULT 1,
         attempts INTEGER NOT NULL DEFAULT 0,
         first_tried_at TEXT,
         due_at TEXT NOT NULL,
         leased_until TEXT,
         sent_at TEXT,
         error TEXT,
         PRIMARY KEY (kind, id, audience)
       ) STRICT, WITHOUT ROWID`,
      `INSERT INTO outbox
         SELECT 'inquiry', inquiry_id, audience, status, generation, attempts, first_tried_at, due_at, leased_until,
           sent_at, error
         FROM outbox_of_inquiries`,
      `DROP TABLE outbox_of_inquiries`,
      `CREATE INDEX outbox_due ON outbox (due_at) WHERE status IN ('waiting', 'retrying')`,
      ...mailed('inquiry', 'inquiries'),
      ...mailed('application', 'applications'),
    ],
  },
  {
    id: 5,
    name: 'blog posts, their search, their drafts and their former addresses',
    statements: [
      `CREATE TABLE posts (
         seq INTEGER PRIMARY KEY,
         id TEXT NOT NULL UNIQUE,
         title TEXT NOT NULL,
         slug TEXT NOT NULL,
         content TEXT NOT NULL,
         body_text TEXT NOT NULL,
         excerpt TEXT NOT NULL,
         featured_image TEXT NOT NULL,
         status TEXT NOT NULL CHECK (status IN ('draft', 'published')),
         published_at TEXT CHECK (published_at IS NOT NULL OR status = 'draft'),
         first_published_at TEXT,
         created_at TEXT NOT NULL,
         updated_at TEXT NOT NULL,
         revision INTEGER NOT NULL DEFAULT 1,
         deleted_at TEXT,
         shown_at TEXT NOT NULL AS (coalesce(published_at, created_at)) VIRTUAL
       ) STRICT`,
      // The slug of a post in the trash can be used by another post.
      `CREATE UNIQUE INDEX posts_by_slug ON posts (slug) WHERE deleted_at IS NULL`,
      ...['created_at', 'updated_at', 'shown_at', 'title COLLATE NOCASE'].flatMap((column, index) => [
        `CREATE INDEX posts_in_order_${index} ON posts (${column}, seq) WHERE deleted_at IS NULL`,
        `CREATE INDEX posts_of_status_${index} ON posts (status, ${column}, seq) WHERE deleted_at IS NULL`,
      ]),
      `CREATE INDEX posts_in_trash ON posts (deleted_at) WHERE deleted_at IS NOT NULL`,
      `CREATE VIRTUAL TABLE posts_words USING fts5 (
         title, slug, excerpt, body_text,
         content = 'posts', content_rowid = 'seq', tokenize = 'unicode61 remove_diacritics 2'
       )`,
      `CREATE TRIGGER posts_words_added AFTER INSERT ON posts BEGIN
         INSERT INTO posts_words (rowid, title, slug, excerpt, body_text)
         VALUES (new.seq, new.title, new.slug, new.excerpt, new.body_text);
       END`,
      `CREATE TRIGGER posts_words_changed AFTER UPDATE OF title, slug, excerpt, body_text ON posts BEGIN
         INSERT INTO posts_words (posts_words, rowid, title, slug, excerpt, body_text)
         VALUES ('delete', old.seq, old.title, old.slug, old.excerpt, old.body_text);
         INSERT INTO posts_words (rowid, title, slug, excerpt, body_text)
         VALUES (new.seq, new.title, new.slug, new.excerpt, new.body_text);
       END`,
      `CREATE TRIGGER posts_words_removed AFTER DELETE ON posts BEGIN
         INSERT INTO posts_words (posts_words, rowid, title, slug, excerpt, body_text)
         VALUES ('delete', old.seq, old.title, old.slug, old.excerpt, old.body_text);
         DELETE FROM former_slugs WHERE post_id = old.id;
       END`,
      // Maps a former public slug to its post, so a redirect leads to the current slug in one step and cannot loop.
      `CREATE TABLE former_slugs (
         slug TEXT PRIMARY KEY,
         post_id TEXT NOT NULL
       ) STRICT, WITHOUT ROWID`,
      `CREATE INDEX former_slugs_by_post ON former_slugs (post_id)`,
      `CREATE TRIGGER posts_moved AFTER UPDATE OF slug ON posts
       WHEN old.slug <> new.slug AND old.first_published_at IS NOT NULL BEGIN
         INSERT INTO former_slugs (slug, post_id) VALUES (old.slug, new.id)
         ON CONFLICT (slug) DO UPDATE SET post_id = excluded.post_id;
       END`,
      `CREATE TABLE post_drafts (
         email TEXT NOT NULL COLLATE NOCASE,
         key TEXT NOT NULL,
         draft TEXT NOT NULL CHECK (json_valid(draft)),
         html TEXT NOT NULL,
         updated_at TEXT NOT NULL,
         PRIMARY KEY (email, key)
       ) STRICT`,
      `CREATE INDEX post_drafts_by_time ON post_drafts (updated_at)`,
    ],
  },
  {
    id: 6,
    name: 'media library, logo',
    statements: [
      `CREATE TABLE media (
         seq INTEGER PRIMARY KEY,
         id TEXT NOT NULL UNIQUE,
         original_name TEXT NOT NULL,
         file_name TEXT NOT NULL,
         mime_type TEXT NOT NULL,
         size INTEGER NOT NULL,
         width INTEGER,
         height INTEGER,
         alt TEXT NOT NULL DEFAULT '',
         decorative INTEGER NOT NULL DEFAULT 0,
         sha256 TEXT NOT NULL,
         uploaded_at TEXT NOT NULL,
         deleted_at TEXT
       ) STRICT`,
      `CREATE INDEX media_by_time ON media (uploaded_at, seq) WHERE deleted_at IS NULL`,
      `CREATE INDEX media_by_content ON media (sha256)`,
      `CREATE VIRTUAL TABLE media_words USING fts5 (
         original_name, alt, content = 'media', content_rowid = 'seq', tokenize = 'unicode61 remove_diacritics 2'
       )`,
      `CREATE TRIGGER media_words_added AFTER INSERT ON media BEGIN
         INSERT INTO media_words (rowid, original_name, alt) VALUES (new.seq, new.original_name, new.alt);
       END`,
      `CREATE TRIGGER media_words_changed AFTER UPDATE OF alt ON media BEGIN
         INSERT INTO media_words (media_words, rowid, original_name, alt)
         VALUES ('delete', old.seq, old.original_name, old.alt);
         INSERT INTO media_words (rowid, original_name, alt) VALUES (new.seq, new.original_name, new.alt);
       END`,
      `CREATE TRIGGER media_words_removed AFTER DELETE ON media BEGIN
         INSERT INTO media_words (media_words, rowid, original_name, alt)
         VALUES ('delete', old.seq, old.original_name, old.alt);
       END`,
      // Each row is a logo that the site had, and the last one is shown. A row without `sha256` means the default logo.
      `CREATE TABLE logos (
         seq INTEGER PRIMARY KEY,
         file_name TEXT NOT NULL,
         mime_type TEXT NOT NULL,
         size INTEGER NOT NULL,
         sha256 TEXT,
         updated_at TEXT NOT NULL
       ) STRICT`,
    ],
  },
  {
    id: 7,
    name: 'activity, passkeys, when sessions and jobs were last seen',
    statements: [
      `CREATE TABLE activity (
         seq INTEGER PRIMARY KEY,
         at TEXT NOT NULL,
         who TEXT NOT NULL,
         action TEXT NOT NULL,
         subject TEXT NOT NULL
       ) STRICT`,
      `CREATE INDEX activity_by_time ON activity (at, seq)`,
      `CREATE TABLE passkeys (
         id TEXT PRIMARY KEY,
         email TEXT NOT NULL REFERENCES admins (email) ON DELETE CASCADE,
         name TEXT NOT NULL,
         public_key TEXT NOT NULL,
         counter INTEGER NOT NULL,
         transports TEXT NOT NULL CHECK (json_valid(transports)),
         created_at TEXT NOT NULL,
         used_at TEXT
       ) STRICT`,
      `CREATE INDEX passkeys_by_email ON passkeys (email)`,
      // Each challenge can be used once. A challenge for signing in has no email, because the admin is not known yet.
      `CREATE TABLE passkey_challenges (
         challenge TEXT PRIMARY KEY,
         email TEXT,
         expires_at TEXT NOT NULL
       ) STRICT`,
      `CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at)`,
      `ALTER TABLE sessions ADD COLUMN seen_at TEXT NOT NULL DEFAULT ''`,
      `UPDATE sessions SET seen_at = created_at`,
      `CREATE INDEX sessions_by_email ON sessions (email)`,
      `CREATE TABLE jobs (
         name TEXT PRIMARY KEY,
         ran_at TEXT NOT NULL,
         succeeded_at TEXT
       ) STRICT`,
    ],
  },
  {
    id: 8,
    name: 'submissions: handled, noted',
    statements: ['inquiries', 'applications'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN handled_at TEXT`,
      `ALTER TABLE ${table} ADD COLUMN note TEXT NOT NULL DEFAULT ''`,
      `CREATE INDEX ${table}_open ON ${table} (created_at, seq) WHERE status = 'inbox' AND handled_at IS NULL`,
      `CREATE INDEX ${table}_handled ON ${table} (created_at, seq) WHERE status = 'inbox' AND handled_at IS NOT NULL`,
      `CREATE INDEX ${table}_by_email ON ${table} (lower(email))`,
    ]),
  },
  {
    id: 9,
    name: 'mails that were given up, for the status of the site',
    statements: [`CREATE INDEX outbox_given_up ON outbox (status) WHERE status = 'failed'`],
  },
  {
    id: 10,
    name: 'submissions: their words leave the search for good',
    // Without this, FTS5 keeps the words of a deleted row until a later merge. 'rebuild' removes the words of rows that
    // are already deleted.
    statements: ['inquiries_words', 'applications_words'].flatMap((words) => [
      `INSERT INTO ${words} (${words}, rank) VALUES ('secure-delete', 1)`,
      `INSERT INTO ${words} (${words}) VALUES ('rebuild')`,
    ]),
  },
  {
    id: 11,
    name: 'versions of posts',
    statements: [
      `ALTER TABLE posts ADD COLUMN saved_by TEXT NOT NULL DEFAULT ''`,
      // The text is the last column, so a list of versions does not read it.
      `CREATE TABLE post_versions (
         seq INTEGER PRIMARY KEY,
         post_id TEXT NOT NULL,
         revision INTEGER NOT NULL,
         saved_at TEXT NOT NULL,
         saved_by TEXT NOT NULL,
         title TEXT NOT NULL,
         slug TEXT NOT NULL,
         status TEXT NOT NULL,
         excerpt TEXT NOT NULL,
         featured_image TEXT NOT NULL,
         content TEXT NOT NULL,
         UNIQUE (post_id, revision)
       ) STRICT`,
      // Saves set the content; moving to the trash and back does not. At most 50 versions are stored, including the
      // post itself.
      `CREATE TRIGGER posts_versioned AFTER UPDATE OF content ON posts BEGIN
         INSERT INTO post_versions
           (post_id, revision, saved_at, saved_by, title, slug, status, excerpt, featured_image, content)
         VALUES (old.id, old.revision, old.updated_at, old.saved_by, old.title, old.slug, old.status, old.excerpt,
           old.featured_image, old.content);
         DELETE FROM post_versions WHERE post_id = old.id AND revision <=
           (SELECT revision FROM post_versions WHERE post_id = old.id ORDER BY revision DESC LIMIT 1 OFFSET 49);
       END`,
      `CREATE TRIGGER posts_unversioned AFTER DELETE ON posts BEGIN
         DELETE FROM post_versions WHERE post_id = old.id;
       END`,
    ],
  },
  {
    id: 12,
    name: 'media: files that were replaced',
    statements: [
      `ALTER TABLE media ADD COLUMN replaced_at TEXT`,
      // Previous versions of a file, newest last. They have the type of the file, because a replacement never changes
      // the type.
      `CREATE TABLE former_media (
         seq INTEGER PRIMARY KEY,
         media_id TEXT NOT NULL,
         size INTEGER NOT NULL,
         width INTEGER,
         height INTEGER,
         sha256 TEXT NOT NULL,
         replaced_at TEXT NOT NULL
       ) STRICT`,
      `CREATE INDEX former_media_by_file ON former_media (media_id, seq)`,
      `CREATE INDEX former_media_by_content ON former_media (sha256)`,
      `CREATE INDEX former_media_by_time ON former_media (replaced_at)`,
    ],
  },
  {
    id: 13,
    name: 'outbox: messages to a chat, by its webhook',
    // The store adds the chat message in the transaction of the row, because a trigger cannot know whether a webhook is
    // set up.
    statements: [
      ...rebuiltOutbox({
        indexes: ['outbox_due', 'outbox_given_up'],
        former: 'outbox_of_mails',
        checks: {
          kind: ` CHECK (kind IN ('inquiry', 'application'))`,
          audience: ` CHECK (audience IN ('firm', 'sender', 'webhook'))`,
          status: ` CHECK (status IN ('waiting', 'retrying', 'sent', 'failed'))`,
        },
      }),
      `CREATE INDEX outbox_due ON outbox (due_at) WHERE status IN ('waiting', 'retrying')`,
      `CREATE INDEX outbox_given_up ON outbox (status) WHERE status = 'failed'`,
      ...mailed('inquiry', 'inquiries'),
      ...mailed('application', 'applications'),
    ],
  },
  {
    id: 14,
    name: 'posts that are published by themselves',
    statements: [
      `ALTER TABLE posts ADD COLUMN publish_at TEXT CHECK (publish_at IS NULL OR status = 'draft')`,
      `CREATE INDEX posts_scheduled ON posts (publish_at) WHERE publish_at IS NOT NULL AND deleted_at IS NULL`,
      `ALTER TABLE post_versions ADD COLUMN publish_at TEXT`,
      `DROP TRIGGER posts_versioned`,
      // Saves set the status, and so does the publication of scheduled posts.
      `CREATE TRIGGER posts_versioned AFTER UPDATE OF status ON posts BEGIN
         INSERT INTO post_versions
           (post_id, revision, saved_at, saved_by, title, slug, status, publish_at, excerpt, featured_image, content)
         VALUES (old.id, old.revision, old.updated_at, old.saved_by, old.title, old.slug, old.status, old.publish_at,
           old.excerpt, old.featured_image, old.content);
         DELETE FROM post_versions WHERE post_id = old.id AND revision <=
           (SELECT revision FROM post_versions WHERE post_id = old.id ORDER BY revision DESC LIMIT 1 OFFSET 49);
       END`,
    ],
  },
  {
    id: 15,
    name: 'outbox: what is due, by the way that it goes out',
    // Without an email server all emails stay in the outbox, and the query for webhook messages scanned every one of
    // them.
    statements: [
      `DROP INDEX outbox_due`,
      `DROP INDEX outbox_given_up`,
      `CREATE INDEX outbox_mail_due ON outbox (due_at, leased_until, first_tried_at, status)
         WHERE status IN ('waiting', 'retrying') AND audience <> 'webhook'`,
      `CREATE INDEX outbox_webhook_due ON outbox (due_at, leased_until, first_tried_at, status)
         WHERE status IN ('waiting', 'retrying') AND audience = 'webhook'`,
      `CREATE INDEX outbox_given_up ON outbox (audience) WHERE status = 'failed'`,
    ],
  },
  {
    id: 16,
    name: 'bytes that visitors left, counted by network',
    statements: [
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
    ],
  },
  {
    id: 18,
    name: 'posts, as the sitemap lists them',
    // Covers the query for the sitemap. The rows hold whole posts, and reading 100,000 rows took two seconds.
    statements: [`CREATE INDEX posts_in_sitemap ON posts (status, seq, slug, updated_at) WHERE deleted_at IS NULL`],
  },
  {
    id: 19,
    name: 'a row that is written to see whether the database can be written',
    statements: [`CREATE TABLE health_checks (id INTEGER PRIMARY KEY CHECK (id = 1), at TEXT NOT NULL) STRICT`],
  },
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
      // `fresh_at` is when the admin last entered a password or used a passkey ('' if unknown), and `device` the known
      // browser.
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
    // With 'secure-delete', SQLite 3.45 leaves a search index that its own integrity check reports as malformed, so a
    // backup of the database cannot be restored. Merging the index also removes erased words, and repairs a malformed
    // index. Both indexes therefore start with one deletion to merge, and a trigger counts further deletions
    // (stores/search-words.ts).
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
      // The last trusted time, the time of the last run of `every-minute`, and since when the clock has not been
      // trusted.
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
      // Set if the row counts events of one hour.
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
    // The table has no CHECK constraints, so new values need no copy of the table. `stores/outbox.ts` defines the
    // values.
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
      // The recipient is a keyed hash of the email address. A row is deleted after a day.
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
];
