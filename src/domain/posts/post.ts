import * as z from 'zod/mini';
import { listQuery, pageOf } from '../text/paging.ts';
import { postStatus } from './post-input.ts';

/** A post in the public API: `GET /api/cms/blog-posts/published`. Times are ISO 8601, UTC. */
export const publicPost = z.object({
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  /** Sanitized HTML. */
  content: z.string(),
  excerpt: z.nullable(z.string()),
  /** An https URL or a path on this site. */
  featuredImage: z.nullable(z.string()),
  status: postStatus,
  /**
   * When the post was published; null for a draft. Each save of a published post changes this time to the time of the
   * save, unless the admin keeps the original date.
   */
  publishedAt: z.nullable(z.string()),
  firstPublishedAt: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type PublicPost = z.infer<typeof publicPost>;

/** A post with the fields that only admins see. */
export const postRecord = z.extend(publicPost, {
  /** When the site publishes the draft; ISO 8601, UTC. Null: the draft is not scheduled. */
  publishAt: z.nullable(z.string()),
  /**
   * The date of the published post before a save changed it, if that date was more than a day old. An admin can put
   * this date back.
   */
  dateBefore: z.nullable(z.string()),
  /** Increases with every change of the post. The client sends it with the next save. */
  revision: z.number(),
  /** When the post was moved to the trash; null for a post that is not in the trash. */
  deletedAt: z.nullable(z.string()),
});

export type PostRecord = z.infer<typeof postRecord>;

/** Response of `GET`, `PUT` and `DELETE /api/cms/blog-posts/{id}`, and of restoring a post. */
export const postAnswer = z.object({ data: postRecord });

/** Response of `POST /api/cms/blog-posts`, status 201. */
export const postReceipt = z.object({ success: z.literal(true), id: z.string(), data: postRecord });

/** The view `summary` omits the content of posts. */
const viewField = z._default(z.enum(['full', 'summary'], 'The view must be full or summary.'), 'full');

const sortKeys = ['createdAt', 'updatedAt', 'publishedAt', 'title'] as const;

/**
 * Sort key; a leading hyphen sorts in descending order. `publishedAt` sorts by the shown date, which is `createdAt` for
 * a post that was never published.
 */
const postSort = z.enum(
  sortKeys.flatMap((key) => [key, `-${key}`] as const),
  `Sort by one of: ${sortKeys.join(', ')}. To reverse the order, put a hyphen before the name.`,
);

/**
 * Query of `GET /api/cms/blog-posts`. Only `trash` lists posts in the trash. `scheduled` lists the drafts with a time
 * of publication.
 */
export const postListQuery = z.extend(listQuery, {
  sort: z._default(postSort, '-createdAt'),
  status: z._default(
    z.enum(
      ['all', 'draft', 'scheduled', 'published', 'trash'],
      'The status must be all, draft, scheduled, published or trash.',
    ),
    'all',
  ),
  view: viewField,
});

export type PostListQuery = z.infer<typeof postListQuery>;

const anyView = { content: z.optional(z.string()) };

/** A post in a list. The view `summary` omits `content`. */
export const listedPost = z.extend(postRecord, anyView);

export type PostSummary = z.infer<typeof listedPost>;

/** A page of posts, with the number of posts for each status. */
export const postPage = z.extend(pageOf(listedPost), {
  /** Each post is in one count: `draft` excludes scheduled drafts. */
  counts: z.object({ draft: z.number(), scheduled: z.number(), published: z.number(), trash: z.number() }),
});

export type PostPage = z.infer<typeof postPage>;

/** Query of `GET /api/cms/blog-posts/published`. Posts are always listed newest first. */
export const publishedQuery = z.extend(z.pick(listQuery, { limit: true, cursor: true }), { view: viewField });

export const listedPublicPost = z.extend(publicPost, anyView);

export const publishedPage = pageOf(listedPublicPost);

export type PublishedPage = z.infer<typeof publishedPage>;

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

const summary = z.omit(postVersion, { slug: true, content: true, excerpt: true, featuredImage: true });

export type PostVersionSummary = z.infer<typeof summary>;

/**
 * Response of `GET /api/cms/blog-posts/{id}/versions`: at most 50 versions, newest first, starting with the current
 * post.
 */
export const postVersionList = z.object({ data: z.array(summary) });

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
