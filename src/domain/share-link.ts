import * as z from 'zod/mini';

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

/** Response of `GET /api/cms/blog-posts/{id}/links`: the active links to a post, newest first. */
export const shareLinkList = z.object({ data: z.array(shareLink) });
