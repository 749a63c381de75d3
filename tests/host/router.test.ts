import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestSite, testSite } from '../support/test-site.ts';

const rendered = `let times = 0;
  export default async (request) => new Response('rendering ' + (times += 1) + ' of ' + new URL(request.url).search, {
    headers: { 'netlify-cdn-cache-control': 'public, max-age=60', 'netlify-cache-tag': 'posts', etag: '"rendering"' },
  });
  export const config = { path: ['/rss.xml', '/contact/sent', '/blog/:slug'] };`;

let site: TestSite;
beforeAll(async () => {
  site = await testSite({
    files: {
      'dist/404.html': 'not found',
      'dist/contact.html': 'contact',
      'dist/.netlify/v1/functions/ssr/ssr.mjs': rendered,
      'netlify/functions/plain.mjs': `export default async () => Response.json({}); export const config = { path: '/api/plain' };`,
    },
  });
});
afterAll(() => site.close());

const text = async (path: string, init?: RequestInit) => await (await site.get(path, init)).text();

test('a thousand undeclared query parameters cause one rendering', async () => {
  const answers = new Set<string>();
  for (let n = 0; n < 100; n += 1) answers.add(await text(`/rss.xml?x=${n}&utm_source=${n}`));
  expect(answers).toEqual(new Set(['rendering 1 of ']));
});

test('a page gets only the query parameters that it declares, and the last value of a repeated parameter', async () => {
  const answers = new Set<string>();
  for (const query of ['reference=a', 'reference=a&x=1', 'y=2&reference=a', 'reference=b&reference=a']) {
    answers.add(await text(`/contact/sent?${query}`));
  }
  expect([...answers]).toEqual([expect.stringMatching(/^rendering \d+ of \?reference=a$/)]);
});

test('a conditional request or a HEAD request does not affect the responses to others', async () => {
  const first = await site.get('/blog/one', { headers: { 'if-none-match': '*' } });
  expect(first.status).toBe(304);
  const head = await site.get('/blog/one', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const kept = await text('/blog/one');
  expect(await text('/blog/one')).toBe(kept);
});

test('an invalid escape returns not found, without a log line', async () => {
  for (const path of ['/blog/%ff', '/%E0%A4%A', '/blog/a%00b', '/api/plain/%c0%af']) {
    const response = await site.get(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  }
});

test('more requests than an office sends are refused, for pages and other paths, and the API still answers', async () => {
  // Requests by node:http take a third of the time of requests by fetch.
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const ask = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request({ port: site.port, method: 'HEAD', path, agent }, (answer) => {
        answer.resume().once('end', () => resolve(answer));
      })
        .once('error', reject)
        .end();
    });
  let refused: IncomingMessage | undefined;
  for (let sent = 0; !refused && sent < 6_100; sent += 100) {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => ask(n % 2 ? '/contact' : `/nowhere/${n}`)));
    refused = answers.find(({ statusCode }) => statusCode === 429);
  }
  agent.destroy();
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused?.headers['x-frame-options']).toBe('DENY');
  expect((await site.get('/api/plain')).status).toBe(200);
}, 60_000);
