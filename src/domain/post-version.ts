import * as z from 'zod/mini';
import { postRecord } from './post.ts';

/** A saved version of a post. Each save stores the version that it replaces. */
const postVersion = z.extend(
  z.pick(postRecord, {
    revision: true,
    title: true,
    slug: true,
    content: true,
    excerpt: true,
    featuredImage: true,
    status: true,
    publishAt: true,
  }),
  {
    /** ISO 8601, UTC. */
    savedAt: z.string(),
    /** The admin's email address; null for versions that were saved before the site recorded addresses. */
    savedBy: z.nullable(z.string()),
  },
);

export type PostVersion = z.infer<typeof postVersion>;

/** Response of `GET /api/cms/blog-posts/{id}/versions/{revision}`. */
export const postVersionAnswer = z.object({ data: postVersion });

const summary = z.pick(postVersion, {
  revision: true,
  savedAt: true,
  savedBy: true,
  title: true,
  status: true,
  publishAt: true,
});

export type PostVersionSummary = z.infer<typeof summary>;

/**
 * Response of `GET /api/cms/blog-posts/{id}/versions`: at most 50 versions, newest first, starting with the current
 * post.
 */
export const postVersionList = z.object({ data: z.array(summary) });
