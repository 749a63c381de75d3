import * as z from 'zod/mini';
import { deviceDrafts } from '../drafts/device-drafts.ts';

/** A note that is not saved, as this browser keeps it. */
const noteDraft = z.object({
  /** The submission's id. */
  id: z.string(),
  reference: z.string(),
  /** The email address of the admin who writes: a browser may be shared. */
  by: z.string(),
  text: z.string(),
  /** The saved note on which the admin began. */
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

/** Deletes what this browser keeps about submissions that were erased. */
export async function dropNotesAbout(references: readonly string[]): Promise<void> {
  const kept = await noteDrafts.all();
  await Promise.all(kept.filter(({ reference }) => references.includes(reference)).map(noteDrafts.drop));
}
