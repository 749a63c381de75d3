import { expect, test } from 'vitest';
import type { SearchEntry } from '../../src/domain/search.ts';
import { openSearch } from '../../src/lib/search/engine.ts';
import { brotliSize, page, pages, read } from './built-site.ts';

const index = read('/search.json');
const entries = JSON.parse(index.toString()) as SearchEntry[];

test('The search index stays small', () => {
  expect(brotliSize(index)).toBeLessThanOrEqual(60_000);
});

test('Every entry leads to a page of the site, and to the heading that it names', () => {
  // The blog and its posts are rendered on demand, so the build has no files for them.
  for (const { href, title } of entries.filter((entry) => entry.kind !== 'Post' && entry.href !== '/blog')) {
    const [path, fragment] = href.split('#') as [string, string?];
    const { $ } = page(path);
    if (fragment) expect($(`[id="${fragment}"]`).text().trim(), href).toContain(title);
  }
  expect(new Set(entries.map(({ href }) => href)).size).toBe(entries.length);
});

test('Every service, and every article by its sections, can be found', () => {
  for (const { path } of pages.filter((built) => /^\/(services|resources)\//.test(built.path))) {
    const found = entries.filter(({ href }) => href.split('#')[0] === path);
    expect(found.length, path).toBeGreaterThanOrEqual(path.startsWith('/resources/') ? 5 : 1);
  }
});

test('The suggested searches have results', async () => {
  const engine = await openSearch(entries);
  const proposed = page('/search').$('main a[href*="?q="]').toArray();
  expect(proposed.length).toBeGreaterThan(3);
  for (const link of proposed) {
    const question = new URL(link.attribs['href']!, 'http://site.test').searchParams.get('q')!;
    expect(engine.find(question).length, question).toBeGreaterThan(1);
  }
});
