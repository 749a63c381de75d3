import { expect, test } from 'vitest';
import type { PublishedPage } from '../../domain/post.ts';
import type { SearchEntry } from '../../domain/search.ts';
import { openSearch } from './engine.ts';

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
  { kind: 'Post', href: '/blog/old', title: 'Old news', text: 'Taken back since.', state: 'old:1' },
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
