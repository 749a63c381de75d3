import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LogoDetail } from '../../domain/logo.ts';
import type { PostRecord } from '../../domain/post.ts';
import type { SectionRecord } from '../../domain/section.ts';
import { lookForLogo, lookForNoPost, lookForPost, lookForSection, showsSection } from './public-page.ts';

/** The responses of the public pages, by path: HTML or a status code. */
let pages: Record<string, string | number>;
let etags: Record<string, string>;
const asked: { path: string; cookie: string | undefined }[] = [];
const server = createServer((request, response) => {
  const path = decodeURI(request.url ?? '');
  asked.push({ path, cookie: request.headers.cookie });
  const page = pages[path] ?? 404;
  if (typeof page === 'number') response.writeHead(page).end();
  else response.writeHead(200, { 'content-type': 'text/html', ...(etags[path] && { etag: etags[path] }) }).end(page);
});
const ownFetch = globalThis.fetch;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // In a browser, `fetch` resolves a path against the current page's URL. Node.js needs the origin.
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => ownFetch(origin + path, init));
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  asked.length = 0;
  pages = {};
  etags = {};
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
  test('if every occurrence of it has the new text, regardless of escaping', () => {
    for (const quote of ['"', '&quot;']) {
      expect(showsSection(home(`Books &amp; ${quote}numbers${quote}`, 'It&#39;s'), section())).toBe(true);
    }
    expect(showsSection(home('Books &amp; "numbers"', 'It is'), section())).toBe(false);
    expect(showsSection(home('Books', "It's"), section())).toBe(false);
  });

  test('if the home page and the contact page both have it', async () => {
    pages = { '/': home('Old', "It's"), '/contact': '<p>No section</p>' };
    expect(await lookForSection(section({ title: 'New' }))).toBe('The Home page (/) still shows the old text.');
    pages['/'] = home('New', "It's");
    expect(await lookForSection(section({ title: 'New' }))).toBeNull();
    pages['/contact'] = 503;
    expect(await lookForSection(section({ title: 'New' }))).toBe('The page /contact returns error 503.');
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

  test('if its page contains this save, and the blog lists it', async () => {
    expect(await lookForPost(post)).toBe('The page /blog/gr%C3%B6%C3%9Fe returns error 404.');
    pages['/blog/größe'] = article('2026-03-01T00:00:00.000Z');
    expect(await lookForPost(post)).toBe('The page /blog/gr%C3%B6%C3%9Fe still shows the old text.');
    pages['/blog/größe'] = article(post.updatedAt);
    pages['/blog'] = '<a href="/blog/other">';
    expect(await lookForPost(post)).toBe('The page /blog doesn’t list the post yet.');
    pages['/blog'] = '<a class="onward" href="/blog/gr%C3%B6%C3%9Fe">';
    expect(await lookForPost(post)).toBeNull();
  });

  test('with an earlier date on any page of the blog’s list', async () => {
    pages['/blog/größe'] = article(post.updatedAt);
    expect(await lookForPost({ ...post, publishedAt: '2020-01-01T00:00:00.000Z' })).toBeNull();
  });

  test('that was scheduled if the blog lists it too', async () => {
    pages['/blog/größe'] = article(post.updatedAt);
    pages['/blog'] = '<a href="/blog/other">';
    const scheduled = { ...post, publishedAt: '2026-03-02T18:29:10.000Z' };
    expect(await lookForPost(scheduled)).toBe('The page /blog doesn’t list the post yet.');
  });

  test('no longer if its URL returns not found', async () => {
    expect(await lookForNoPost('größe')).toBeNull();
    pages['/blog/größe'] = article(post.updatedAt);
    expect(await lookForNoPost('größe')).toBe('The page /blog/gr%C3%B6%C3%9Fe still shows the post.');
    pages['/blog/größe'] = 503;
    expect(await lookForNoPost('größe')).toMatch(/error 503/);
  });
});

describe('A logo counts as public', () => {
  const sha256 = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';
  const logo = (of: string | null) => ({ sha256: of }) as LogoDetail;
  const earlier = 'The page /uploads/logo still shows the old logo.';

  test('if its URL returns the uploaded file, compressed or not', async () => {
    pages['/uploads/logo'] = '<svg/>';
    expect(await lookForLogo(logo(sha256))).toBe(earlier);
    etags['/uploads/logo'] = '"ffff456789abcdef0123456789abcdef"';
    expect(await lookForLogo(logo(sha256))).toBe(earlier);
    for (const etag of [`"${sha256.slice(0, 32)}"`, `W/"${sha256.slice(0, 32)}-df"`]) {
      etags['/uploads/logo'] = etag;
      expect(await lookForLogo(logo(sha256))).toBeNull();
    }
    pages['/uploads/logo'] = 500;
    expect(await lookForLogo(logo(sha256))).toBe('The page /uploads/logo returns error 500.');
  });

  test('if its URL returns the default logo, after the admin chose the default', async () => {
    pages = { '/uploads/logo': '<svg id="uploaded"/>', '/uploads/logo.svg': '<svg/>' };
    expect(await lookForLogo(logo(null))).toBe(earlier);
    pages['/uploads/logo'] = '<svg/>';
    expect(await lookForLogo(logo(null))).toBeNull();
  });
});

test('An unreachable site does not count as up to date', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await lookForSection(section())).toBe('This browser couldn’t reach the Home page (/).');
});
