import * as z from 'zod/mini';
import { postRecord } from './post.ts';

/** A state in which a post was saved: what each later save keeps of the one before it. */
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
    /** The admin's e-mail address; null for what was saved before this was noted. */
    savedBy: z.nullable(z.string()),
  },
);

export type PostVersion = z.infer<typeof postVersion>;

/** Answer to `GET /api/cms/blog-posts/{id}/versions/{revision}`. */
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

/** `GET /api/cms/blog-posts/{id}/versions`: newest first, at most 50; the first one is the post as it is. */
export const postVersionList = z.object({ data: z.array(summary) });
