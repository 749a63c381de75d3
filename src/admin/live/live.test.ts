import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PostRecord } from '../../domain/post.ts';
import type { SectionRecord } from '../../domain/section.ts';
import { lookForNoPost, lookForPost, lookForSection, showsSection } from './public-page.ts';

/** What the public pages answer, by their path: HTML, or a status. */
let pages: Record<string, string | number>;
const asked: { path: string; cookie: string | undefined }[] = [];
const server = createServer((request, response) => {
  const path = decodeURI(request.url ?? '');
  asked.push({ path, cookie: request.headers.cookie });
  const page = pages[path] ?? 404;
  if (typeof page === 'number') response.writeHead(page).end();
  else response.writeHead(200, { 'content-type': 'text/html' }).end(page);
});
const ownFetch = globalThis.fetch;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // A browser resolves a path against the page that it is on.
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => ownFetch(origin + path, init));
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  asked.length = 0;
  pages = {};
});
afterEach(() => {
  expect(asked.every(({ cookie }) => cookie === undefined)).toBe(true);
});

const section = (changes: Partial<SectionRecord> = {}): SectionRecord => ({
  sectionKey: 'hero_subtitle',
  title: 'Books & <b>"numbers"</b>',
  content: "It's",
  metadata: '',
  updatedAt: '2026-03-02T18:30:00.000Z',
  ...changes,
});
const home = (title: string, content: string) =>
  `<p class="lead" data-section="hero_subtitle"> ${title} </p><p data-section="hero_subtitle" data-section-part="content">${content}</p>
   <h1 data-section="hero_title">Another</h1>`;

describe('A text counts as public', () => {
  test('if each place of it holds the words, however they are escaped', () => {
    for (const quote of ['"', '&quot;']) {
      expect(showsSection(home(`Books &amp; ${quote}numbers${quote}`, 'It&#39;s'), section())).toBe(true);
    }
    expect(showsSection(home('Books &amp; "numbers"', 'It is'), section())).toBe(false);
    expect(showsSection(home('Books', "It's"), section())).toBe(false);
  });

  test('if home and contact page have it, and not while one of them does not', async () => {
    pages = { '/': home('Old', "It's"), '/contact': '<p>No section</p>' };
    expect(await lookForSection(section({ title: 'New' }))).toBe('The page / still shows the earlier text.');
    pages['/'] = home('New', "It's");
    expect(await lookForSection(section({ title: 'New' }))).toBeNull();
    pages['/contact'] = 503;
    expect(await lookForSection(section({ title: 'New' }))).toBe('The page /contact answers with error 503.');
  });
});

describe('A post counts as public', () => {
  const post = {
    slug: 'größe',
    title: 'Size',
    updatedAt: '2026-03-02T18:30:00.000Z',
    publishedAt: '2026-03-02T18:30:00.000Z',
  } as PostRecord;
  const article = (modified: string) => `<script type="application/ld+json">{"dateModified":"${modified}"}</script>`;

  test('if its page has this very save, and the blog lists it', async () => {
    expect(await lookForPost(post)).toBe('The page /blog/gr%C3%B6%C3%9Fe answers with error 404.');
    pages['/blog/größe'] = article('2026-03-01T00:00:00.000Z');
    expect(await lookForPost(post)).toBe('The page /blog/gr%C3%B6%C3%9Fe still shows the earlier text.');
    pages['/blog/größe'] = article(post.updatedAt);
    pages['/blog'] = '<a href="/blog/other">';
    expect(await lookForPost(post)).toBe('The page /blog does not list the post.');
    pages['/blog'] = '<a class="onward" href="/blog/gr%C3%B6%C3%9Fe">';
    expect(await lookForPost(post)).toBeNull();
  });

  test('of an earlier date wherever the blog lists it', async () => {
    pages['/blog/größe'] = article(post.updatedAt);
    expect(await lookForPost({ ...post, publishedAt: '2020-01-01T00:00:00.000Z' })).toBeNull();
  });

  test('no longer if its address says that there is none', async () => {
    expect(await lookForNoPost('größe')).toBeNull();
    pages['/blog/größe'] = article(post.updatedAt);
    expect(await lookForNoPost('größe')).toBe('The page /blog/gr%C3%B6%C3%9Fe still shows the post.');
    pages['/blog/größe'] = 503;
    expect(await lookForNoPost('größe')).toMatch(/error 503/);
  });
});

test('A site that cannot be reached is not taken for one that is up to date', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await lookForSection(section())).toBe('This browser couldn’t reach /.');
});
