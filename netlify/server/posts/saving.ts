import { randomUUID } from 'node:crypto';
import { postFields, type PostInput } from '../../../src/domain/posts/post-input.ts';
import type { PostRecord } from '../../../src/domain/posts/post.ts';
import { announceChange } from '../publishing/announce-change.ts';
import { Refusal, found } from '../refusal.ts';
import { sanitizedPost } from './post-html.ts';
import { idOf } from '../http/body.ts';
import type { Services } from '../services.ts';
import type { PostText } from './store.ts';

/** The cache tags of all public pages and feeds with posts. */
export const postTags = ['posts'];

/** A stored post. `isNew` is false if an earlier request has done the same, whose response the client lacks. */
interface Stored {
  readonly post: PostRecord;
  readonly isNew: boolean;
}

/**
 * Stores a new post. Repeated requests with the same retry key and text create only one post.
 * @param key the retry key. The editor sends the key of the draft, so the draft's share links then show the post.
 * @param by the admin's email address.
 * @throws {Refusal} `invalid_input` if the post has no content, or its publication time has passed; `conflict` if the
 * slug is taken.
 */
export async function createPost(
  input: PostInput,
  { key, by }: { key: string | null; by: string },
  services: Services,
): Promise<Stored> {
  const { stores, now } = services;
  const text = await textOf(input);
  const id = key === null ? randomUUID() : idOf(`post:${key}`, input);
  const at = now().toISOString();
  const created = await stores.posts.create(id, text, { by, at });
  const post = created ?? (await stores.posts.get(id));
  if (!post) throw await notStored(text, null, at, services);
  if (key !== null) await stores.shareLinks.moveToPost({ email: by, key }, id);
  return { post, isNew: created !== null };
}

/**
 * Saves a post if it is still at the revision that the editor loaded. A publication time that has passed is accepted if
 * the save does not change it.
 * @param by the admin's email address.
 * @throws {Refusal} `not_found`; `conflict` with the stored post if someone saved or deleted it since, or if the slug
 * is taken; `invalid_input` if the post has no content, or a new publication time has passed.
 */
export async function savePost(id: string, input: PostInput, by: string, services: Services): Promise<Stored> {
  const { stores, now } = services;
  const { revision, ...words } = input;
  const text = await textOf(words);
  const at = now().toISOString();
  const saved = await stores.posts.update(id, text, revision, { by, at });
  if (saved) return { post: saved, isNew: true };
  const current = found(await stores.posts.get(id), 'This post');
  if (current.deletedAt !== null) {
    throw new Refusal('conflict', 'This post is in the trash. Restore it first.', { current });
  }
  if (revision === undefined || revision === current.revision) throw await notStored(text, current, at, services);
  if (isSame(text, current)) return { post: current, isNew: false };
  throw new Refusal('conflict', 'Someone else saved this post after you opened it.', { current });
}

/**
 * Restores a post from the trash, with a new slug if another post has taken its slug. @throws {Refusal} `not_found`;
 * `conflict` if three tries fail, because other requests take the new slug each time.
 */
export async function restorePost(id: string, { stores, now }: Services): Promise<Stored> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const post = found(await stores.posts.get(id), 'This post');
    if (post.deletedAt === null) return { post, isNew: false };
    const restored = await stores.posts.restore(id, await stores.posts.freeSlug(post.slug), now().toISOString());
    if (restored) return { post: restored, isNew: true };
  }
  throw new Refusal('conflict', 'The post could not be restored. Please try again.');
}

/** Publishes drafts whose publication time has come, and purges all cached pages and feeds with posts. */
export async function publishScheduled(services: Services): Promise<void> {
  const { stores, now } = services;
  const at = now().toISOString();
  const published = await stores.posts.publishDue(at);
  if (published.length === 0) return;
  await announceChange(postTags, services);
  await stores.activity.create(
    published.map(({ title, by }) => ({
      at,
      who: by,
      action: 'published the post as scheduled',
      subject: title.slice(0, 200),
    })),
  );
}

/** Returns the verb that describes a save in the activity log. */
export function savedAs(post: PostRecord, before: PostRecord | null): string {
  if (isPublic(post) !== isPublic(before)) return isPublic(post) ? 'published' : 'unpublished';
  if (post.publishAt === (before?.publishAt ?? null)) return 'saved';
  return post.publishAt === null ? 'unscheduled' : 'scheduled';
}

/** Returns true for a post that visitors can read. */
export function isPublic(post: PostRecord | null): boolean {
  return post?.status === 'published' && post.deletedAt === null;
}

async function textOf(input: PostText): Promise<PostText> {
  const content = await sanitizedPost(input.content);
  if (content !== '') return { ...input, content };
  const { message } = postFields.content;
  throw new Refusal('invalid_input', message, { errors: { content: message } });
}

function isSame(post: PostText, stored: PostRecord): boolean {
  const keys = ['title', 'slug', 'content', 'excerpt', 'featuredImage', 'status', 'publishAt'] as const;
  return keys.every((key) => post[key] === stored[key]);
}

/** Returns why the store refused a text: its new publication time has passed, or another post has its slug. */
async function notStored(
  { publishAt, slug }: PostText,
  before: PostRecord | null,
  at: string,
  { stores }: Services,
): Promise<Refusal> {
  if (publishAt !== null && publishAt <= at && publishAt !== before?.publishAt) {
    const message = 'This time has passed. Please choose a time in the future, or publish the post now.';
    return new Refusal('invalid_input', message, { errors: { publishAt: message } });
  }
  const suggestion = await stores.posts.freeSlug(slug);
  const message = `Another post has the slug "${slug}". "${suggestion}" is free.`;
  return new Refusal('conflict', message, { errors: { slug: message, suggestion } });
}
