import * as z from 'zod/mini';

/** Names a draft among an admin's own: the post's id, or one that the editor made up for a post that is not stored yet. */
export const draftKey = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,100}$/, 'Unknown draft.'));

const typed = (max: number) => z._default(z.string().check(z.maxLength(max)), '');

/**
 * `PUT /api/cms/post-drafts/{key}`: what is in the editor, finished or not. It never touches the post itself.
 */
export const postDraftInput = z.object({
  /** The post that is being edited; null for a new one. */
  postId: z._default(z.nullable(z.string().check(z.maxLength(100))), null),
  /** The revision of the post that the writing began from. */
  revision: z._default(z.nullable(z.int()), null),
  title: typed(1_000),
  slug: typed(1_000),
  content: typed(1_000_000),
  excerpt: typed(10_000),
  featuredImage: typed(10_000),
  status: z._default(z.enum(['draft', 'published']), 'draft'),
  publishAt: typed(100),
  keepOriginalDate: z._default(z.boolean(), false),
});

export type PostDraftInput = z.infer<typeof postDraftInput>;

/** A draft as it was left: `GET /api/cms/post-drafts/{key}`. */
const postDraftRecord = z.extend(postDraftInput, {
  key: draftKey,
  /** ISO 8601, UTC. */
  updatedAt: z.string(),
});

export type PostDraftRecord = z.infer<typeof postDraftRecord>;

export const postDraftAnswer = z.object({ data: postDraftRecord });

const summary = z.pick(postDraftRecord, { key: true, postId: true, title: true, updatedAt: true });

export type PostDraftSummary = z.infer<typeof summary>;

/** `GET /api/cms/post-drafts`: one's own, the latest first. */
export const postDraftList = z.object({ data: z.array(summary) });

/** Answer to a saved draft. */
export const postDraftReceipt = z.object({
  data: z.object({
    key: draftKey,
    updatedAt: z.string(),
    /** Page of this site that shows the draft as the public will see it; for its writer alone. */
    previewPath: z.string(),
  }),
});

/** A link that shows a draft to people who are not signed in. */
const shareLink = z.object({
  id: z.string(),
  /** Page of this site, with the link's secret in it. */
  path: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  expiresAt: z.string(),
});

export type ShareLink = z.infer<typeof shareLink>;

export const shareLinkAnswer = z.object({ data: shareLink });

/** `GET /api/cms/post-drafts/{key}/links`: the links of a draft that are active, the newest first. */
export const shareLinkList = z.object({ data: z.array(shareLink) });
