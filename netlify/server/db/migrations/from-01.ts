import type { Migration } from './migration.ts';
import { mailed } from './outbox-triggers.ts';

/** Migrations 1 to 7. Released migrations never change. */
export const from01: readonly Migration[] = [
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
];
