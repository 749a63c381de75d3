import { apiPaths } from '../../src/domain/api-paths.ts';
import {
  postAnswer,
  postListQuery,
  postPage,
  postReceipt,
  publishedPage,
  publishedQuery,
} from '../../src/domain/post.ts';
import { postInput } from '../../src/domain/post-input.ts';
import { postVersionAnswer, postVersionList } from '../../src/domain/post-version.ts';
import { keptDays } from '../../src/domain/retention.ts';
import { announceChange } from '../server/publishing/announce-change.ts';
import { endpoint, on, patternOf } from '../server/endpoint/endpoint.ts';
import { notFound } from '../server/runtime/refusal.ts';
import { json, publicJson } from '../server/http/respond.ts';
import { createPost, isPublic, postTags as tags, restorePost, savePost, savedAs } from '../server/posts/posts.ts';
import { retryKeyOf } from '../server/http/retry-id.ts';

/** The largest request body in bytes. A character of a post can take three bytes, and JSON escapes some characters. */
const bodyLimit = 3 * 1024 * 1024;

export default endpoint(
  { requestsAMinute: 600 },
  on('GET', apiPaths.publishedPosts, {
    access: 'public',
    summary: 'The published posts, newest first.',
    query: publishedQuery,
    output: publishedPage,
    run: async ({ request, query, services: { stores } }) =>
      publicJson(await stores.posts.published(query), request, tags),
  }),
  on('GET', apiPaths.posts, {
    access: 'admin',
    summary: 'Posts by status, searched and sorted. The trash is one of the statuses.',
    query: postListQuery,
    output: postPage,
    run: async ({ query, services: { stores } }) => {
      const [page, counts] = await Promise.all([stores.posts.list(query), stores.posts.counts()]);
      return { ...page, counts };
    },
  }),
  on('POST', apiPaths.posts, {
    access: 'admin',
    summary: 'Creates a post. A slug in use is refused (409) with a free slug in errors.suggestion.',
    input: postInput,
    output: postReceipt,
    status: 201,
    bodyLimit,
    run: async ({ request, input, session, services, waitUntil, record }) => {
      const post = await createPost(input, { key: retryKeyOf(request), by: session.email }, services);
      const action = isPublic(post) ? 'published the new post' : 'created the post';
      record(post.publishAt === null ? action : 'scheduled the new post', post.title);
      if (isPublic(post)) waitUntil(announceChange(tags, services));
      return json({ success: true, id: post.id, data: post }, { status: 201 });
    },
  }),
  on('GET', patternOf(apiPaths.post, ':id'), {
    access: 'admin',
    summary: 'One post, including posts in the trash.',
    output: postAnswer,
    run: async ({ params, services: { stores } }) => {
      const post = await stores.posts.get(params.id ?? '');
      if (!post) throw notFound('This post');
      return { data: post };
    },
  }),
  on('PUT', patternOf(apiPaths.post, ':id'), {
    access: 'admin',
    summary:
      'Saves a post. If the server has a later revision, it refuses the save (409) and returns that revision as current.',
    input: postInput,
    output: postAnswer,
    bodyLimit,
    run: async ({ params, input, session, services, waitUntil, record }) => {
      const before = await services.stores.posts.get(params.id ?? '');
      const post = await savePost(params.id ?? '', input, session.email, services);
      record(`${savedAs(post, before)} the post`, post.title);
      if (isPublic(post) || isPublic(before)) waitUntil(announceChange(tags, services));
      return { data: post };
    },
  }),
  on('DELETE', patternOf(apiPaths.post, ':id'), {
    access: 'admin',
    summary: `Moves a post to the trash, where it is deleted after ${keptDays.trashedPost} days.`,
    output: postAnswer,
    run: async ({ params, services, waitUntil, record }) => {
      const id = params.id ?? '';
      const removed = await services.stores.posts.remove(id, services.now().toISOString());
      const post = removed ?? (await services.stores.posts.get(id));
      if (!post) throw notFound('This post');
      if (removed) {
        record('moved the post to the trash', post.title);
        if (post.status === 'published') waitUntil(announceChange(tags, services));
      }
      return { data: post };
    },
  }),
  on('POST', patternOf(apiPaths.restorePost, ':id'), {
    access: 'admin',
    summary: 'Restores a post from the trash, with another slug if its own is in use.',
    output: postAnswer,
    run: async ({ params, services, waitUntil, record }) => {
      const post = await restorePost(params.id ?? '', services);
      record('restored the post', post.title);
      if (isPublic(post)) waitUntil(announceChange(tags, services));
      return { data: post };
    },
  }),
  on('GET', patternOf(apiPaths.postVersions, ':id'), {
    access: 'admin',
    summary: 'The saved versions of a post, newest first, at most 50, without their text.',
    output: postVersionList,
    run: async ({ params, services: { stores } }) => {
      const versions = await stores.postVersions.list(params.id ?? '');
      if (versions.length === 0) throw notFound('This post');
      return { data: versions };
    },
  }),
  on('GET', patternOf(apiPaths.postVersion, ':id', ':revision'), {
    access: 'admin',
    summary: 'One version of a post, with its text.',
    output: postVersionAnswer,
    run: async ({ params, services: { stores } }) => {
      const { id = '', revision = '' } = params;
      const version = /^\d{1,9}$/.test(revision) ? await stores.postVersions.get(id, Number(revision)) : null;
      if (!version) throw notFound('This version');
      return { data: version };
    },
  }),
);
