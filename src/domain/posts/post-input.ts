import * as z from 'zod/mini';
import { type Field, type Fields, fieldSchema } from '../field.ts';
import { numberText } from '../text/text.ts';
import { cleanLine, rawLength } from '../text/plain-text.ts';
import { isPictureAddress } from '../text/web-address.ts';

/** Maximum length of a slug in characters. */
export const longestSlug = 120;

/**
 * Returns the slug for a title (docs/product.md#posts). Letters of every script, digits and hyphens stay; letters
 * become lowercase. Each run of spaces and hyphens becomes one hyphen. Hyphens at the ends are removed.
 * @returns an empty string if the title has no letters and no digits.
 */
export function slugOf(title: string): string {
  return title
    .slice(0, 4 * longestSlug)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s-]/gu, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, longestSlug)
    .replace(/-$/, '');
}

/** The names of the statuses for admins. A draft with a publication time is called scheduled. */
export const postStatusNames = { draft: 'Draft', scheduled: 'Scheduled', published: 'Published' } as const;

/** The fields of the post editor. The limit of `content` is about 45,000 words of HTML. */
export const postFields = {
  title: { label: 'Title', kind: 'line', message: 'Please enter a title.' },
  slug: { label: 'Slug', kind: 'line', max: longestSlug, message: 'Please enter a slug.' },
  content: { label: 'Content', kind: 'lines', max: 300_000, message: 'Please enter the content.' },
  excerpt: { label: 'Excerpt', kind: 'lines', optional: true, max: 500, rows: 4 },
  featuredImage: {
    label: 'Featured picture',
    kind: 'line',
    optional: true,
    max: 2_000,
    message: 'Please enter a URL that starts with https://, or a path on this site, such as /about.',
  },
  status: {
    label: 'Status',
    kind: 'choice',
    options: [
      { value: 'draft', label: postStatusNames.draft },
      { value: 'published', label: postStatusNames.published },
    ],
    message: 'The status must be draft or published.',
  },
  publishAt: {
    label: 'Publish at',
    kind: 'line',
    optional: true,
    message: 'Enter a time in UTC, such as 2026-11-02T17:00:00Z.',
  },
} as const satisfies Fields;

export const postStatus = z.enum(
  postFields.status.options.map(({ value }) => value),
  postFields.status.message,
);

export const captionField = { label: 'Caption', kind: 'line', optional: true, max: 300 } as const satisfies Field;

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
const slugField = /* @__PURE__ */ z.string(postFields.slug.message).check(
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

const pictureField = /* @__PURE__ */ fieldSchema(postFields.featuredImage).check(
  z.refine((address) => address === '' || isPictureAddress(address), postFields.featuredImage.message),
);

/** Times in UTC such as `2026-11-02T17:00:00Z`, and without seconds. */
const utcTimes = /* @__PURE__ */ [z.regexes.datetime({}), z.regexes.datetime({ precision: -1 })];

/** The schema of `publishAt`. Times are stored with milliseconds, so comparing them as text gives their order in time. */
const publishAtField = z.pipe(
  optionalText(
    /* @__PURE__ */ fieldSchema(postFields.publishAt).check(
      z.refine((text) => text === '' || utcTimes.some((time) => time.test(text)), postFields.publishAt.message),
    ),
  ),
  z.transform((text) => text && new Date(text).toISOString()),
);

/**
 * Request body of `POST /api/cms/blog-posts` and `PUT /api/cms/blog-posts/{id}` (docs/product.md#posts). The schema
 * drops `publishedAt`, because the server sets it.
 */
export const postInput = /* @__PURE__ */ z
  .object({
    title: fieldSchema(postFields.title),
    slug: slugField,
    /** HTML. */
    content: /* @__PURE__ */ z.string(postFields.content.message).check(
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
    keepOriginalDate: z._default(z.boolean('“Keep the publication date” must be true or false.'), false),
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
