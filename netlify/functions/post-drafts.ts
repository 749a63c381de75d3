import { apiPaths } from '../../src/domain/api-paths.ts';
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
import { contentProblem } from '../../src/domain/post-input.ts';
import { keptDays } from '../../src/domain/retention.ts';
import { doneReceipt } from '../../src/domain/session.ts';
import { shareLinksOf, sharePreview } from '../server/auth/shared-preview.ts';
import { endpoint, on, patternOf } from '../server/endpoint/endpoint.ts';
import { notFound } from '../server/runtime/refusal.ts';
import { json, seeOther, wantsPage } from '../server/http/respond.ts';
import { sanitizedPost } from '../server/posts/post-html.ts';

const bodyLimit = 4 * 1024 * 1024;

const keyOf = (params: Readonly<Record<string, string>>): string => {
  const key = draftKey.safeParse(params.key);
  if (!key.success) throw notFound('This draft');
  return key.data;
};

export default endpoint(
  { requestsAMinute: 600 },
  on('GET', apiPaths.postDrafts, {
    access: 'admin',
    summary: "The signed-in admin's unsaved changes, newest first.",
    output: postDraftList,
    run: async ({ session, services: { stores } }) => ({ data: await stores.postDrafts.list(session?.email ?? '') }),
  }),
  on('GET', patternOf(apiPaths.postDraft, ':key'), {
    access: 'admin',
    summary: "One of the signed-in admin's sets of unsaved changes.",
    output: postDraftAnswer,
    run: async ({ params, session, services: { stores } }) => {
      const draft = await stores.postDrafts.get(session?.email ?? '', keyOf(params));
      if (!draft) throw notFound('This draft');
      return { data: draft };
    },
  }),
  on('PUT', patternOf(apiPaths.postDraft, ':key'), {
    access: 'admin',
    summary: 'Stores unsaved changes. The post does not change.',
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
  on('DELETE', patternOf(apiPaths.postDraft, ':key'), {
    access: 'admin',
    summary: 'Deletes unsaved changes that were saved or discarded.',
    output: z.object({ success: z.literal(true) }),
    run: async ({ params, session, services: { stores } }) => {
      await stores.postDrafts.remove(session?.email ?? '', keyOf(params));
      return { success: true };
    },
  }),
  on('GET', patternOf(apiPaths.shareLinks, ':key'), {
    access: 'admin',
    summary:
      'Lists the active share links, which show the unsaved changes, or the saved post, to people who are not signed in.',
    output: shareLinkList,
    run: async ({ params, session, services }) => ({
      data: await shareLinksOf({ email: session.email, key: keyOf(params) }, services),
    }),
  }),
  on('POST', patternOf(apiPaths.shareLinks, ':key'), {
    access: 'admin',
    summary: `Creates a share link, which shows the unsaved changes, or the saved post, to anyone who has it, for ${keptDays.shareLink} days or until it is revoked.`,
    output: shareLinkAnswer,
    status: 201,
    run: async ({ request, params, session, services, record }) => {
      const key = keyOf(params);
      const { postDrafts, posts } = services.stores;
      if (!((await postDrafts.get(session.email, key)) ?? (await posts.preview(key)))) throw notFound('This draft');
      const link = await sharePreview({ email: session.email, key }, services);
      record('created a share link');
      return wantsPage(request) ? seeOther(link.path) : json({ data: link }, { status: 201 });
    },
  }),
  on('DELETE', patternOf(apiPaths.shareLink, ':key', ':id'), {
    access: 'admin',
    summary: 'Revokes a share link. The link then returns 404.',
    output: doneReceipt,
    run: async ({ params, session, services: { stores }, record }) => {
      if (!(await stores.shareLinks.remove(params.id ?? '', session.email, keyOf(params)))) {
        throw notFound('This link');
      }
      record('revoked a share link');
      return { success: true };
    },
  }),
);
