import * as z from 'zod/mini';
import { listQuery, pageOf } from './paging.ts';
import { cleanLine, lineField, linesField, rawLength } from './plain-text.ts';
import { isPictureAddress, longestSlug, slugOf } from './post-text.ts';

/**
 * Characters of a post's HTML at most: about 45,000 words. The HTML of a post is sanitized in one go when it is saved, so
 * its tags and the characters that are written as references are limited, too.
 */
const longestContent = 300_000;
const mostTags = 8_000;
const mostPictures = 500;
const mostReferences = 20_000;

/** Why a post's HTML is too large to be saved, for its writer; null where it is not. */
export function contentProblem(html: string): string | null {
  if (html.length > longestContent) {
    return `Please use at most ${longestContent.toLocaleString('en-US')} characters, or write two posts.`;
  }
  const tooMany = (mark: string, most: number) => html.split(mark, most + 2).length > most + 1;
  if ((html.match(/<img/gi)?.length ?? 0) > mostPictures) {
    return `Please use at most ${mostPictures} pictures, or write two posts.`;
  }
  if (!tooMany('<', mostTags) && !tooMany('&', mostReferences)) return null;
  return 'This post has too many elements, such as paragraphs and table cells. Please shorten it, or write two posts.';
}

/** A slug as it may be saved: what {@link slugOf} can make. */
const slugField = z.string('Please enter a slug.').check(
  rawLength(longestSlug, `Please use at most ${longestSlug} characters.`),
  z.overwrite((text) => cleanLine(text).toLowerCase()),
  z.minLength(1, 'Please enter a slug.'),
  z.maxLength(longestSlug, { error: `Please use at most ${longestSlug} characters.`, abort: true }),
  z.refine((slug) => slugOf(slug) === slug, 'Please use letters, digits and single hyphens in the slug.'),
);

/** An empty text is the same as none (decisions, 'Addresses and names beyond section 7'). */
/* @__NO_SIDE_EFFECTS__ */
function optionalText(field: z.ZodMiniType<string, string>) {
  return z.pipe(
    z.nullish(field),
    z.transform((text) => text || null),
  );
}

const pictureField = z.string().check(
  rawLength(2_000, 'Please use at most 2,000 characters.'),
  z.overwrite(cleanLine),
  z.maxLength(2_000, { error: 'Please use at most 2,000 characters.', abort: true }),
  z.refine(
    (address) => address === '' || isPictureAddress(address),
    'Please use an https address or a path of this site.',
  ),
);

/** A moment as `2026-11-02T17:00Z`, with seconds or without. What no calendar has, such as February 30, is none. */
function isUtcTime(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/.test(text)) return false;
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10));
}

/** Stored in one form, with milliseconds, so that moments compare as texts do. */
const publishAtField = z.pipe(
  z.nullish(
    z.string().check(
      z.trim(),
      z.refine((text) => text === '' || isUtcTime(text), 'Please give a time in UTC, such as 2026-11-02T17:00:00Z.'),
    ),
  ),
  z.transform((text) => (text ? new Date(text).toISOString() : null)),
);

export const postStatus = z.enum(['draft', 'published'], 'The status is draft or published.');

/**
 * `POST /api/cms/blog-posts` and `PUT /api/cms/blog-posts/{id}` (spec §5, §7). A `publishedAt` that a client sends is left
 * out: the server stamps it.
 */
export const postInput = z
  .object({
    title: lineField('Please enter a title.'),
    slug: slugField,
    /** HTML. */
    content: z.string('Please enter the content.').check(
      z.refine((html) => contentProblem(html) === null, {
        error: ({ input }) => contentProblem(String(input)) ?? '',
        abort: true,
      }),
      z.trim(),
      z.minLength(1, 'Please enter the content.'),
    ),
    excerpt: optionalText(linesField('', { min: 0, max: 500 })),
    featuredImage: optionalText(pictureField),
    status: z._default(postStatus, 'draft'),
    /** When a draft is published by itself; in the future when it is chosen. A save without it means never. */
    publishAt: publishAtField,
    /** Leaves `publishedAt` as it is, where the post was published before. */
    keepOriginalDate: z._default(z.boolean('Keep original date is true or false.'), false),
    /** The revision that the editor read. A later one on the server refuses the save; without it the last save wins. */
    revision: z.optional(z.int('The revision is a whole number.')),
  })
  .check(
    z.refine(({ status, publishAt }) => status === 'draft' || publishAt === null, {
      path: ['publishAt'],
      error: 'Only a draft waits for its time. Save it as a draft, or leave the time out.',
    }),
  );

export type PostInput = z.infer<typeof postInput>;

/** A post as visitors may read it: `GET /api/cms/blog-posts/published`. Times are ISO 8601, UTC. */
const publicPost = z.object({
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  /** Sanitized HTML. */
  content: z.string(),
  excerpt: z.nullable(z.string()),
  /** An https address or a path of this site. */
  featuredImage: z.nullable(z.string()),
  status: postStatus,
  /** Of the last published save; null for a draft (spec §4). */
  publishedAt: z.nullable(z.string()),
  firstPublishedAt: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type PublicPost = z.infer<typeof publicPost>;

/** A post as the admin has it. */
export const postRecord = z.extend(publicPost, {
  /** When this draft is published by itself; ISO 8601, UTC. */
  publishAt: z.nullable(z.string()),
  /** Counts the saves; sent back with the next one. */
  revision: z.number(),
  /** When it went to the trash; null for a post that is in use. */
  deletedAt: z.nullable(z.string()),
});

export type PostRecord = z.infer<typeof postRecord>;

/** Answer to `GET`, `PUT`, `DELETE /api/cms/blog-posts/{id}` and to a restore. */
export const postAnswer = z.object({ data: postRecord });

/** Answer to `POST /api/cms/blog-posts`, status 201. */
export const postReceipt = z.object({ success: z.literal(true), id: z.string(), data: postRecord });

/** `summary` leaves the content out. */
const viewField = z._default(z.enum(['full', 'summary'], 'The view is full or summary.'), 'full');

const sortKeys = ['createdAt', 'updatedAt', 'publishedAt', 'title'] as const;

/** `publishedAt` sorts by the date that is shown: published, else created. A hyphen before it: descending. */
const postSort = z.enum(
  sortKeys.flatMap((key) => [key, `-${key}`] as const),
  `Sort by ${sortKeys.join(', ')}; a hyphen before it turns the order around.`,
);

/**
 * `GET /api/cms/blog-posts`. The trash is a status of its own, and in no other list; `scheduled` is those of the drafts that
 * are published by themselves.
 */
export const postListQuery = z.extend(listQuery, {
  sort: z._default(postSort, '-createdAt'),
  status: z._default(
    z.enum(
      ['all', 'draft', 'scheduled', 'published', 'trash'],
      'The status is all, draft, scheduled, published or trash.',
    ),
    'all',
  ),
  view: viewField,
});

export type PostListQuery = z.infer<typeof postListQuery>;

/** A page of posts with how many there are of each kind; without `content` in a summary. */
export const postPage = z.extend(pageOf(z.extend(postRecord, { content: z.optional(z.string()) })), {
  /** Each post counts once. */
  counts: z.object({ draft: z.number(), scheduled: z.number(), published: z.number(), trash: z.number() }),
});

export type PostPage = z.infer<typeof postPage>;

/** A post as a list shows it. */
export type PostSummary = PostPage['data'][number];

/** `GET /api/cms/blog-posts/published`: always newest first. */
export const publishedQuery = z.extend(z.pick(listQuery, { limit: true, cursor: true }), { view: viewField });

export const publishedPage = pageOf(z.extend(publicPost, { content: z.optional(z.string()) }));

export type PublishedPage = z.infer<typeof publishedPage>;
