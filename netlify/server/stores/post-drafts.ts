import type { Row } from '@libsql/client/http';
import {
  type PostDraftInput,
  type PostDraftRecord,
  type PostDraftSummary,
  postDraftInput,
} from '../../../src/domain/post-draft.ts';
import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, sql, text } from '../db/database.ts';
import { withCurrentFiles } from './file-versions.ts';

/** The server's copies of edits that admins have not saved yet. A post changes only when an admin saves the edits. */
export function postDraftStore(database: Database) {
  return {
    async list(email: string): Promise<PostDraftSummary[]> {
      const rows = await database.read(
        sql('SELECT key, draft, updated_at FROM post_drafts WHERE email = ? ORDER BY updated_at DESC LIMIT 200', email),
      );
      return rows.map((row) => {
        const { key, postId, title, updatedAt } = toRecord(row);
        return { key, postId, title, updatedAt };
      });
    },

    async get(email: string, key: string): Promise<PostDraftRecord | null> {
      const [row] = await database.read(
        sql('SELECT key, draft, updated_at FROM post_drafts WHERE email = ? AND key = ?', email, key),
      );
      return row ? toRecord(row) : null;
    },

    /** @param html the draft's content, sanitized. The preview shows it. */
    async put(email: string, key: string, draft: PostDraftInput, html: string, at: string): Promise<void> {
      await database.write(
        sql(
          `INSERT INTO post_drafts (email, key, draft, html, updated_at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (email, key) DO UPDATE SET draft = excluded.draft, html = excluded.html, updated_at = excluded.updated_at`,
          email,
          key,
          JSON.stringify(draft),
          html,
          at,
        ),
      );
    },

    /** Returns a draft with the HTML for its preview, or null. */
    async preview(email: string, key: string): Promise<(PostDraftRecord & { html: string }) | null> {
      const [row] = await database.read(
        sql('SELECT key, draft, html, updated_at FROM post_drafts WHERE email = ? AND key = ?', email, key),
      );
      if (!row) return null;
      const { featuredImage, ...draft } = toRecord(row);
      const [shown] = await withCurrentFiles(database, [
        { content: text(row.html), featuredImage: featuredImage.trim() },
      ]);
      return { ...draft, featuredImage: shown?.featuredImage ?? '', html: shown?.content ?? '' };
    },

    async remove(email: string, key: string): Promise<void> {
      await database.write(sql('DELETE FROM post_drafts WHERE email = ? AND key = ?', email, key));
    },

    async removeBefore(at: string): Promise<void> {
      await database.write(deleteSome('post_drafts', 'updated_at < ?', at));
    },
  };
}

function toRecord(row: Row): PostDraftRecord {
  const draft = postDraftInput.parse(JSON.parse(text(row.draft)));
  return { ...draft, key: text(row.key), updatedAt: text(row.updated_at) };
}
