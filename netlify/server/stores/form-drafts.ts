import * as z from 'zod/mini';
import { deleteSome } from '../db/bounded-delete.ts';
import { type Database, sql, text } from '../db/database.ts';

/** An invalid form that was submitted without JavaScript, stored while the visitor corrects it. */
const formDraft = z.object({
  values: z.record(z.string(), z.string()),
  errors: z.record(z.string(), z.string()),
});

export type FormDraft = z.infer<typeof formDraft>;

// Searches every field, because in an invalid form the email address may be in the wrong field or between spaces.
const ofPerson = `EXISTS (SELECT 1 FROM json_each(draft, '$.values') v WHERE instr(lower(v.value), lower(?)) > 0)`;

export function formDraftStore(database: Database) {
  return {
    async create(id: string, draft: FormDraft, expiresAt: string): Promise<void> {
      await database.write(
        sql('INSERT INTO form_drafts (id, draft, expires_at) VALUES (?, ?, ?)', id, JSON.stringify(draft), expiresAt),
      );
    },

    async get(id: string, now: string): Promise<FormDraft | null> {
      const [row] = await database.read(sql('SELECT draft FROM form_drafts WHERE id = ? AND expires_at > ?', id, now));
      return row ? formDraft.parse(JSON.parse(text(row.draft))) : null;
    },

    /** Counts the drafts that contain an email address. Ignores upper and lower case. */
    async countOf(email: string): Promise<number> {
      const [row] = await database.read(sql(`SELECT count(*) AS count FROM form_drafts WHERE ${ofPerson}`, email));
      return Number(row?.count);
    },

    async removeOf(email: string): Promise<void> {
      await database.write(sql(`DELETE FROM form_drafts WHERE ${ofPerson}`, email));
    },

    async removeExpired(now: string): Promise<void> {
      await database.write(deleteSome('form_drafts', 'expires_at < ?', now));
    },
  };
}
