import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { takeLog } from '../../support/console.ts';
import { type TestSite, testSite } from '../../support/api/test-site.ts';
import { type Answer, ask } from '../../support/host/ask.ts';

const described = `export default async (request, context) => Response.json({
  method: request.method, text: await request.text(), ip: context.ip, requestId: context.requestId,
  context: context.deploy.context, path: new URL(request.url).pathname, type: request.headers.get('content-type'),
});`;

let site: TestSite;
beforeAll(async () => {
  site = await testSite({
    files: {
      'dist/index.html': 'home',
      'netlify/functions/items.ts': `import type { Config, Context } from '@netlify/functions';
        ${described.replace('(request, context)', '(request: Request, context: Context)')}
        export const config: Config = { path: ['/api/items', '/api/items/:id', '/api/items/:id/parts/:part'] };`,
      'netlify/functions/posted.mjs': `${described} export const config = { path: '/api/posted' };`,
      'netlify/functions/throws.mjs': `export default async () => { throw new Error('a secret detail'); };
        export const config = { path: '/api/throws' };`,
      'netlify/functions/nothing.mjs': `export default async () => undefined; export const config = { path: '/api/nothing' };`,
      'netlify/functions/later.mjs': `export default async (request, context) => {
        context.waitUntil(Promise.reject(new Error('failed afterwards')));
        return new Response('answered');
      };
      export const config = { path: '/api/later' };`,
      'dist/.netlify/v1/functions/ssr/ssr.mjs': `let times = 0;
        export default async (request) => {
          const { pathname, search } = new URL(new Request(request).url);
          const headers = { 'netlify-cdn-cache-control': 'public, max-age=60', 'netlify-cache-tag': 'posts', etag: '"rendering"' };
          return new Response('rendering ' + (times += 1) + ' of ' + pathname + search, { headers });
        };
        export const config = { path: ['/rss.xml', '/contact/sent', '/blog/:slug'], preferStatic: true, nodeBundler: 'none' };`,
      'dist/blog/kept.html': 'prerendered',
      'dist/404.html': 'not found',
      'dist/contact.html': 'contact',
    },
  });
});
afterAll(() => site.close());

const text = async (path: string, init?: RequestInit) => await (await site.get(path, init)).text();

test('a function handles its paths, and an unknown path of the API returns a JSON error', async () => {
  for (const path of ['/api/items', '/api/items/a%20b/parts/7']) {
    expect(await (await site.get(path, { method: 'DELETE' })).json()).toMatchObject({ method: 'DELETE', path });
  }
  for (const path of ['/api', '/api/unknown/path']) {
    const unknown = await site.get(path);
    expect([unknown.status, await unknown.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
  }
  expect((await site.get('/.netlify/functions/items')).status).toBe(404);
});

test('another spelling of a path redirects to the path of the function', async () => {
  for (const [path, location] of [
    ['/API/Items/', '/api/items'],
    ['//api/items', '/api/items'],
    ['/api/%69tems?x=1', '/api/items?x=1'],
    ['/Api/Items/AbC/', '/api/items/AbC'],
  ]) {
    const response = await site.get(path ?? '');
    expect([response.status, response.headers.get('location')]).toEqual([301, location]);
  }
  const posted = await site.get('/API/posted', { method: 'POST', body: 'x' });
  expect([posted.status, posted.headers.get('location')]).toEqual([308, '/api/posted']);
  expect(await (await site.get('/api/items/AbC')).json()).toMatchObject({ path: '/api/items/AbC' });
});

test('a body arrives unchanged', async () => {
  const response = await site.get('/api/posted', {
    method: 'POST',
    body: 'naïve ✓',
    headers: { 'content-type': 'text/plain' },
  });
  expect(await response.json()).toMatchObject({ method: 'POST', text: 'naïve ✓', type: 'text/plain' });
  const empty = await site.get('/api/posted', { method: 'POST' });
  expect(await empty.json()).toMatchObject({ method: 'POST', text: '' });
});

test('a file takes precedence over a page that is rendered on request', async () => {
  expect(await text('/blog/kept')).toBe('prerendered');
});

test('every response has its request id, and the function can read it', async () => {
  const response = await site.get('/api/items');
  const id = response.headers.get('x-request-id');
  expect(id).toMatch(/^[\w-]{12}$/);
  expect(await response.json()).toMatchObject({ requestId: id, ip: '127.0.0.1', context: 'dev' });
  expect((await site.get('/')).headers.get('x-request-id')).toMatch(/^[\w-]{12}$/);
});

test.each(['/api/throws', '/api/nothing'])(
  'an error at %s is logged and returns a plain 500 with its id',
  async (path) => {
    const response = await site.get(path);
    expect(response.status).toBe(500);
    const body = await response.json();
    expect(body).toMatchObject({ code: 'internal', requestId: response.headers.get('x-request-id') });
    expect(JSON.stringify(body)).not.toMatch(/secret|functions|at /);
    expect(takeLog().join()).toContain(body.requestId);
  },
);

test('an error in work after the response is logged and has no other effect', async () => {
  expect(await text('/api/later')).toBe('answered');
  await expect.poll(() => takeLog().join()).toContain('failed afterwards');
  expect((await site.get('/')).status).toBe(200);
});

test('a file that is not a function stops the start and is named', async () => {
  const wrong = testSite({ files: { 'netlify/functions/helper.mjs': 'export const help = 1;' } });
  await expect(wrong).rejects.toThrow(/helper\.mjs is not a function/);
});

test('a hundred requests with different query parameters that the page does not declare cause one rendering', async () => {
  const answers = new Set<string>();
  for (let n = 0; n < 100; n += 1) answers.add(await text(`/rss.xml?x=${n}&utm_source=${n}`));
  expect([...answers]).toEqual([expect.stringMatching(/^rendering \d+ of \/rss\.xml$/)]);
});

test('a page gets only the query parameters that it declares, and the last value of a repeated parameter', async () => {
  const answers = new Set<string>();
  for (const query of ['reference=a', 'reference=a&x=1', 'y=2&reference=a', 'reference=b&reference=a']) {
    answers.add(await text(`/contact/sent?${query}`));
  }
  expect([...answers]).toEqual([expect.stringMatching(/^rendering \d+ of \/contact\/sent\?reference=a$/)]);
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
  for (const path of ['/blog/%ff', '/%E0%A4%A', '/blog/a%00b', '/api/items/%c0%af']) {
    const response = await site.get(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  }
});

test('more requests than an office sends are refused, for pages and other paths; the API and another visitor still get answers', async () => {
  // The clock of the limits stops, because a slow machine sends fewer requests in a minute than the limit.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const head = (path: string, localAddress = '127.0.0.8') =>
    ask({ port: site.port, method: 'HEAD', path, agent, localAddress });
  let refused: Answer | undefined;
  for (let sent = 0; !refused && sent < 6_100; sent += 100) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => head(n % 2 ? '/contact' : `/nowhere/${n}`)),
    );
    refused = answers.find(({ status }) => status === 429);
  }
  expect((await head('/contact', '127.0.0.9')).status).toBe(200);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused?.headers['x-frame-options']).toBe('DENY');
  expect((await head('/api/items')).status).toBe(200);
  agent.destroy();
});
