import { apiPaths } from '../../domain/api-paths.ts';
import { type PostDraftRecord, postDraftAnswer, postDraftList, postDraftReceipt } from '../../domain/post-draft.ts';
import { request } from '../../lib/api.ts';
import { type DeviceDraft, deviceDraftsOf, dropFromDevice, keepOnDevice } from './device-drafts.ts';
import { type PostForm, sameWriting } from './post-form.ts';

/** So many of the server's drafts are looked into for one post. */
const lookedInto = 5;

/** What is written, with what it belongs to. */
export type Writing = Omit<DeviceDraft, 'savedAt'>;

export function writeToDevice(writing: Writing): Promise<void> {
  return keepOnDevice({ ...writing, savedAt: new Date().toISOString() });
}

/**
 * Keeps a state on the server. It asks nobody to sign in: somebody who types is not to be interrupted.
 * @returns where it can be seen as the public would.
 */
export async function writeToServer({ key, postId, revision, form }: Writing): Promise<string> {
  const body = { ...form, postId, revision };
  const { data } = await request(apiPaths.postDraft(key), { method: 'PUT', body, schema: postDraftReceipt });
  return data.previewPath;
}

/** Marks a draft that only the server has. */
const onServer = 'server';

export const isOnServerOnly = ({ sitting }: DeviceDraft): boolean => sitting === onServer;

/**
 * All that is kept of an admin's earlier writing for a post, or for those that are not stored yet: in this browser, and on
 * the server.
 * @param by the admin who is signed in.
 * @param written openings of the dialog in other tabs: the server's copy of what is written there is none of earlier.
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
    // What this browser keeps is offered all the same.
    return [];
  }
}

function fromServer({ key, postId, revision, updatedAt, ...form }: PostDraftRecord, by: string): DeviceDraft {
  return { key, postId, revision, form: form satisfies PostForm, by, sitting: onServer, savedAt: updatedAt };
}

/**
 * Forgets every copy of a text that this browser keeps for a post: it was saved, or is not wanted.
 * @param written openings of the dialog in other tabs, whose writing stays.
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
 * Forgets every state of a new post that this browser keeps: the post is stored.
 * @param written openings of the dialog in other tabs, whose writing stays.
 */
export async function dropStatesOf(key: string, by: string, written: ReadonlySet<string>): Promise<void> {
  const here = await deviceDraftsOf(null, by);
  await Promise.all(here.filter((draft) => draft.key === key && !written.has(draft.sitting)).map(dropFromDevice));
}

/** Forgets a draft on the server. */
export async function dropFromServer(key: string): Promise<void> {
  try {
    await request(apiPaths.postDraft(key), { method: 'DELETE' });
  } catch {
    // It is offered once more, and no harm is done; the server forgets it after a while.
  }
}
