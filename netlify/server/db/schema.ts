import { installationTable } from './deployment.ts';
import type { Migration } from './migrations/migration.ts';
import { newSearchIndex } from './search-index.ts';

/** Returns what inquiries and applications have in common: their lists, their search, and their messages. */
function submissionRules(kind: string, table: string, words: readonly string[]): string[] {
  return [
    `CREATE INDEX ${table}_by_time ON ${table} (status, created_at, seq)`,
    `CREATE INDEX ${table}_open ON ${table} (created_at, seq) WHERE status = 'inbox' AND handled_at IS NULL`,
    `CREATE INDEX ${table}_handled ON ${table} (created_at, seq) WHERE status = 'inbox' AND handled_at IS NOT NULL`,
    `CREATE INDEX ${table}_by_email ON ${table} (lower(email))`,
    ...newSearchIndex(table, words),
    // Counts the deletions, and a job merges an index that has deletions, which removes erased words from its file
    // (db/search-index.ts). FTS5's own 'secure-delete' makes indexes that fail the integrity check.
    `INSERT INTO search_deletions (words, deletions, merging, merged) VALUES ('${table}_words', 1, 0, 0)`,
    `CREATE TRIGGER ${table}_words_to_merge AFTER DELETE ON ${table} BEGIN
       UPDATE search_deletions SET deletions = deletions + 1 WHERE words = '${table}_words';
     END`,
    needsMessages(kind, table, 'insert', 'INSERT', `new.status = 'inbox'`),
    needsMessages(kind, table, 'update', 'UPDATE OF status', `new.status = 'inbox'`),
    `CREATE TRIGGER ${table}_unmailed AFTER DELETE ON ${table} BEGIN
       DELETE FROM outbox WHERE kind = '${kind}' AND id = old.id;
     END`,
  ];
}

/**
 * Returns a trigger that rejects a row without messages in the outbox. A store adds the messages before the row, in the
 * same transaction (`addMessages` in `mail/outbox.ts`), so no row can be stored that sends nothing.
 */
const needsMessages = (kind: string, table: string, name: string, when: string, condition: string): string =>
  `CREATE TRIGGER ${table}_need_messages_${name} AFTER ${when} ON ${table}
   WHEN ${condition} AND NOT EXISTS (SELECT 1 FROM outbox WHERE kind = '${kind}' AND id = new.id) BEGIN
     SELECT RAISE(ABORT, 'no messages in the outbox');
   END`;

const postWords = ['title', 'slug', 'excerpt', 'body_text'];

/** The columns by which the admin area sorts posts. */
const postOrders = ['created_at', 'updated_at', 'shown_at', 'title COLLATE NOCASE'];

/**
 * The schema of a new database, as migration 29 left it. It never changes: migrations change every database alike.
 * Times are text in ISO 8601, UTC.
 */
export const schema: Migration = {
  id: 29,
  name: 'schema',
  statements: [
    // Admins and how they sign in.
    `CREATE TABLE admins (
       email TEXT PRIMARY KEY COLLATE NOCASE,
       password_hash TEXT NOT NULL,
       created_at TEXT NOT NULL,
       updated_at TEXT NOT NULL
     ) STRICT`,
    // `fresh_at` is when the admin last proved who they are ('' if unknown). `device` is the id of the known browser.
    `CREATE TABLE sessions (
       id TEXT PRIMARY KEY,
       email TEXT NOT NULL REFERENCES admins (email) ON DELETE CASCADE,
       created_at TEXT NOT NULL,
       expires_at TEXT NOT NULL,
       user_agent TEXT NOT NULL,
       seen_at TEXT NOT NULL DEFAULT '',
       fresh_at TEXT NOT NULL DEFAULT '',
       device TEXT NOT NULL DEFAULT ''
     ) STRICT`,
    `CREATE INDEX sessions_by_expiry ON sessions (expires_at)`,
    `CREATE INDEX sessions_by_email ON sessions (email)`,
    // `client` is the known browser or session that made the attempt. Its failures are counted separately.
    `CREATE TABLE sign_in_attempts (
       id INTEGER PRIMARY KEY,
       address TEXT NOT NULL,
       account TEXT NOT NULL COLLATE NOCASE,
       succeeded INTEGER NOT NULL,
       at TEXT NOT NULL,
       client TEXT
     ) STRICT`,
    `CREATE INDEX sign_in_attempts_by_address ON sign_in_attempts (address, at)`,
    `CREATE INDEX sign_in_attempts_by_account ON sign_in_attempts (account, at)`,
    `CREATE TABLE known_devices (
       id TEXT NOT NULL,
       email TEXT NOT NULL COLLATE NOCASE REFERENCES admins (email) ON DELETE CASCADE,
       seen_at TEXT NOT NULL,
       PRIMARY KEY (id, email)
     ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX known_devices_by_email ON known_devices (email, seen_at)`,
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
       transports TEXT NOT NULL CHECK (json_valid(transports)),
       created_at TEXT NOT NULL,
       used_at TEXT
     ) STRICT`,
    `CREATE INDEX passkeys_by_email ON passkeys (email)`,
    // Each challenge can be used once. A challenge for signing in has no email, because the admin is not known yet.
    `CREATE TABLE passkey_challenges (challenge TEXT PRIMARY KEY, email TEXT, expires_at TEXT NOT NULL) STRICT`,
    `CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at)`,

    // Messages that the site sends. One row of the outbox is one message to one audience.
    `CREATE TABLE outbox (
       kind TEXT NOT NULL,
       id TEXT NOT NULL,
       audience TEXT NOT NULL,
       status TEXT NOT NULL,
       generation INTEGER NOT NULL DEFAULT 1,
       attempts INTEGER NOT NULL DEFAULT 0,
       first_tried_at TEXT,
       due_at TEXT NOT NULL,
       leased_until TEXT,
       sent_at TEXT,
       error TEXT,
       PRIMARY KEY (kind, id, audience)
     ) STRICT, WITHOUT ROWID`,
    // If no email server is set up, all emails stay in the outbox, so webhook messages have their own index.
    `CREATE INDEX outbox_mail_due ON outbox (due_at, leased_until, first_tried_at, status)
     WHERE status IN ('waiting', 'retrying') AND audience <> 'webhook'`,
    `CREATE INDEX outbox_webhook_due ON outbox (due_at, leased_until, first_tried_at, status)
     WHERE status IN ('waiting', 'retrying') AND audience = 'webhook'`,
    `CREATE INDEX outbox_given_up ON outbox (audience, kind) WHERE status = 'failed'`,
    `CREATE TABLE channels (
       name TEXT PRIMARY KEY,
       failing_since TEXT,
       failures INTEGER NOT NULL DEFAULT 0,
       error TEXT,
       unreachable INTEGER NOT NULL DEFAULT 0,
       succeeded_at TEXT
     ) STRICT`,
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
    needsMessages('notice', 'notices', 'insert', 'INSERT', 'true'),
    `CREATE TRIGGER notices_forgotten AFTER DELETE ON notices BEGIN
       DELETE FROM outbox WHERE kind = 'notice' AND id = old.id;
     END`,
    // The confirmations that were sent to visitors. The recipient is a keyed hash of the email address.
    `CREATE TABLE acknowledgements (message TEXT PRIMARY KEY, recipient TEXT NOT NULL, at TEXT NOT NULL) STRICT`,
    `CREATE INDEX acknowledgements_by_recipient ON acknowledgements (recipient, at)`,
    `CREATE INDEX acknowledgements_by_time ON acknowledgements (at)`,

    // Submissions.
    `CREATE TABLE search_deletions (
       words TEXT PRIMARY KEY,
       deletions INTEGER NOT NULL,
       merging INTEGER NOT NULL,
       merged INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID`,
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
       created_at TEXT NOT NULL,
       handled_at TEXT,
       note TEXT NOT NULL DEFAULT ''
     ) STRICT`,
    ...submissionRules('inquiry', 'inquiries', ['full_name', 'email', 'company', 'message']),
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
       created_at TEXT NOT NULL,
       handled_at TEXT,
       note TEXT NOT NULL DEFAULT '',
       delete_at TEXT,
       held_at TEXT,
       held_by TEXT NOT NULL DEFAULT '',
       hold_reason TEXT NOT NULL DEFAULT ''
     ) STRICT`,
    ...submissionRules('application', 'applications', ['full_name', 'email', 'phone', 'position', 'cover_letter']),
    `CREATE INDEX applications_to_announce ON applications (created_at, seq) WHERE delete_at IS NULL AND held_at IS NULL`,
    `CREATE INDEX applications_announced ON applications (delete_at, seq) WHERE delete_at IS NOT NULL AND held_at IS NULL`,
    // Resumes that could not be written to the blob store. A scheduled job moves them there later.
    `CREATE TABLE resumes_waiting (id TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT`,
    `CREATE TABLE form_drafts (
       id TEXT PRIMARY KEY,
       draft TEXT NOT NULL CHECK (json_valid(draft)),
       expires_at TEXT NOT NULL
     ) STRICT`,
    `CREATE INDEX form_drafts_by_expiry ON form_drafts (expires_at)`,
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
    // Keyed hashes of erased email addresses and ids, so that the erasures can be repeated after a restore. The key is
    // in every backup. The hashes are also stored outside the database (submissions/erasures.ts).
    `CREATE TABLE erasure_key (one INTEGER PRIMARY KEY CHECK (one = 1), secret TEXT NOT NULL) STRICT`,
    `INSERT INTO erasure_key (one, secret) VALUES (1, lower(hex(randomblob(32))))`,
    `CREATE TABLE erasures (
       batch TEXT NOT NULL,
       hash TEXT NOT NULL,
       at TEXT NOT NULL,
       PRIMARY KEY (batch, hash)
     ) STRICT, WITHOUT ROWID`,

    // Posts.
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
       shown_at TEXT NOT NULL AS (coalesce(published_at, created_at)) VIRTUAL,
       saved_by TEXT NOT NULL DEFAULT '',
       publish_at TEXT CHECK (publish_at IS NULL OR status = 'draft')
     ) STRICT`,
    // The slug of a post in the trash can be used by another post.
    `CREATE UNIQUE INDEX posts_by_slug ON posts (slug) WHERE deleted_at IS NULL`,
    ...postOrders.flatMap((column, index) => [
      `CREATE INDEX posts_in_order_${index} ON posts (${column}, seq) WHERE deleted_at IS NULL`,
      `CREATE INDEX posts_of_status_${index} ON posts (status, ${column}, seq) WHERE deleted_at IS NULL`,
    ]),
    `CREATE INDEX posts_in_trash ON posts (deleted_at) WHERE deleted_at IS NOT NULL`,
    `CREATE INDEX posts_scheduled ON posts (publish_at) WHERE publish_at IS NOT NULL AND deleted_at IS NULL`,
    // This index has all columns that the sitemap needs. Without it, SQLite read 100,000 whole posts in two seconds.
    `CREATE INDEX posts_in_sitemap ON posts (status, seq, slug, updated_at) WHERE deleted_at IS NULL`,
    ...newSearchIndex('posts', postWords, {
      changing: postWords,
      removing: 'DELETE FROM former_slugs WHERE post_id = old.id;',
    }),
    // Maps a former public slug to its post, so a redirect leads to the current slug in one step and cannot loop.
    `CREATE TABLE former_slugs (slug TEXT PRIMARY KEY, post_id TEXT NOT NULL) STRICT, WITHOUT ROWID`,
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
    `CREATE TABLE share_links (
       id TEXT PRIMARY KEY,
       email TEXT NOT NULL COLLATE NOCASE,
       key TEXT NOT NULL,
       created_at TEXT NOT NULL,
       expires_at TEXT NOT NULL
     ) STRICT`,
    `CREATE INDEX share_links_by_draft ON share_links (email, key)`,
    `CREATE INDEX share_links_by_expiry ON share_links (expires_at)`,
    // SQLite reads the columns of a row in order. `content` comes late, so a list of versions does not read the text.
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
       publish_at TEXT,
       UNIQUE (post_id, revision)
     ) STRICT`,
    // A save sets the status, and so does the publication of a scheduled post. Both store a version. At most 50
    // versions are stored, including the current text.
    `CREATE TRIGGER posts_versioned AFTER UPDATE OF status ON posts BEGIN
       INSERT INTO post_versions
         (post_id, revision, saved_at, saved_by, title, slug, status, publish_at, excerpt, featured_image, content)
       VALUES (old.id, old.revision, old.updated_at, old.saved_by, old.title, old.slug, old.status, old.publish_at,
         old.excerpt, old.featured_image, old.content);
       DELETE FROM post_versions WHERE post_id = old.id AND revision <=
         (SELECT revision FROM post_versions WHERE post_id = old.id ORDER BY revision DESC LIMIT 1 OFFSET 49);
     END`,
    `CREATE TRIGGER posts_unversioned AFTER DELETE ON posts BEGIN
       DELETE FROM post_versions WHERE post_id = old.id;
     END`,

    // Files, home texts and the logo.
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
       deleted_at TEXT,
       replaced_at TEXT
     ) STRICT`,
    `CREATE INDEX media_by_time ON media (uploaded_at, seq) WHERE deleted_at IS NULL`,
    `CREATE INDEX media_by_content ON media (sha256)`,
    ...newSearchIndex('media', ['original_name', 'alt'], { changing: ['alt'] }),
    // Previous versions of a file, newest last. They have the type of the file.
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
    `CREATE TABLE sections (
       section_key TEXT PRIMARY KEY,
       title TEXT NOT NULL,
       content TEXT NOT NULL,
       metadata TEXT NOT NULL,
       updated_at TEXT NOT NULL
     ) STRICT`,
    // Each row is a logo that the site had, and the last one is shown. A row without `sha256` means the default logo.
    `CREATE TABLE logos (
       seq INTEGER PRIMARY KEY,
       file_name TEXT NOT NULL,
       mime_type TEXT NOT NULL,
       size INTEGER NOT NULL,
       sha256 TEXT,
       updated_at TEXT NOT NULL
     ) STRICT`,

    // The site itself. `hour` is set only in rows of `activity` that count the events of one hour.
    `CREATE TABLE activity (
       seq INTEGER PRIMARY KEY,
       at TEXT NOT NULL,
       who TEXT NOT NULL,
       action TEXT NOT NULL,
       subject TEXT NOT NULL,
       kind TEXT NOT NULL DEFAULT 'change',
       count INTEGER NOT NULL DEFAULT 1,
       hour TEXT
     ) STRICT`,
    `CREATE INDEX activity_by_time ON activity (at, seq)`,
    `CREATE INDEX activity_by_kind ON activity (kind, at, seq)`,
    `CREATE INDEX activity_by_who ON activity (who, at) WHERE hour IS NULL`,
    `CREATE UNIQUE INDEX activity_by_hour ON activity (hour, kind, who, action, subject) WHERE hour IS NOT NULL`,
    `CREATE TABLE jobs (name TEXT PRIMARY KEY, ran_at TEXT NOT NULL, succeeded_at TEXT) STRICT`,
    `CREATE TABLE clock (
       one INTEGER PRIMARY KEY CHECK (one = 1),
       trusted_at TEXT NOT NULL,
       ran_at TEXT NOT NULL,
       doubted_since TEXT
     ) STRICT`,
    `CREATE TABLE faults (
       part TEXT PRIMARY KEY,
       words TEXT NOT NULL,
       began_at TEXT NOT NULL,
       announced_at TEXT,
       cleared_at TEXT
     ) STRICT`,
    // The value is also in the blob store, so the site detects a blob store that was emptied or replaced.
    `CREATE TABLE blob_sentinel (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL) STRICT`,
    `CREATE TABLE health_checks (id INTEGER PRIMARY KEY CHECK (id = 1), at TEXT NOT NULL) STRICT`,
    installationTable,
    `CREATE TABLE hosts (id TEXT PRIMARY KEY, seen_at TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  ],
};
