import * as z from 'zod/mini';
import { promisesMade } from '../site/site-details.ts';
import { longestDescription } from '../text/text.ts';

/**
 * The style of each category's label (src/components/ArticleCategory.astro). Red (`alert`) is reserved for rescue
 * topics.
 */
export const articleCategories = {
  'AI & Automation': 'accent',
  Strategy: 'ink',
  Recovery: 'alert',
  Implementation: 'highlight',
  Development: 'outline',
  ROI: 'highlight',
  Support: 'outline',
} as const;

export type ArticleCategory = keyof typeof articleCategories;

/** Names of the available drawings; an article shows one that fits its subject. */
const articleDrawings = ['modules', 'flows', 'return', 'script', 'rescue', 'assistant'] as const;

const categories = Object.keys(articleCategories) as ArticleCategory[];

/**
 * Returns the schema of a one-line text.
 * @param instruction completes the error message "Please …".
 */
const line = (min: number, max: number, instruction: string) =>
  z
    .string(`Please ${instruction}`)
    .check(
      z.trim(),
      z.minLength(min, `Please use at least ${min} characters: ${instruction}`),
      z.maxLength(max, `Please use at most ${max} characters: ${instruction}`),
    );

const list = <Item extends z.ZodMiniType>(item: Item, least: number, most: number, message: string) =>
  z.array(item, message).check(z.minLength(least, message), z.maxLength(most, message));

/** Returns the schema of a text that must pass a test. */
const tested = (isValid: (text: string) => boolean, message: string) =>
  z.string(message).check(z.refine(isValid, message));

const isoDate = tested(
  (text) => z.regexes.date.test(text),
  "Please write a valid date in quotation marks, year first, such as '2026-01-31'.",
);

const slug = tested(
  (text) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text),
  "Please name an article by its file's name without .mdx.",
);

const yesOrNo = (usual: boolean) => z._default(z.boolean('Please write true or false, without quotes.'), usual);

const action = z.strictObject({
  label: line(3, 40, 'say what happens, in two to four words.'),
  href: tested(
    (href) => href === 'booking' || /^(\/(?!\/)|https:\/\/)/.test(href),
    "Enter a path on this site, an https URL, or 'booking' for the firm's booking link.",
  ),
});

/**
 * The frontmatter of an article (`content/articles/*.mdx`). Every error message says what to write instead, because an
 * editor reads the message when the build rejects the file.
 */
export const articleFrontmatter = z.strictObject(
  {
    /** The headline. The page puts the words after a colon on a second line. */
    title: line(10, 80, 'give a headline that says what the reader gets.'),
    /** For search engines and social previews. */
    description: line(50, longestDescription, 'say in one sentence what the article answers.'),
    keywords: list(
      line(2, 40, 'write each keyword as people search for it.'),
      3,
      8,
      'Please list three to eight keywords, each on a line that begins with a dash.',
    ),
    category: z.enum(categories, `Please choose one of: ${categories.join(', ')}.`),
    drawing: z.enum(articleDrawings, `Please choose one of: ${articleDrawings.join(', ')}.`),
    publishedAt: isoDate,
    /** The date of the last change that matters to readers. */
    updatedAt: z.optional(isoDate),
    /** A less precise date to show instead of `publishedAt`, such as 'October 2025'. */
    dateText: z.optional(line(4, 30, "write the date to print, as in 'October 2025'.")),
    /** Sorts the article as if it were published on this day, for an order that the dates do not give. */
    sortDate: z.optional(isoDate),
    /** Reading time in minutes, shown on the page. {@link readingTimeFault} compares it with the number of words. */
    minutes: z
      .int('Enter whole minutes, without quotes.')
      .check(
        z.minimum(1, 'Enter at least one minute.'),
        z.maximum(60, 'An article can take at most 60 minutes. Please split a longer one.'),
      ),
    author: z.enum(['firm', 'president'], "Please write 'firm' or 'president'; src/site.config.ts names them."),
    /** Shown on cards. */
    summary: line(40, 200, 'say on one card what the article gives.'),
    /** Shown below the headline. */
    lead: line(40, 260, 'open the article in one or two sentences.'),
    takeaways: list(
      line(20, 220, 'give each point in one or two short sentences.'),
      3,
      6,
      'Please list three to six points, each on a line that begins with a dash.',
    ),
    previous: z.optional(slug),
    next: z.optional(slug),
    related: z._default(list(slug, 0, 3, 'Please list up to three articles by the names of their files.'), []),
    /**
     * False: the article has no card. Readers reach it by its URL and by the previous and next links of other articles.
     */
    listed: yesOrNo(true),
    /** True: only `npm run dev` shows the article. */
    draft: yesOrNo(false),
    promises: promisesMade,
    callToAction: z.strictObject(
      {
        title: line(5, 80, 'ask the reader one question.'),
        text: line(20, 240, 'say what to send and what comes back.'),
        actions: list(action, 1, 3, 'Enter one to three actions, each with a label and an href.'),
      },
      'Please close the article with callToAction: title, text and actions.',
    ),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Unknown: ${issue.keys.join(', ')}. Please remove it, or look for a spelling mistake.`
        : undefined,
  },
);

export type ArticleFrontmatter = z.infer<typeof articleFrontmatter>;

const wordsPerMinute = 220;

/** Counts the words of an article's MDX, without code blocks, component tags, link URLs and table borders. */
export function wordCount(body: string): number {
  const text = body
    .replace(/^```[\s\S]*?^```/gm, ' ')
    .replace(/<\/?[A-Z][^>]*>/g, ' ')
    .replace(/\]\([^)]*\)/g, '] ')
    .replace(/^[ \t|:-]+$/gm, ' ')
    .replace(/[|#*_`>[\]]/g, ' ');
  return text.match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;
}

/**
 * Compares the stated reading time of an article with its number of words at 220 words a minute. A difference of up to
 * 15% of the stated time is accepted (docs/product.md#articles).
 * @returns the error and how to correct it, or null.
 */
export function readingTimeFault(minutes: number, body: string): string | null {
  const words = wordCount(body);
  const read = words / wordsPerMinute;
  if (Math.abs(read - minutes) <= minutes * 0.15) return null;
  const from = Math.ceil(minutes * 0.85 * wordsPerMinute);
  const to = Math.floor(minutes * 1.15 * wordsPerMinute);
  const rounded = Math.max(1, Math.round(read));
  return (
    `states ${minutes} min, but its ${words} words take ${read.toFixed(1)} at ${wordsPerMinute} a minute. ` +
    `Please ${rounded === minutes ? '' : `set minutes to ${rounded}, or `}bring the text to between ${from} and ${to} words.`
  );
}
