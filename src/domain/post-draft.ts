import * as z from 'zod/mini';
import { postStatus } from './post.ts';

/**
 * Key of a draft, unique among an admin's drafts: the id of the post, or an id that the editor generated for a new
 * post.
 */
export const draftKey = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,100}$/, 'Unknown draft.'));

const typed = (max: number) => z._default(z.string().check(z.maxLength(max)), '');

/**
 * Request body of `PUT /api/cms/post-drafts/{key}`: the content of the editor, complete or not. Saving a draft never
 * changes the post.
 */
export const postDraftInput = z.object({
  /** Id of the edited post; null for a new post. */
  postId: z._default(z.nullable(z.string().check(z.maxLength(100))), null),
  /** Revision of the post when the editor opened it. */
  revision: z._default(z.nullable(z.int()), null),
  title: typed(1_000),
  slug: typed(1_000),
  content: typed(1_000_000),
  excerpt: typed(10_000),
  featuredImage: typed(10_000),
  status: z._default(postStatus, 'draft'),
  publishAt: typed(100),
  keepOriginalDate: z._default(z.boolean(), false),
});

export type PostDraftInput = z.infer<typeof postDraftInput>;

/** A stored draft: `GET /api/cms/post-drafts/{key}`. */
const postDraftRecord = z.extend(postDraftInput, {
  key: draftKey,
  /** ISO 8601, UTC. */
  updatedAt: z.string(),
});

export type PostDraftRecord = z.infer<typeof postDraftRecord>;

export const postDraftAnswer = z.object({ data: postDraftRecord });

const summary = z.pick(postDraftRecord, { key: true, postId: true, title: true, updatedAt: true });

export type PostDraftSummary = z.infer<typeof summary>;

/** Response of `GET /api/cms/post-drafts`: the signed-in admin's drafts, newest first. */
export const postDraftList = z.object({ data: z.array(summary) });

/** Response of `PUT /api/cms/post-drafts/{key}`. */
export const postDraftReceipt = z.object({
  data: z.object({
    key: draftKey,
    updatedAt: z.string(),
    /** Path of the page that previews the draft. Without a share link, only the draft's author can open the page. */
    previewPath: z.string(),
  }),
});

/** A link with which people who are not signed in can read a draft, and the saved post once there is no draft. */
const shareLink = z.object({
  id: z.string(),
  /** Path of the preview page, including the link's secret token. */
  path: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  expiresAt: z.string(),
});

export type ShareLink = z.infer<typeof shareLink>;

export const shareLinkAnswer = z.object({ data: shareLink });

/** Response of `GET /api/cms/post-drafts/{key}/links`: the active links to a draft, newest first. */
export const shareLinkList = z.object({ data: z.array(shareLink) });
