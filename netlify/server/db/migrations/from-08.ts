import type { Migration } from './migration.ts';
import { mailed, rebuiltOutbox } from './outbox-triggers.ts';

/** Migrations 8 to 19. Released migrations never change. */
export const from08: readonly Migration[] = [
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
    // Without 'secure-delete', FTS5 keeps the words of a deleted row until a later merge. 'rebuild' removes the words
    // of rows that are already deleted.
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
      // SQLite reads the columns of a row in order. `content` comes last, so a list of versions does not read the text.
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
      // The trigger runs when a statement sets `content`, as each save does. Moving a post to the trash or back does
      // not set `content`, so it stores no version. At most 50 versions are stored, including the current text.
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
    // The store adds the chat message when it adds the inquiry or application, because a trigger cannot know whether a
    // webhook is set up.
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
      // A save sets the status, and so does the publication of a scheduled post. Both store a version.
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
    // If no email server is set up, all emails stay in the outbox. With one index for both channels, the query for
    // webhook messages scanned all of these emails.
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
    // This index has all columns that the sitemap needs. Without it, SQLite read 100,000 whole posts in two seconds.
    statements: [`CREATE INDEX posts_in_sitemap ON posts (status, seq, slug, updated_at) WHERE deleted_at IS NULL`],
  },
  {
    id: 19,
    name: 'a row that is written to see whether the database can be written',
    statements: [`CREATE TABLE health_checks (id INTEGER PRIMARY KEY CHECK (id = 1), at TEXT NOT NULL) STRICT`],
  },
];
