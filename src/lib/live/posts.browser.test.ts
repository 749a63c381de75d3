import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../../../tests/support/browser.ts';
import { bundle } from '../../../tests/support/bundle.ts';
import type { refreshPosts } from './posts.ts';

declare global {
  interface Window {
    refreshPosts: typeof refreshPosts;
  }
}

const browser = useBrowser();
let server: Server;
let baseURL: string;
/** What the API answers: a page of posts, or a status. */
let answer: (cursor: string | null) => { data: object[]; nextCursor: string | null } | number;

const post = (id: string, changes: Record<string, unknown> = {}) => ({
  id,
  title: `Post ${id}`,
  slug: `post-${id}`,
  excerpt: null,
  featuredImage: null,
  status: 'published',
  publishedAt: `2026-03-0${id}T12:00:00.000Z`,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: `2026-03-0${id}T12:00:00.000Z`,
  ...changes,
});
const entry = (id = '', key = '') => `<li data-post="${key}"><article>
  <span class="post-picture"><span>${id}</span><img src="data:," alt="" sizes="100vw"></span><time>Mar ${id}, 2026</time>
  <h2>Post ${id}</h2><p></p><a href="/blog/post-${id}">Read More<span>: Post ${id}</span></a></article></li>`;
const listing = (state: string, ids: string[], attributes = '') => `<!doctype html><html lang="en"><title>Blog</title>
  <link rel="icon" href="data:,"><div data-posts="${state}" data-zone="America/Los_Angeles" ${attributes}>
  <div><p role="status">Loading posts…</p><ul></ul><button type="button" data-retry hidden>Try again</button></div><ol>${ids.map((id) => entry(id, `${id}:2026-03-0${id}T12:00:00.000Z`)).join('')}</ol>
  <button type="button" hidden>Show older posts</button><template>${entry()}</template></div></html>`;
let page = '';

beforeAll(async () => {
  const script = await bundle(
    "import { refreshPosts } from '/src/lib/live/posts.ts'; window.refreshPosts = refreshPosts;",
  );
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://site.test');
    if (url.pathname === '/lib.js')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    if (url.pathname === '/.netlify/images') {
      const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>';
      return void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture);
    }
    if (url.pathname !== '/api/cms/blog-posts/published') {
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    }
    const found = answer(url.searchParams.get('cursor'));
    const status = typeof found === 'number' ? found : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(found));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  answer = () => ({ data: [], nextCursor: null });
});

/** Opens the page and brings it up to date; says what was touched meanwhile. */
async function refreshed() {
  const opened = await browser.newPage({ baseURL, expected: ['500'] });
  await opened.goto('/');
  await opened.addScriptTag({ url: '/lib.js', type: 'module' });
  const touched = await opened.evaluate(async () => {
    let changes = 0;
    const watch = new MutationObserver((records) => (changes += records.length));
    watch.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    for (const entry of document.querySelectorAll('li')) entry.dataset['built'] = '';
    changes -= watch.takeRecords().length;
    changes = 0;
    await window.refreshPosts();
    return changes + watch.takeRecords().length;
  });
  const titles = () => opened.locator('li h2').allTextContents();
  return { opened, touched, titles, state: await opened.locator('[data-posts]').getAttribute('data-posts') };
}

test('A list that has not changed is not touched', async () => {
  page = listing('listed', ['2', '1']);
  answer = () => ({ data: [post('2'), post('1')], nextCursor: null });
  expect((await refreshed()).touched).toBe(0);
});

test('A post whose picture was replaced since is shown with the new one', async () => {
  page = listing('listed', ['2', '1']);
  answer = () => ({ data: [post('2', { featuredImage: '/uploads/a/b.jpg?v=0f' }), post('1')], nextCursor: null });
  const { opened } = await refreshed();
  expect(await opened.locator('li img').first().getAttribute('src')).toContain('url=%2Fuploads%2Fa%2Fb.jpg%3Fv%3D0f');
  expect(await opened.locator('[data-built]').count()).toBe(1);
});

test('A post that came later stands first, and what was built stays as it is', async () => {
  page = listing('listed', ['2', '1']);
  const later = post('3', {
    title: 'Later <b>&',
    slug: 'später',
    excerpt: 'Why',
    publishedAt: '2026-03-04T07:30:00.000Z',
  });
  answer = () => ({ data: [later, post('2'), post('1')], nextCursor: null });
  const { opened, titles } = await refreshed();
  expect(await titles()).toEqual(['Later <b>&', 'Post 2', 'Post 1']);
  expect(await opened.locator('[data-built]').count()).toBe(2);
  const first = opened.locator('li').first();
  expect(await first.locator('time').textContent()).toBe('Mar 3, 2026');
  expect(await first.locator('time').getAttribute('datetime')).toBe('2026-03-04T07:30:00.000Z');
  expect(await first.locator('.post-picture').textContent()).toBe('3');
  expect(await first.locator('p').textContent()).toBe('Why');
  expect(await first.getByRole('link', { name: 'Read More: Later <b>&' }).getAttribute('href')).toBe(
    '/blog/sp%C3%A4ter',
  );
  expect(await first.locator('img').count()).toBe(0);
});

test('A post that was taken back or changed is gone or anew', async () => {
  page = listing('listed', ['3', '2', '1']);
  answer = () => ({
    data: [post('2', { title: 'Mended', updatedAt: '2026-04-01T00:00:00.000Z' }), post('1')],
    nextCursor: null,
  });
  const { titles } = await refreshed();
  expect(await titles()).toEqual(['Mended', 'Post 1']);
});

test('An older page ends where the next one begins', async () => {
  page = listing('listed', ['3'], 'data-cursor="c1" data-until="2026-03-02T12:00:00.000Z 2"');
  answer = (cursor) => ({ data: cursor === 'c1' ? [post('3'), post('2'), post('1')] : [], nextCursor: 'c9' });
  const { opened, touched } = await refreshed();
  expect(touched).toBe(0);
  expect(await opened.getByRole('button').isVisible()).toBe(false);
});

test('A list that was not built in is loaded, and goes on where it ends', async () => {
  page = listing('loading', [], 'aria-busy="true"');
  answer = (cursor) =>
    cursor === null ? { data: [post('3')], nextCursor: 'c1' } : { data: [post('2')], nextCursor: null };
  const { opened, titles, state } = await refreshed();
  expect(state).toBe('listed');
  expect(await opened.locator('[aria-busy]').count()).toBe(0);
  await opened.getByRole('button', { name: 'Show older posts' }).click();
  await opened.getByRole('heading', { name: 'Post 2' }).waitFor();
  expect(await titles()).toEqual(['Post 3', 'Post 2']);
  expect(await opened.getByRole('button').isVisible()).toBe(false);
});

test('Where there is no post any more, the page says so', async () => {
  page = listing('listed', ['1']);
  expect((await refreshed()).state).toBe('empty');
});

test('A failure leaves a built list alone, and is said where there is none', async () => {
  answer = () => 500;
  page = listing('listed', ['1']);
  expect((await refreshed()).touched).toBe(0);
  page = listing('loading', []);
  const { opened, state } = await refreshed();
  expect(state).toBe('loading');
  expect(await opened.getByRole('status').textContent()).toMatch(/could not be loaded/);
  expect(await opened.locator('ul').isVisible()).toBe(false);
  answer = () => ({ data: [post('1')], nextCursor: null });
  await opened.getByRole('button', { name: 'Try again' }).click();
  await opened.getByRole('heading', { name: 'Post 1' }).waitFor();
  const first = opened.getByRole('link', { name: 'Read More: Post 1' });
  await opened.waitForFunction((link) => link === document.activeElement, await first.elementHandle());
});

test('Older posts that do not come can be asked for again', async () => {
  page = listing('loading', []);
  answer = (cursor) => (cursor === null ? { data: [post('3')], nextCursor: 'c1' } : 500);
  const { opened, titles } = await refreshed();
  await opened.getByRole('button', { name: 'Show older posts' }).click();
  const again = opened.getByRole('button', { name: 'Not loaded: try again' });
  await again.waitFor();
  answer = () => ({ data: [post('2')], nextCursor: null });
  await again.click();
  await opened.getByRole('heading', { name: 'Post 2' }).waitFor();
  expect(await titles()).toEqual(['Post 3', 'Post 2']);
});
