import { expect, test } from 'vitest';
import type { PublishedPage } from '../domain/posts/post.ts';
import type { SearchEntry } from '../domain/text/search.ts';
import { comparable, extractOf, openSearch } from './search.ts';

const section = (name: string, text: string, page = '/resources/guide'): SearchEntry => ({
  kind: 'Article',
  href: `${page}#${name.toLowerCase().replaceAll(' ', '-')}`,
  title: name,
  of: 'Guide',
  text,
});

const entries: SearchEntry[] = [
  { kind: 'Service', href: '/services/support', title: 'Managed support', text: 'Help at period close.' },
  section('Period close', 'What has to be true on day one.'),
  section('Load order', 'Vendors first, then the open bills of the last period, and a close look at both.'),
  section('Governance', 'Each script has its units.', '/resources/scripts'),
  { kind: 'Post', href: '/blog/old', title: 'Old news', text: 'Taken back since.', updatedAt: '1' },
];

const find = async (question: string, among = entries) =>
  (await openSearch(among)).find(question).map(({ entry }) => entry.href);

const post = (slug: string, changes: Partial<PublishedPage['data'][number]> = {}): PublishedPage['data'][number] => ({
  id: slug,
  title: slug,
  slug,
  excerpt: null,
  featuredImage: null,
  status: 'published',
  publishedAt: '2026-11-01T00:00:00Z',
  firstPublishedAt: '2026-11-01T00:00:00Z',
  createdAt: '2026-11-01T00:00:00Z',
  updatedAt: '1',
  ...changes,
});

test('Every word counts, words in titles count more, and the beginning of a word is enough', async () => {
  expect(await find('the period close')).toEqual([
    '/resources/guide#period-close',
    '/services/support',
    '/resources/guide#load-order',
  ]);
  expect(await find('gover')).toEqual(['/resources/scripts#governance']);
});

test('A typo is tolerated, and a word without a match does not hide other results', async () => {
  expect(await find('goverannce')).toEqual(['/resources/scripts#governance']);
  expect(await find('governance xylophone')).toEqual(['/resources/scripts#governance']);
  expect(await find('xylophone')).toEqual([]);
  expect(await find('the')).toEqual([]);
});

test('A long guide shows its three best sections, so other pages are visible', async () => {
  const long = Array.from({ length: 9 }, (_, index) => section(`Payout ${index}`, 'Payouts and fees.'));
  const found = await find('payout', [...long, { kind: 'Page', href: '/p', title: 'P', text: 'A payout.' }]);
  expect(found).toHaveLength(4);
  expect(found).toContain('/p');
});

test('Posts are those that are public now: new posts appear, changed posts change, others disappear', async () => {
  const engine = await openSearch(entries);
  const hrefs = (question: string) => engine.find(question).map(({ entry }) => entry.href);
  const now = { data: [post('fresh', { title: 'Fresh ledger' })], nextCursor: null };
  expect(engine.updatePosts(now)).toBe(true);
  expect([hrefs('ledger'), hrefs('news')]).toEqual([['/blog/fresh'], []]);
  expect(engine.updatePosts(now)).toBe(false);
  engine.updatePosts({ data: [post('fresh', { title: 'Fresh journal', updatedAt: '2' })], nextCursor: null });
  expect([hrefs('ledger'), hrefs('journal')]).toEqual([[], ['/blog/fresh']]);
});

test('A post that is older than the list of public posts stays', async () => {
  const engine = await openSearch(entries);
  engine.updatePosts({ data: [post('fresh')], nextCursor: 'more' });
  expect(engine.find('news')).toHaveLength(1);
});

test.each([
  ['Payouts', 'payout'],
  ['searches', 'search'],
  ['processes', 'process'],
  ['entries', 'entry'],
  ['access', 'access'],
  ['Résumé', 'resume'],
  ['24X7', '24x7'],
])('%s is compared as %s', (word, plain) => expect(comparable(word)).toBe(plain));

test('An extract is the part with the most matches, and begins with a sentence, or in a long sentence with a word', () => {
  const text = `Saved early. ${'Nothing of the kind here. '.repeat(12)}In the end a saved search is what counts. ${'And so on and on. '.repeat(20)}`;
  const extract = extractOf(text, new Set(['saved', 'search']));
  expect(extract).toMatch(/^In the end a saved search is what counts\. .* …$/);
  expect(extract.length).toBeLessThan(230);
  const list = extractOf(`${'one, two, three, '.repeat(20)}and a saved search.`, new Set(['saved', 'search']));
  expect(list).toMatch(/^… (one|two|three), .*, and a saved search\.$/);
  const afterAddress = extractOf(`See ${'a-long-address/'.repeat(20)}saved search`, new Set(['saved', 'search']));
  expect(afterAddress).toBe('… saved search');
  expect(extractOf('One two three four', new Set(['five']))).toBe('One two three four');
  expect(extractOf('x'.repeat(500), new Set(['x'.repeat(500)]))).toBe('x'.repeat(500));
});
