import { newSearchIndex } from '../search-index.ts';

const postWords = ['title', 'slug', 'excerpt', 'body_text'];

/** The columns by which the admin area sorts posts. */
const postOrders = ['created_at', 'updated_at', 'shown_at', 'title COLLATE NOCASE'];

/** The server's copies of changes that admins have not saved. */
export const unsavedTable: readonly string[] = [
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
];

/** The tables of what admins publish: posts, files, home texts and the logo. */
export const contentTables: readonly string[] = [
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
     publish_at TEXT CHECK (publish_at IS NULL OR status = 'draft'),
     date_before TEXT
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
  // A save sets the status, and so does the publication of a scheduled post. Both store a version. At most 50 versions
  // are stored, including the current text.
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
  ...unsavedTable,
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
];
