import * as z from 'zod/mini';

/** How the label of a category is colored, in the tokens' words; red is for rescue alone. */
export const articleCategories = {
  'AI & Automation': 'accent',
  Strategy: 'ink',
  Recovery: 'alert',
  Implementation: 'highlight',
  Development: 'outline',
  ROI: 'highlight',
} as const;

export type ArticleCategory = keyof typeof articleCategories;

/** The drawings that an article may carry; each tells its subject. */
const articleDrawings = ['modules', 'flows', 'return', 'script', 'rescue', 'assistant'] as const;

const categories = Object.keys(articleCategories) as ArticleCategory[];

/** @param mend completes 'Please …'. */
const line = (min: number, max: number, mend: string) =>
  z
    .string({ error: `Please ${mend}` })
    .check(
      z.trim(),
      z.minLength(min, `Please use at least ${min} characters: ${mend}`),
      z.maxLength(max, `Please use at most ${max} characters: ${mend}`),
    );

const isoDate = z.string({ error: "Please write a date in quotes, as in '2026-01-31'." }).check(
  z.refine((text) => {
    const date = new Date(`${text}T00:00:00Z`);
    return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  }, "Please write a day that exists, year first, as in '2026-01-31'."),
);

const slug = z
  .string({ error: "Please name an article by its file's name without .mdx." })
  .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Please name an article by its file's name without .mdx."));

const action = z.strictObject({
  label: line(3, 40, 'say what happens, in two to four words.'),
  href: z
    .string({ error: "Please give a path of this site, an https address, or 'booking'." })
    .check(
      z.refine(
        (href) => href === 'booking' || /^(\/(?!\/)|https:\/\/)/.test(href),
        "Please give a path of this site, an https address, or 'booking' for the firm's booking link.",
      ),
    ),
});

/**
 * What stands above the text of an article (`content/articles/*.mdx`). Every message says what to write instead, since an
 * editor reads it when the build refuses the file.
 */
export const articleFrontmatter = z.strictObject(
  {
    /** The headline; what follows a colon is set as a second line. */
    title: line(10, 80, 'give a headline that says what the reader gets.'),
    /** For search engines and previews. */
    description: line(50, 160, 'say in one sentence what the article answers.'),
    keywords: z
      .array(line(2, 40, 'write each keyword as somebody would search for it.'), {
        error: 'Please list three to eight keywords, each on a line that begins with a dash.',
      })
      .check(
        z.minLength(3, 'Please list at least three keywords.'),
        z.maxLength(8, 'Please list at most eight keywords.'),
      ),
    category: z.enum(categories, { error: `Please choose one of: ${categories.join(', ')}.` }),
    drawing: z.enum(articleDrawings, { error: `Please choose one of: ${articleDrawings.join(', ')}.` }),
    publishedAt: isoDate,
    /** Of a change that a reader should know of. */
    updatedAt: z.optional(isoDate),
    /** As printed, where that is less than a day: 'October 2025'. */
    dateText: z.optional(line(4, 30, "write the date as it is to be printed, as in 'October 2025'.")),
    /** Reading time that the page states; held to the count of words by {@link readingTimeFault}. */
    minutes: z
      .int({ error: 'Please give whole minutes, without quotes.' })
      .check(
        z.minimum(1, 'Please give at least one minute.'),
        z.maximum(60, 'Please split an article of more than an hour.'),
      ),
    author: z.enum(['firm', 'president'], {
      error: "Please write 'firm' or 'president'; src/site.config.ts names them.",
    }),
    /** On cards. */
    summary: line(40, 200, 'say on one card what the article gives.'),
    /** Under the headline. */
    lead: line(40, 260, 'open the article in one or two sentences.'),
    takeaways: z
      .array(line(20, 220, 'give each point in one or two short sentences.'), {
        error: 'Please list three to six points, each on a line that begins with a dash.',
      })
      .check(z.minLength(3, 'Please give at least three points.'), z.maxLength(6, 'Please give at most six points.')),
    previous: z.optional(slug),
    next: z.optional(slug),
    related: z._default(
      z
        .array(slug, { error: 'Please list up to three articles by the names of their files.' })
        .check(z.maxLength(3, 'Please name at most three related articles.')),
      [],
    ),
    /** Id of the card (spec §2, Resources page). The specified ones keep their order; later articles need none. */
    card: z.optional(z.int({ error: 'Leave `card` out: only the specified articles have one.' })),
    /** False: found by its address and by previous and next, but not among the cards. */
    listed: z._default(z.boolean({ error: 'Please write true or false, without quotes.' }), true),
    /** True: seen under `npm run dev` only. */
    draft: z._default(z.boolean({ error: 'Please write true or false, without quotes.' }), false),
    callToAction: z.strictObject(
      {
        title: line(5, 80, 'ask the reader one question.'),
        text: line(20, 240, 'say what to send and what comes back.'),
        actions: z
          .array(action, { error: 'Please give one to three actions, each with a label and an href.' })
          .check(z.minLength(1, 'Please give one action.'), z.maxLength(3, 'Please give at most three actions.')),
      },
      { error: 'Please close the article with callToAction: title, text and actions.' },
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

/** Words that a reader reads: no code blocks, no tags, no rules of tables. */
export function wordCount(body: string): number {
  const text = body
    .replace(/^```[\s\S]*?^```/gm, ' ')
    .replace(/<\/?[A-Z][^>]*>/g, ' ')
    .replace(/\]\([^)]*\)/g, '] ')
    .replace(/^[ \t|:-]+$/gm, ' ')
    .replace(/[|#*_`>[\]]/g, ' ');
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/**
 * Whether the reading time that an article states is true: words / 220 within 15 % of it (decisions, 'Routes').
 * @returns what is wrong and how to mend it, or null.
 */
export function readingTimeFault(minutes: number, body: string): string | null {
  const words = wordCount(body);
  const read = words / wordsPerMinute;
  if (Math.abs(read - minutes) <= minutes * 0.15) return null;
  const from = Math.ceil(minutes * 0.85 * wordsPerMinute);
  const to = Math.floor(minutes * 1.15 * wordsPerMinute);
  return (
    `states ${minutes} min, but its ${words} words take ${read.toFixed(1)} at ${wordsPerMinute} a minute. ` +
    `Please write minutes: ${Math.max(1, Math.round(read))}, or bring the text to between ${from} and ${to} words.`
  );
}
