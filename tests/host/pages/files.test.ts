import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestSite, testSite } from '../../support/api/test-site.ts';
import { ask as send } from '../../support/host/ask.ts';

const page = '<!doctype html><title>Contact</title><p>Write to us.</p>';
const script = 'console.log("hashed");'.repeat(50);
const large = Buffer.from(Array.from({ length: 3 * 1024 * 1024 }, (_, index) => index % 251));

let site: TestSite;
beforeAll(async () => {
  site = await testSite({
    files: {
      'dist/index.html': '<!doctype html><title>Home</title>',
      'dist/contact.html': page,
      'dist/contact.html.br': brotliCompressSync(page),
      'dist/contact.html.gz': gzipSync(page),
      'dist/services/index.html': '<!doctype html><title>Services</title>',
      'dist/service-not-found.html': '<!doctype html><h1>Service Not Found</h1>',
      'dist/404.html': '<!doctype html><h1>404 Page Not Found</h1>',
      'dist/_astro/app.abc123.js': script,
      'dist/video.mp4': large,
      'dist/with space.txt': 'spaced',
      'dist/notes/one.md': '# One',
      'dist/_redirects': '# A page that moved\n/old /contact 301\n',
      'dist/.env': 'SECRET=1',
      'dist/.well-known/security.txt': 'Contact: mailto:hello@example.com',
      'secret.txt': 'outside',
      'dist/.netlify/v1/config.json': JSON.stringify({
        headers: [
          { for: '/_astro/*', values: { 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Kind': 'built' } },
          { for: '/contact', values: { 'X-Kind': 'page', Link: '</a.css>; rel=preload' } },
          { for: '/notes/*.md', values: { 'Content-Type': 'text/markdown; charset=utf-8' } },
          { for: '/_astro/*', values: { 'X-Kind': 'hashed' } },
        ],
      }),
    },
  });
});
afterAll(() => site.close());

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  send({ port: site.port, path, headers, method });

test('a rule about a type of file does not change the page for unknown addresses', async () => {
  expect((await site.get('/notes/one.md')).headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  const missing = await site.get('/notes/none.md');
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

test('a file has the headers of the rules for its path, and a later rule replaces an earlier one', async () => {
  const page = await site.get('/contact');
  expect([page.headers.get('x-kind'), page.headers.get('link')]).toEqual(['page', '</a.css>; rel=preload']);
  const script = await site.get('/_astro/app.abc123.js');
  expect(script.headers.get('x-kind')).toBe('hashed');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await site.get('/')).headers.get('x-kind')).toBeNull();
  expect((await site.get('/_astro/gone.abc.js')).headers.get('cache-control')).toBe(
    'public, max-age=0, must-revalidate',
  );
});

test('the former address of a page redirects to the page and keeps the query', async () => {
  const response = await site.get('/old?from=mail');
  expect([response.status, response.headers.get('location')]).toEqual([301, '/contact?from=mail']);
  const wrong = testSite({ files: { 'dist/_redirects': '/a/* https://example.com/:splat 200\n' } });
  await expect(wrong).rejects.toThrow(/not "\/a\/\* https/);
});

describe('page addresses', () => {
  test('a page is served without its extension, from a file or a folder', async () => {
    expect(await (await site.get('/contact')).text()).toBe(page);
    expect(await (await site.get('/services')).text()).toContain('Services');
    expect(await (await site.get('/')).text()).toContain('Home');
  });

  test('an unknown address returns 404 with its page', async () => {
    const response = await site.get('/nowhere');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain('404 Page Not Found');
    expect(response.headers.get('etag')).toBeNull();
  });

  test('an unknown service has its own page, and a longer path has the usual page', async () => {
    const service = await site.get('/services/nowhere');
    expect([service.status, await service.text()]).toEqual([404, expect.stringContaining('Service Not Found')]);
    const longer = await site.get('/services/nowhere/else');
    expect([longer.status, await longer.text()]).toEqual([404, expect.stringContaining('404 Page Not Found')]);
  });

  test('an encoded address finds its file, and an invalid encoding returns not found', async () => {
    expect((await ask('/with%20space.txt')).body.toString()).toBe('spaced');
    expect((await ask('/%E0%A4%A')).status).toBe(404);
  });

  test('methods other than GET and HEAD are refused with the allowed methods', async () => {
    const response = await site.get('/contact', { method: 'POST', body: 'x=1' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
  });
});

describe('files that are never served', () => {
  test.each([
    ...['/.env', '/_redirects', '/contact.html.br', '/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt'],
    ...['/_astro/..%5c..%5csecret.txt', '/_astro/%00', '/.netlify/v1/config.json'],
  ])('%s', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  test('but .well-known is served', async () => {
    expect((await ask('/.well-known/security.txt')).body.toString()).toContain('mailto:');
  });
});

test('every spelling of a path leads to the page with its query, and no other response has the policy of the page', async () => {
  const contact = ['//contact', '/contact/', '/%63ontact', '/contact.html', '/CONTACT', '/con%74act.html'];
  for (const path of [...contact, '/services/']) {
    const { status, headers } = await ask(`${path}?a=1`);
    const page = path === '/services/' ? '/services' : '/contact';
    expect([path, status, headers['location']]).toEqual([path, 301, `${page}?a=1`]);
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
  }
});

test.each([
  '//evil.example',
  '//evil.example/..',
  '/\\evil.example',
  '/%5cevil.example',
  '/%2fevil.example/',
  '//evil.example/contact.html',
  '/contact/..//evil.example/',
  '/.//evil.example',
  '///evil.example/..//',
  '/a%0d%0alocation:%20//evil.example',
])('%s does not redirect to another site', async (path) => {
  const { status, headers } = await ask(path);
  expect([301, 404]).toContain(status);
  const location = headers['location'];
  if (typeof location === 'string') expect(new URL(location, 'https://site.test').origin).toBe('https://site.test');
});

describe('compression', () => {
  test('brotli is used if the client accepts it, then gzip, then the file itself', async () => {
    const brotli = await ask('/contact', { 'accept-encoding': 'gzip, deflate, br' });
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(brotli.body).toEqual(brotliCompressSync(page));

    const gzip = await ask('/contact', { 'accept-encoding': 'gzip;q=0.5, br;q=0' });
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'text/html; charset=utf-8' });

    const plain = await ask('/contact', { 'accept-encoding': 'identity' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body.toString()).toBe(page);
  });

  test('every form of a file has a different strong ETag', async () => {
    const etags = await Promise.all(
      ['br', 'gzip', 'identity'].map(
        async (encoding) => (await ask('/contact', { 'accept-encoding': encoding })).headers['etag'],
      ),
    );
    expect(new Set(etags).size).toBe(3);
    for (const etag of etags) expect(etag).toMatch(/^"[\w-]+"$/);
  });
});

describe('validators', () => {
  test('an unchanged file returns 304 without a body', async () => {
    const etag = String((await ask('/contact')).headers['etag']);
    for (const value of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const response = await ask('/contact', { 'if-none-match': value });
      expect(response.status).toBe(304);
      expect(response.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=0, must-revalidate' });
      expect(response.body).toHaveLength(0);
    }
    expect((await ask('/contact', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const response = await ask('/contact', {}, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers['content-length']).toBe(String(page.length));
    expect(response.body).toHaveLength(0);
  });
});

describe('ranges', () => {
  test('a range can be in the middle, at the beginning or at the end', async () => {
    const middle = await ask('/video.mp4', { range: 'bytes=1000000-1000009' });
    expect(middle.status).toBe(206);
    expect(middle.headers).toMatchObject({
      'content-range': `bytes 1000000-1000009/${large.length}`,
      'content-length': '10',
      'content-type': 'video/mp4',
    });
    expect(middle.body).toEqual(large.subarray(1_000_000, 1_000_010));
    expect((await ask('/contact', { range: 'bytes=-5' })).body.toString()).toBe(page.slice(-5));
    expect((await ask('/contact', { range: 'bytes=10-' })).body.toString()).toBe(page.slice(10));
  });

  test('a range that does not exist gets 416 with the size', async () => {
    const response = await ask('/video.mp4', { range: 'bytes=99999999-' });
    expect(response.status).toBe(416);
    expect(response.headers['content-range']).toBe(`bytes */${large.length}`);
  });

  test('a range of another version returns the whole file', async () => {
    const etag = String((await ask('/video.mp4', {}, 'HEAD')).headers['etag']);
    expect((await ask('/video.mp4', { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await ask('/video.mp4', { range: 'bytes=0-1', 'if-range': '"older"' })).status).toBe(200);
  });

  test('a large file arrives complete', async () => {
    expect((await ask('/video.mp4')).body.equals(large)).toBe(true);
  });
});
