import { randomUUID } from 'node:crypto';
import { subDays } from 'date-fns/subDays';
import type { PostInput, PostRecord } from '../../src/domain/post.ts';
import { announceChange } from './announce-change.ts';
import { Refusal, notFound } from './http/refusal.ts';
import { sanitizedPost } from './post-html.ts';
import { idOf } from './retry-id.ts';
import type { Services } from './services.ts';
import type { PostText } from './stores/posts.ts';

/** Everything that shows posts to the public carries these. */
export const postTags = ['posts'];

const trashKeptDays = 30;
const draftsKeptDays = 90;

/**
 * Stores a new post. With a retry's key the same words are the same post, however often they are sent.
 * @param by the admin's e-mail address.
 * @throws {Refusal} `invalid_input` where the content holds nothing to read, or the time to publish it has passed; `conflict`
 *   where the slug is taken.
 */
export async function createPost(
  input: PostInput,
  { key, by }: { key: string | null; by: string },
  services: Services,
): Promise<PostRecord> {
  const { stores, now } = services;
  const post = await textOf(input);
  const id = key === null ? randomUUID() : idOf(`post:${key}`, input);
  const save = { by, at: now().toISOString() };
  const created = (await stores.posts.create(id, post, save)) ?? (await stores.posts.get(id));
  if (!created) throw hasPassed(post.publishAt, save.at) ? timePassed() : await slugTaken(post.slug, services);
  return created;
}

/**
 * Saves a post in place of the revision that its editor read.
 * @param by the admin's e-mail address.
 * @throws {Refusal} `not_found`; `conflict` with the stored post where it was saved or deleted since, and where the slug is
 *   another post's; `invalid_input` where the content holds nothing to read, or the time to publish it has passed. A time that
 *   was chosen before may pass while the post is edited.
 */
export async function savePost(id: string, input: PostInput, by: string, services: Services): Promise<PostRecord> {
  const { stores, now } = services;
  const { revision, ...words } = input;
  const post = await textOf(words);
  const at = now().toISOString();
  const saved = await stores.posts.update(id, post, revision, { by, at });
  if (saved) return saved;
  const stored = await stores.posts.get(id);
  if (!stored) throw notFound('This post');
  if (stored.deletedAt !== null) {
    throw new Refusal('conflict', 'This post is in the trash. Restore it first.', { current: stored });
  }
  if (revision !== undefined && revision !== stored.revision) {
    // The same save, sent again because its answer was lost.
    if (isSame(post, stored)) return stored;
    throw new Refusal('conflict', 'Somebody else has saved this post since you opened it.', { current: stored });
  }
  if (hasPassed(post.publishAt, at) && post.publishAt !== stored.publishAt) throw timePassed();
  throw await slugTaken(post.slug, services);
}

/** Takes a post out of the trash, under a free slug where another post has taken its own. @throws {Refusal} `not_found` */
export async function restorePost(id: string, { stores, now }: Services): Promise<PostRecord> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const post = await stores.posts.get(id);
    if (!post) throw notFound('This post');
    if (post.deletedAt === null) return post;
    const restored = await stores.posts.restore(id, await stores.posts.freeSlug(post.slug), now().toISOString());
    if (restored) return restored;
  }
  throw new Refusal('conflict', 'The post could not be restored just now. Please try again.');
}

/** Publishes the drafts whose time has come, and shows them as when an admin publishes. */
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
      action: 'published the post, as scheduled',
      subject: title.slice(0, 200),
    })),
  );
}

/** What a save did, as the activity record says it. */
export function savedAs(post: PostRecord, before: PostRecord | null): string {
  if (isPublic(post) !== isPublic(before)) return isPublic(post) ? 'published' : 'unpublished';
  if (post.publishAt === (before?.publishAt ?? null)) return 'saved';
  return post.publishAt === null ? 'unscheduled' : 'scheduled';
}

/** Empties the trash of what has been there for 30 days, and forgets drafts that nobody has touched for 90. */
export async function forgetOldPosts({ stores, now }: Services): Promise<void> {
  const before = (days: number) => subDays(now(), days).toISOString();
  await stores.posts.removeTrashed(before(trashKeptDays));
  await stores.postDrafts.removeBefore(before(draftsKeptDays));
}

/** True for a post that visitors can read. */
export function isPublic(post: PostRecord | null): boolean {
  return post?.status === 'published' && post.deletedAt === null;
}

async function textOf(input: PostText): Promise<PostText> {
  const content = await sanitizedPost(input.content);
  if (content !== '') return { ...input, content };
  const message = 'Please enter the content.';
  throw new Refusal('invalid_input', message, { errors: { content: message } });
}

function isSame(post: PostText, stored: PostRecord): boolean {
  const keys = ['title', 'slug', 'content', 'excerpt', 'featuredImage', 'status', 'publishAt'] as const;
  return keys.every((key) => post[key] === stored[key]);
}

function hasPassed(publishAt: string | null, at: string): boolean {
  return publishAt !== null && publishAt <= at;
}

function timePassed(): Refusal {
  const message = 'This time has passed. Please choose one in the future, or publish the post now.';
  return new Refusal('invalid_input', message, { errors: { publishAt: message } });
}

async function slugTaken(slug: string, { stores }: Services): Promise<Refusal> {
  const suggestion = await stores.posts.freeSlug(slug);
  const message = `Another post has the slug "${slug}". "${suggestion}" is free.`;
  return new Refusal('conflict', message, { errors: { slug: message, suggestion } });
}
