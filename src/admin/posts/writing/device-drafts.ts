import * as z from 'zod/mini';
import { deviceDrafts } from '../../drafts/device-drafts.ts';
import { postForm } from '../post-form.ts';

/** An unsaved draft of a post, as stored in this browser. */
const deviceDraft = z.object({
  /** The draft's key on the server. */
  key: z.string(),
  /** Null for a post that has not been saved yet. */
  postId: z.nullable(z.string()),
  /** The revision of the post when the admin started the draft. */
  revision: z.nullable(z.number()),
  form: postForm,
  /**
   * The email address of the admin who wrote the draft, because several admins may share a browser. Drafts that an
   * earlier version of this app saved have no author.
   */
  by: z.optional(z.string()),
  /** A new id each time the post dialog opens, so two dialogs never overwrite each other's drafts. */
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
 * Returns the drafts in this browser for one post, or for posts that have not been saved yet.
 * @param postId null for posts that have not been saved yet.
 * @param by the email address of the signed-in admin; drafts of other admins are left out.
 */
export async function deviceDraftsOf(postId: string | null, by: string): Promise<DeviceDraft[]> {
  return (await drafts.all()).filter((draft) => draft.postId === postId && (draft.by ?? by) === by);
}
