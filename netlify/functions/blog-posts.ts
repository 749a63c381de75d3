import type { Config } from '@netlify/functions';
import {
  postAnswer,
  postInput,
  postListQuery,
  postPage,
  postReceipt,
  publishedPage,
  publishedQuery,
} from '../../src/domain/post.ts';
import { postVersionAnswer, postVersionList } from '../../src/domain/post-version.ts';
import { announceChange } from '../server/announce-change.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { notFound } from '../server/http/refusal.ts';
import { json, publicJson } from '../server/http/respond.ts';
import { createPost, isPublic, postTags as tags, restorePost, savePost, savedAs } from '../server/posts.ts';
import { retryKeyOf } from '../server/retry-id.ts';

/** Characters of a post may take three bytes each, and JSON escapes some. */
const bodyLimit = 3 * 1024 * 1024;

export default endpoint(
  on('GET', '/api/cms/blog-posts/published', {
    access: 'public',
    summary: 'The published posts, newest first.',
    query: publishedQuery,
    output: publishedPage,
    run: async ({ request, query, services: { stores } }) =>
      publicJson(await stores.posts.published(query), request, tags),
  }),
  on('GET', '/api/cms/blog-posts', {
    access: 'admin',
    summary: 'Posts by status, searched and sorted; the trash is a status of its own.',
    query: postListQuery,
    output: postPage,
    run: async ({ query, services: { stores } }) => {
      const [page, counts] = await Promise.all([stores.posts.list(query), stores.posts.counts()]);
      return { ...page, counts };
    },
  }),
  on('POST', '/api/cms/blog-posts', {
    access: 'admin',
    summary: 'Creates a post. A taken slug is refused (409) with a free one in errors.suggestion.',
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
  on('GET', '/api/cms/blog-posts/:id', {
    access: 'admin',
    summary: 'A post, in the trash or not.',
    output: postAnswer,
    run: async ({ params, services: { stores } }) => {
      const post = await stores.posts.get(params.id ?? '');
      if (!post) throw notFound('This post');
      return { data: post };
    },
  }),
  on('PUT', '/api/cms/blog-posts/:id', {
    access: 'admin',
    summary: 'Saves a post. A later revision on the server refuses it (409) and comes with the refusal as current.',
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
  on('DELETE', '/api/cms/blog-posts/:id', {
    access: 'admin',
    summary: 'Puts a post into the trash, from which it is gone after 30 days.',
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
  on('POST', '/api/cms/blog-posts/:id/restore', {
    access: 'admin',
    summary: 'Takes a post out of the trash, under another slug where its own has been taken.',
    output: postAnswer,
    run: async ({ params, services, waitUntil, record }) => {
      const post = await restorePost(params.id ?? '', services);
      record('restored the post', post.title);
      if (isPublic(post)) waitUntil(announceChange(tags, services));
      return { data: post };
    },
  }),
  on('GET', '/api/cms/blog-posts/:id/versions', {
    access: 'admin',
    summary: 'The states in which a post was saved, newest first, at most 50; without their text.',
    output: postVersionList,
    run: async ({ params, services: { stores } }) => {
      const versions = await stores.postVersions.list(params.id ?? '');
      if (versions.length === 0) throw notFound('This post');
      return { data: versions };
    },
  }),
  on('GET', '/api/cms/blog-posts/:id/versions/:revision', {
    access: 'admin',
    summary: 'A post as one of its saves left it.',
    output: postVersionAnswer,
    run: async ({ params, services: { stores } }) => {
      const { id = '', revision = '' } = params;
      const version = /^\d{1,9}$/.test(revision) ? await stores.postVersions.get(id, Number(revision)) : null;
      if (!version) throw notFound('This version');
      return { data: version };
    },
  }),
);

export const config: Config = {
  path: [
    '/api/cms/blog-posts',
    '/api/cms/blog-posts/published',
    '/api/cms/blog-posts/:id',
    '/api/cms/blog-posts/:id/restore',
    '/api/cms/blog-posts/:id/versions',
    '/api/cms/blog-posts/:id/versions/:revision',
  ],
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
