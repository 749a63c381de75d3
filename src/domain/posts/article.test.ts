import { expect, test } from 'vitest';
import { articleFrontmatter, readingTimeFault, wordCount } from './article.ts';

const article = {
  title: 'NetSuite close guide: the first five days',
  description: 'What to close first, who signs it, and what must reconcile before the next day begins.',
  keywords: ['NetSuite close', 'period close', 'month-end'],
  category: 'Implementation',
  drawing: 'modules',
  publishedAt: '2026-01-31',
  minutes: 5,
  author: 'firm',
  summary: 'Five days, five signatures: what to close first and what must reconcile.',
  lead: 'What to close first, who signs it, and what must reconcile before you go on.',
  takeaways: ['The first point to keep in mind.', 'The second point to keep.', 'The third point to keep.'],
  callToAction: {
    title: 'Does your close take longer?',
    text: 'Send us the calendar of your last close.',
    actions: [{ label: 'Contact us', href: '/contact' }],
  },
};

const complaints = (changes: object): string[] => {
  const { error } = articleFrontmatter.safeParse({ ...article, ...changes });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
};

test('an article with all required fields is valid, listed and not a draft by default', () => {
  expect(articleFrontmatter.parse(article)).toMatchObject({ listed: true, draft: false, related: [] });
});

test.each([
  [{ publishedAt: '2026-02-30' }, /^publishedAt: Please write a valid date in quotation marks, year first/],
  [{ publishedAt: undefined }, /^publishedAt: Please write a valid date in quotation marks, year first/],
  [{ minutes: '5' }, 'minutes: Enter whole minutes, without quotes.'],
  [{ category: 'Stratgy' }, /^category: Please choose one of: AI & Automation, Strategy, /],
  [{ author: 'me' }, /^author: Please write 'firm' or 'president'/],
  [{ takeaways: ['Only this one point, alas.'] }, /^takeaways: Please list three to six points/],
  [{ lead: 'Short.' }, /^lead: Please use at least 40 characters: open the article in one or two sentences\.$/],
  [{ next: 'other.mdx' }, "next: Please name an article by its file's name without .mdx."],
  [{ lede: 'x' }, ': Unknown: lede. Please remove it, or look for a spelling mistake.'],
  [
    { callToAction: { ...article.callToAction, actions: [{ label: 'Contact us', href: 'contact' }] } },
    /^callToAction\.actions\.0\.href: Enter a path on this site, an https URL/,
  ],
])('the error for %j names the field and a correction', (changes, expected) => {
  expect(complaints(changes)).toEqual([expected instanceof RegExp ? expect.stringMatching(expected) : expected]);
});

test('only readable words count: no code, tags, table rules or URLs', () => {
  const body = `Two words.

<DataTable caption="never counted">

| One   | more |
| ----- | ---- |
| three | four |

</DataTable>

\`\`\`js
const not = 'counted';
\`\`\`

A [link text](/resources/not-counted) and \`code\`.`;
  expect(wordCount(body)).toBe(11);
});

test('a reading time must be within 15% of the words; if not, the message has the figures and both corrections', () => {
  const words = (count: number): string => 'word '.repeat(count);
  expect(readingTimeFault(10, words(1870))).toBeNull();
  expect(readingTimeFault(10, words(2530))).toBeNull();
  expect(readingTimeFault(10, words(1869))).toBe(
    'states 10 min, but its 1869 words take 8.5 at 220 a minute. ' +
      'Please set minutes to 8, or bring the text to between 1870 and 2530 words.',
  );
  expect(readingTimeFault(10, words(2531))).toMatch(/minutes to 12, or/);
  expect(readingTimeFault(1, words(30))).toMatch(/Please bring the text to between 187 and 252 words\.$/);
});
