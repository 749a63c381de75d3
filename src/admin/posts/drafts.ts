import { apiPaths } from '../../domain/api-paths.ts';
import { type PostDraftRecord, postDraftAnswer, postDraftList, postDraftReceipt } from '../../domain/post-draft.ts';
import { request } from '../../lib/api.ts';
import { type DeviceDraft, deviceDraftsOf, dropFromDevice, keepOnDevice } from './device-drafts.ts';
import type { PostForm } from './post-form.ts';

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

/** All that is kept of earlier writing for a post, or for those that are not stored yet: in this browser, on the server. */
export async function keptFor(postId: string | null): Promise<DeviceDraft[]> {
  const [here, there] = await Promise.all([deviceDraftsOf(postId), serverDraftsOf(postId)]);
  // Going on writing replaces what the server has; here it stays until somebody decides.
  await Promise.all(there.map((draft) => keepOnDevice(draft).catch(() => undefined)));
  return [...here, ...there];
}

async function serverDraftsOf(postId: string | null): Promise<DeviceDraft[]> {
  try {
    const { data } = await request(apiPaths.postDrafts, { schema: postDraftList });
    const wanted = data.filter((draft) => draft.postId === postId).slice(0, lookedInto);
    const found = await Promise.all(
      wanted.map(({ key }) => request(apiPaths.postDraft(key), { schema: postDraftAnswer })),
    );
    return found.map((answer) => fromServer(answer.data));
  } catch {
    // What this browser keeps is offered all the same.
    return [];
  }
}

function fromServer({ key, postId, revision, updatedAt, ...form }: PostDraftRecord): DeviceDraft {
  return { key, postId, revision, form: form satisfies PostForm, sitting: 'server', savedAt: updatedAt };
}

/** Forgets a draft on the server, and in this browser but for what other tabs are writing just now. */
export async function forget(key: string, postId: string | null, written: ReadonlySet<string>): Promise<void> {
  const here = (await deviceDraftsOf(postId)).filter((draft) => draft.key === key && !written.has(draft.sitting));
  await Promise.all(here.map(dropFromDevice));
  try {
    await request(apiPaths.postDraft(key), { method: 'DELETE' });
  } catch {
    // It says what is saved, so nobody is offered it; the server forgets it after a while.
  }
}
