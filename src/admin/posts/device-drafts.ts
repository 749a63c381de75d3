import * as z from 'zod/mini';
import { deviceDrafts } from '../drafts/device-drafts.ts';
import { postForm } from './post-form.ts';

/** Writing that has not become a post, or a later state of one, as this browser keeps it. */
const deviceDraft = z.object({
  /** The draft's name on the server. */
  key: z.string(),
  /** Null for a post that is not stored yet. */
  postId: z.nullable(z.string()),
  /** The revision of the post on which it was begun. */
  revision: z.nullable(z.number()),
  form: postForm,
  /** The admin who wrote it, by e-mail address: a browser may be shared. What earlier versions of this app kept names nobody. */
  by: z.optional(z.string()),
  /** The opening of the dialog in which it was written: two of them never write over each other. */
  sitting: z.string(),
  /** ISO 8601, UTC. */
  savedAt: z.string(),
});

export type DeviceDraft = z.infer<typeof deviceDraft>;

const drafts = deviceDrafts({
  database: 'admin-writing',
  store: 'posts',
  schema: deviceDraft,
  nameOf: ({ key, sitting }) => `${key}:${sitting}`,
});

export const { keep: keepOnDevice, drop: dropFromDevice } = drafts;

/**
 * What this browser keeps for a post, or for those that are not stored yet.
 * @param by the admin who wrote it.
 */
export async function deviceDraftsOf(postId: string | null, by: string): Promise<DeviceDraft[]> {
  return (await drafts.all()).filter((draft) => draft.postId === postId && (draft.by ?? by) === by);
}
