import * as z from 'zod/mini';
import { fieldSchema } from './field-schema.ts';
import { numberText } from './number-words.ts';
import { cleanLine, rawLength } from './plain-text.ts';
import { postFields } from './post-fields.ts';
import { postStatus } from './post.ts';
import { slugOf } from './slug.ts';
import { isPictureAddress } from './web-address.ts';

/**
 * Maximum numbers of tags, pictures and character references in a post's HTML. The server cannot handle other requests
 * while it sanitizes HTML, and these make HTML of the same length much slower to sanitize.
 */
const mostTags = 8_000;
const mostPictures = 500;
const mostReferences = 20_000;

/** Returns an error message for the author if a post's HTML is too large, or null. */
export function contentProblem(html: string): string | null {
  const { max } = postFields.content;
  if (html.length > max) {
    return `Please use at most ${numberText(max)} characters, or write two posts.`;
  }
  const tooMany = (mark: string, most: number) => html.split(mark, most + 2).length > most + 1;
  if ((html.match(/<img/gi)?.length ?? 0) > mostPictures) {
    return `Please use at most ${mostPictures} pictures, or write two posts.`;
  }
  if (!tooMany('<', mostTags) && !tooMany('&', mostReferences)) return null;
  return 'This post has too many elements, such as paragraphs and table cells. Please shorten it, or write two posts.';
}

const tooLongSlug = `Please use at most ${postFields.slug.max} characters.`;

/** The schema of a slug: accepts only results of {@link slugOf}, after converting the input to lowercase. */
const slugField = z.string(postFields.slug.message).check(
  rawLength(postFields.slug.max, tooLongSlug),
  z.overwrite((text) => cleanLine(text).toLowerCase()),
  z.minLength(1, postFields.slug.message),
  z.maxLength(postFields.slug.max, { error: tooLongSlug, abort: true }),
  z.refine((slug) => slugOf(slug) === slug, 'Please use letters, digits and single hyphens in the slug.'),
);

/** Returns a schema that turns an empty text into null (docs/product.md#forms). */
/* @__NO_SIDE_EFFECTS__ */
function optionalText(field: z.ZodMiniType<string>) {
  return z.pipe(
    z.nullish(field),
    z.transform((text) => text || null),
  );
}

const pictureField = fieldSchema(postFields.featuredImage).check(
  z.refine((address) => address === '' || isPictureAddress(address), postFields.featuredImage.message),
);

/**
 * Returns true for a time in UTC such as `2026-11-02T17:00Z`; seconds are optional. Returns false for a date that does
 * not exist, such as February 30.
 */
function isUtcTime(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/.test(text)) return false;
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10));
}

/**
 * The schema of `publishAt`. Times are stored with milliseconds, so comparing them as text gives their order in time.
 */
const publishAtField = z.pipe(
  optionalText(
    fieldSchema(postFields.publishAt).check(
      z.refine((text) => text === '' || isUtcTime(text), postFields.publishAt.message),
    ),
  ),
  z.transform((text) => text && new Date(text).toISOString()),
);

/**
 * Request body of `POST /api/cms/blog-posts` and `PUT /api/cms/blog-posts/{id}` (docs/product.md#posts). The schema
 * drops `publishedAt`, because the server sets it.
 */
export const postInput = z
  .object({
    title: fieldSchema(postFields.title),
    slug: slugField,
    /** HTML. */
    content: z.string(postFields.content.message).check(
      z.refine((html) => contentProblem(html) === null, {
        error: ({ input }) => contentProblem(String(input)) ?? '',
        abort: true,
      }),
      z.trim(),
      z.minLength(1, postFields.content.message),
    ),
    excerpt: optionalText(fieldSchema(postFields.excerpt)),
    featuredImage: optionalText(pictureField),
    status: z._default(postStatus, 'draft'),
    /**
     * When the site publishes the draft. The time must be in the future when the draft is saved. Null: the draft is not
     * scheduled.
     */
    publishAt: publishAtField,
    /** True: a published post keeps its previous `publishedAt`. False: it gets a new one. */
    keepOriginalDate: z._default(z.boolean('“Keep the date” must be true or false.'), false),
    /**
     * Revision that the editor loaded. The server rejects the save if the stored post has another revision. Without
     * `revision`, the save always overwrites the post.
     */
    revision: z.optional(z.int('The revision must be a whole number.')),
  })
  .check(
    z.refine(({ status, publishAt }) => status === 'draft' || publishAt === null, {
      path: ['publishAt'],
      error: 'Only a draft can be scheduled. Save the post as a draft, or remove the time.',
    }),
  );

export type PostInput = z.infer<typeof postInput>;
