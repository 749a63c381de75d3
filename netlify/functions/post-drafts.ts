import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import {
  draftKey,
  postDraftAnswer,
  postDraftInput,
  postDraftList,
  postDraftReceipt,
  shareLinkAnswer,
  shareLinkList,
} from '../../src/domain/post-draft.ts';
import { contentProblem } from '../../src/domain/post.ts';
import { doneReceipt } from '../../src/domain/session.ts';
import { shareLinksOf, sharePreview } from '../server/auth/shared-preview.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { notFound } from '../server/http/refusal.ts';
import { json, seeOther, wantsPage } from '../server/http/respond.ts';
import { sanitizedPost } from '../server/post-html.ts';

const bodyLimit = 4 * 1024 * 1024;

const keyOf = (params: Readonly<Record<string, string>>): string => {
  const key = draftKey.safeParse(params.key);
  if (!key.success) throw notFound('This draft');
  return key.data;
};

export default endpoint(
  on('GET', '/api/cms/post-drafts', {
    access: 'admin',
    summary: 'What the signed-in admin has written and not saved, the latest first.',
    output: postDraftList,
    run: async ({ session, services: { stores } }) => ({ data: await stores.postDrafts.list(session?.email ?? '') }),
  }),
  on('GET', '/api/cms/post-drafts/:key', {
    access: 'admin',
    summary: 'A draft of one’s own, as it was left.',
    output: postDraftAnswer,
    run: async ({ params, session, services: { stores } }) => {
      const draft = await stores.postDrafts.get(session?.email ?? '', keyOf(params));
      if (!draft) throw notFound('This draft');
      return { data: draft };
    },
  }),
  on('PUT', '/api/cms/post-drafts/:key', {
    access: 'admin',
    summary: 'Keeps what is being written, finished or not. The post itself is not touched.',
    input: postDraftInput,
    output: postDraftReceipt,
    bodyLimit,
    run: async ({ params, input, session, services: { stores, now } }) => {
      const key = keyOf(params);
      const updatedAt = now().toISOString();
      const problem = contentProblem(input.content);
      const shown = problem === null ? await sanitizedPost(input.content) : `<p>${problem}</p>`;
      await stores.postDrafts.put(session?.email ?? '', key, input, shown, updatedAt);
      return { data: { key, updatedAt, previewPath: `/blog/preview/${key}` } };
    },
  }),
  on('DELETE', '/api/cms/post-drafts/:key', {
    access: 'admin',
    summary: 'Forgets a draft: it was saved, or given up.',
    output: z.object({ success: z.literal(true) }),
    run: async ({ params, session, services: { stores } }) => {
      await stores.postDrafts.remove(session?.email ?? '', keyOf(params));
      return { success: true };
    },
  }),
  on('GET', '/api/cms/post-drafts/:key/links', {
    access: 'admin',
    summary: 'Lists the active links that show the draft to people who are not signed in.',
    output: shareLinkList,
    run: async ({ params, session, services }) => ({
      data: await shareLinksOf({ email: session.email, key: keyOf(params) }, services),
    }),
  }),
  on('POST', '/api/cms/post-drafts/:key/links', {
    access: 'admin',
    summary: 'Makes a link that shows the draft to everybody who has it, for 7 days or until it is revoked.',
    output: shareLinkAnswer,
    status: 201,
    run: async ({ request, params, session, services, record }) => {
      const key = keyOf(params);
      if (!(await services.stores.postDrafts.get(session.email, key))) throw notFound('This draft');
      const link = await sharePreview({ email: session.email, key }, services);
      record('made a link to a draft');
      return wantsPage(request) ? seeOther(link.path) : json({ data: link }, { status: 201 });
    },
  }),
  on('DELETE', '/api/cms/post-drafts/:key/links/:id', {
    access: 'admin',
    summary: 'Revokes a link. From then on it answers 404.',
    output: doneReceipt,
    run: async ({ params, session, services: { stores }, record }) => {
      if (!(await stores.shareLinks.remove(params.id ?? '', session.email, keyOf(params)))) {
        throw notFound('This link');
      }
      record('revoked a link to a draft');
      return { success: true };
    },
  }),
);

export const config: Config = {
  path: [
    '/api/cms/post-drafts',
    '/api/cms/post-drafts/:key',
    '/api/cms/post-drafts/:key/links',
    '/api/cms/post-drafts/:key/links/:id',
  ],
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
