import { apiPaths } from '../../../domain/api-paths.ts';
import { type PostDraftRecord, postDraftAnswer, postDraftList, postDraftReceipt } from '../../../domain/post-draft.ts';
import { request } from '../../../lib/api.ts';
import { type DeviceDraft, deviceDraftsOf, dropFromDevice, keepOnDevice } from './device-drafts.ts';
import { type PostForm, sameWriting } from '../post-form.ts';

/** The maximum number of server drafts to load for one post. */
const lookedInto = 5;

/** An unsaved draft without the time at which it was stored. */
export type Writing = Omit<DeviceDraft, 'savedAt'>;

export function writeToDevice(writing: Writing): Promise<void> {
  return keepOnDevice({ ...writing, savedAt: new Date().toISOString() });
}

/**
 * Saves a draft on the server. Does not ask the admin to sign in, because that would interrupt typing.
 * @returns the path of the preview, which shows the draft as visitors would see the post.
 */
export async function writeToServer({ key, postId, revision, form }: Writing): Promise<string> {
  const body = { ...form, postId, revision };
  const { data } = await request(apiPaths.postDraft(key), { method: 'PUT', body, schema: postDraftReceipt });
  return data.previewPath;
}

/** The `sitting` value of a draft that only the server stores. */
const onServer = 'server';

export const isOnServerOnly = ({ sitting }: DeviceDraft): boolean => sitting === onServer;

/**
 * Returns the admin's earlier drafts for one post, or for posts that have not been saved yet, from this browser and
 * from the server.
 * @param by the email address of the signed-in admin.
 * @param written the ids of the open post dialogs. Server drafts of these dialogs are left out, because the admin is
 * still editing those drafts.
 */
export async function keptFor(postId: string | null, by: string, written: ReadonlySet<string>): Promise<DeviceDraft[]> {
  const here = await deviceDraftsOf(postId, by);
  const live = new Set(here.filter((draft) => written.has(draft.sitting)).map(({ key }) => key));
  return [...here, ...(await serverDraftsOf(postId, by, live))];
}

async function serverDraftsOf(postId: string | null, by: string, live: ReadonlySet<string>): Promise<DeviceDraft[]> {
  try {
    const { data } = await request(apiPaths.postDrafts, { schema: postDraftList });
    const wanted = data.filter((draft) => draft.postId === postId && !live.has(draft.key)).slice(0, lookedInto);
    const found = await Promise.all(
      wanted.map(({ key }) => request(apiPaths.postDraft(key), { schema: postDraftAnswer })),
    );
    return found.map((answer) => fromServer(answer.data, by));
  } catch {
    // Without the server, only the drafts in this browser are offered.
    return [];
  }
}

function fromServer({ key, postId, revision, updatedAt, ...form }: PostDraftRecord, by: string): DeviceDraft {
  return { key, postId, revision, form: form satisfies PostForm, by, sitting: onServer, savedAt: updatedAt };
}

/**
 * Deletes this browser's drafts of a post that have the same text as `form`. For a text that the admin has restored or
 * discarded.
 * @param written the ids of open post dialogs. Their drafts are not deleted.
 */
export async function dropCopies(
  form: PostForm,
  postId: string | null,
  by: string,
  written: ReadonlySet<string>,
): Promise<void> {
  const here = await deviceDraftsOf(postId, by);
  const copies = here.filter((draft) => sameWriting(draft.form, form) && !written.has(draft.sitting));
  await Promise.all(copies.map(dropFromDevice));
}

/**
 * Deletes this browser's drafts with the given key. For a new post that the admin has saved for the first time or
 * discarded.
 * @param written the ids of the post dialogs that are open in other tabs. Their drafts are not deleted.
 */
export async function dropStatesOf(key: string, by: string, written: ReadonlySet<string>): Promise<void> {
  const here = await deviceDraftsOf(null, by);
  await Promise.all(here.filter((draft) => draft.key === key && !written.has(draft.sitting)).map(dropFromDevice));
}

/** Deletes a draft on the server. Ignores errors. */
export async function dropFromServer(key: string): Promise<void> {
  try {
    await request(apiPaths.postDraft(key), { method: 'DELETE' });
  } catch {
    // Harmless: the admin is offered the draft again, and the server deletes old drafts.
  }
}
