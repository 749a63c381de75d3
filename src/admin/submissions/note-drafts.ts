import * as z from 'zod/mini';
import { deviceDrafts } from '../drafts/device-drafts.ts';

/** An unsaved note, as stored in this browser. */
const noteDraft = z.object({
  /** The submission's id. */
  id: z.string(),
  reference: z.string(),
  /** The email address of the admin who wrote the note, because several admins may share a browser. */
  by: z.string(),
  text: z.string(),
  /** The saved note when the admin started writing. */
  was: z.string(),
  /** ISO 8601, UTC. */
  savedAt: z.string(),
});

export type NoteDraft = z.infer<typeof noteDraft>;

export const noteDrafts = deviceDrafts({
  database: 'admin-notes',
  store: 'notes',
  schema: noteDraft,
  nameOf: ({ id, by }) => `${by}:${id}`,
});

/** Deletes this browser's unsaved notes about submissions that were erased. */
export async function dropNotesAbout(references: readonly string[]): Promise<void> {
  const kept = await noteDrafts.all();
  await Promise.all(kept.filter(({ reference }) => references.includes(reference)).map(noteDrafts.drop));
}
