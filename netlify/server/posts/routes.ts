import { apiPaths } from '../../../src/domain/api-paths.ts';
import {
  type PostRecord,
  postAnswer,
  postListQuery,
  postPage,
  postReceipt,
  publishedPage,
  publishedQuery,
  postVersionAnswer,
  postVersionList,
  shareLinkAnswer,
  shareLinkList,
} from '../../../src/domain/posts/post.ts';
import { postInput } from '../../../src/domain/posts/post-input.ts';
import { keptDays } from '../../../src/domain/submissions/retention.ts';
import { unsavedId } from '../../../src/domain/unsaved.ts';
import { announceChange } from '../publishing/announce-change.ts';
import { type Call, on, patternOf } from '../http/endpoint.ts';
import { Refusal, found, notFound } from '../refusal.ts';
import { publicJson, seeOther, wantsPage } from '../http/respond.ts';
import { createPost, isPublic, postTags as tags, restorePost, savePost, savedAs } from './saving.ts';
import { retryKeyOf } from '../http/body.ts';

/** The largest request body in bytes. A character of a post can take three bytes, and JSON escapes some characters. */
const bodyLimit = 3 * 1024 * 1024;

/** The id of a post, or of the unsaved changes while the post is new. */
const keyOf = (params: Readonly<Record<string, string>>): string => {
  const key = unsavedId.safeParse(params.id);
  if (!key.success) throw notFound('This draft');
  return key.data;
};

/**
 * Records the change of a post, and announces the change if visitors can see the post, or could see it before. A repeated
 * request records nothing, but announces the change again, because the first request may have ended early.
 */
function changed(
  action: string,
  post: PostRecord,
  { record, waitUntil, services }: Pick<Call, 'record' | 'waitUntil' | 'services'>,
  before: PostRecord | null = null,
  isNew = true,
): { data: PostRecord } {
  if (isNew) record(action, post.title, undefined, post.id);
  if (isPublic(post) || isPublic(before)) waitUntil(announceChange(tags, services));
  return { data: post };
}

export const postRoutes = [
  on('GET', apiPaths.publishedPosts, {
    access: 'public',
    summary: 'The published posts, newest first',
    query: publishedQuery,
    output: publishedPage,
    run: async ({ request, query, services: { stores } }) =>
      publicJson(await stores.posts.published(query), request, tags),
  }),
  on('GET', apiPaths.posts, {
    summary: 'Posts by status, searched and sorted. The trash is one of the statuses',
    query: postListQuery,
    output: postPage,
    run: async ({ query, services: { stores } }) => {
      const [page, counts] = await Promise.all([stores.posts.list(query), stores.posts.counts()]);
      return { ...page, counts };
    },
  }),
  on('POST', apiPaths.posts, {
    summary: 'Creates a post. A slug in use is refused (409) with a free slug in errors.suggestion',
    input: postInput,
    output: postReceipt,
    errors: { conflict: 'Another post has the slug. `errors` has a free one.' },
    status: 201,
    bodyLimit,
    run: async (call) => {
      const { request, input, session, services } = call;
      const { post, isNew } = await createPost(input, { key: retryKeyOf(request), by: session.email }, services);
      const action = savedAs(post, null);
      changed(action === 'saved' ? 'created the post' : `${action} the new post`, post, call, null, isNew);
      return { success: true, id: post.id, data: post };
    },
  }),
  on('GET', patternOf(apiPaths.post, ':id'), {
    summary: 'One post, including posts in the trash',
    output: postAnswer,
    run: async ({ params, services: { stores } }) => ({
      data: found(await stores.posts.get(params.id ?? ''), 'This post'),
    }),
  }),
  on('PUT', patternOf(apiPaths.post, ':id'), {
    summary:
      'Saves a post. If the server has a later revision, it refuses the save (409) and returns that revision as current',
    input: postInput,
    output: postAnswer,
    errors: { conflict: 'The slug is taken, someone else saved the post, or the post is in the trash.' },
    bodyLimit,
    run: async (call) => {
      const { params, input, session, services } = call;
      const before = await services.stores.posts.get(params.id ?? '');
      const { post, isNew } = await savePost(params.id ?? '', input, session.email, services);
      return changed(`${savedAs(post, before)} the post`, post, call, before, isNew);
    },
  }),
  on('DELETE', patternOf(apiPaths.post, ':id'), {
    summary: `Moves a post to the trash, where it is deleted after ${keptDays.trashedPost} days`,
    output: postAnswer,
    run: async (call) => {
      const { posts } = call.services.stores;
      const before = found(await posts.get(call.params.id ?? ''), 'This post');
      const removed = await posts.remove(before.id, call.services.now().toISOString());
      return removed ? changed('moved the post to the trash', removed, call, before) : { data: before };
    },
  }),
  on('POST', patternOf(apiPaths.restorePost, ':id'), {
    summary: 'Restores a post from the trash, with another slug if its own is in use',
    output: postAnswer,
    errors: { conflict: 'The post could not be restored.' },
    run: async (call) => {
      const { post, isNew } = await restorePost(call.params.id ?? '', call.services);
      return changed('restored the post', post, call, null, isNew);
    },
  }),
  on('GET', patternOf(apiPaths.postVersions, ':id'), {
    summary: 'The saved versions of a post, newest first, at most 50, without their text',
    output: postVersionList,
    run: async ({ params, services: { stores } }) => {
      const versions = await stores.posts.versions(params.id ?? '');
      if (versions.length === 0) throw notFound('This post');
      return { data: versions };
    },
  }),
  on('GET', patternOf(apiPaths.postVersion, ':id', ':revision'), {
    summary: 'One version of a post, with its text',
    output: postVersionAnswer,
    run: async ({ params, services: { stores } }) => {
      const { id = '', revision = '' } = params;
      const version = /^\d{1,9}$/.test(revision) ? await stores.posts.version(id, Number(revision)) : null;
      return { data: found(version, 'This version') };
    },
  }),
  on('POST', patternOf(apiPaths.putBackPostDate, ':id'), {
    summary: 'Restores the date that a published post had before its last save',
    output: postAnswer,
    errors: { conflict: 'The post has no earlier date.' },
    run: async (call) => {
      const post = await call.services.stores.posts.putBackDate(call.params.id ?? '');
      if (!post) throw new Refusal('conflict', 'The post has no earlier date. Reload the page.');
      return changed('restored the date of the post', post, call);
    },
  }),
  on('GET', patternOf(apiPaths.shareLinks, ':id'), {
    summary:
      'Lists the active share links, which show the unsaved changes, or the saved post, to people who are not signed in',
    output: shareLinkList,
    run: async ({ params, session: { email }, services: { stores } }) => ({
      data: await stores.shareLinks.listOf({ email, key: keyOf(params) }),
    }),
  }),
  on('POST', patternOf(apiPaths.shareLinks, ':id'), {
    summary: `Creates a share link, which shows the unsaved changes, or the saved post, to anyone who has it, for ${keptDays.shareLink} days or until it is revoked`,
    output: shareLinkAnswer,
    errors: { conflict: 'The post has too many active share links.' },
    status: 201,
    run: async ({ request, params, session: { email }, services, record }) => {
      const key = keyOf(params);
      const { unsaved, posts, shareLinks } = services.stores;
      const draft = (await unsaved.ofAuthor(email, { kind: 'post', id: key })) ?? (await posts.preview(key));
      if (!draft) throw new Refusal('not_found', 'There is nothing to share yet. Write something first.');
      const link = await shareLinks.create({ email, key });
      if (!link) throw new Refusal('conflict', 'This post has too many active share links. Revoke one of them first.');
      record('created a share link');
      return wantsPage(request) ? seeOther(link.path) : { data: link };
    },
  }),
  on('DELETE', patternOf(apiPaths.shareLink, ':id', ':link'), {
    summary: 'Revokes a share link. The link then returns 404',
    run: async ({ params, session: { email }, services: { stores }, record }) => {
      if (!(await stores.shareLinks.remove(params.link ?? '', { email, key: keyOf(params) }))) {
        throw notFound('This link');
      }
      record('revoked a share link');
    },
  }),
];
