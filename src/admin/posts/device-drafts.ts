import { type UseStore, createStore, del, entries, set } from 'idb-keyval';
import * as z from 'zod/mini';
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

/** Writing that nobody came back to in so many days goes. */
const keptDays = 90;

let opened: UseStore | undefined;
const store = (): UseStore => (opened ??= createStore('admin-writing', 'posts'));

const nameOf = ({ key, sitting }: DeviceDraft) => `${key}:${sitting}`;

/** Keeps a state in this browser. @throws where the browser keeps nothing, or its room is full. */
export function keepOnDevice(draft: DeviceDraft): Promise<void> {
  return set(nameOf(draft), draft, store());
}

export async function dropFromDevice(draft: DeviceDraft): Promise<void> {
  try {
    await del(nameOf(draft), store());
  } catch {
    // What is kept too long is offered once more, and no harm is done.
  }
}

/**
 * What this browser keeps for a post, or for those that are not stored yet; nothing where it keeps nothing.
 * @param by the admin who wrote it.
 */
export async function deviceDraftsOf(postId: string | null, by: string): Promise<DeviceDraft[]> {
  const found: DeviceDraft[] = [];
  const oldest = new Date(Date.now() - keptDays * 86_400_000).toISOString();
  try {
    for (const [name, value] of await entries<string, unknown>(store())) {
      const draft = deviceDraft.safeParse(value);
      // Of another version of this app, or of long ago.
      if (!draft.success || draft.data.savedAt < oldest) await del(name, store());
      else if (draft.data.postId === postId && (draft.data.by ?? by) === by) found.push(draft.data);
    }
  } catch {
    return [];
  }
  return found;
}
