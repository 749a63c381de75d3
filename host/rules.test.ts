import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestSite, testSite } from '../tests/support/test-site.ts';

const named = (name: string) =>
  `export default async (request) => Response.json({ name: '${name}', path: new URL(request.url).pathname }, { status: 404 });`;

let site: TestSite;
beforeAll(async () => {
  site = await testSite({
    files: {
      'dist/index.html': 'home',
      'dist/privacy.html': 'privacy',
      'dist/taken.html': 'a file of its own',
      'dist/hidden.html': 'a file behind a forced redirect',
      'dist/404.html': 'not found',
      'dist/gone.html': 'gone for good',
      'dist/_redirects': '/from-file/:id /privacy?id=:id 302\n',
      'dist/_headers': '/privacy\n  X-From: file\n  Link: </a.css>; rel=preload\n',
      'netlify/functions/unknown-address.mjs': named('unknown-address'),
      'netlify/functions/known.mjs': `${named('known')} export const config = { path: '/api/known' };`,
      '.netlify/v1/config.json': JSON.stringify({
        headers: [
          { for: '/privacy', values: { 'Content-Security-Policy': "default-src 'none'" } },
          { for: '/_astro/*', values: { 'Cache-Control': 'public, max-age=31536000, immutable' } },
        ],
      }),
      'netlify.toml': `
        [[headers]]
        for = "/*"
          [headers.values]
          X-Content-Type-Options = "nosniff"
          Content-Length = "1"
        [[headers]]
        for = "/privacy"
          [headers.values]
          X-From = "toml"
        [[redirects]]
        from = "/hidden"
        to = "/privacy"
        status = 301
        force = true
        [[redirects]]
        from = "/api/*"
        to = "/.netlify/functions/unknown-address"
        status = 200
        [[redirects]]
        from = "/privacy-policy"
        to = "/privacy"
        status = 200
        [[redirects]]
        from = "/taken"
        to = "/privacy"
        [[redirects]]
        from = "/news/*"
        to = "/blog/:splat"
        [[redirects]]
        from = "/was-here"
        to = "/gone"
        status = 404
      `,
    },
  });
});
afterAll(() => site.close());

test('headers come from _headers, the build and netlify.toml, and later ones take precedence', async () => {
  const { headers } = await site.get('/privacy');
  expect(headers.get('x-from')).toBe('toml');
  expect(headers.get('link')).toBe('</a.css>; rel=preload');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-length')).toBe('7');
});

test('the 404 page has its own headers at every address', async () => {
  for (const path of ['/nowhere', '/_astro/gone.abc.js']) {
    const { status, headers } = await site.get(path);
    expect(status).toBe(404);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  }
});

test('responses of functions get the security headers but no headers of the rules, as on Netlify', async () => {
  const { headers } = await site.get('/api/known');
  expect(headers.get('x-from')).toBeNull();
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('a rewrite shows another page at the address, with the headers of that page', async () => {
  const response = await site.get('/privacy-policy');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('privacy');
  expect(response.headers.get('x-from')).toBe('toml');
});

test('a rewrite calls a function, which sees the requested address', async () => {
  const response = await site.get('/api/some/where?x=1', { method: 'DELETE' });
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ name: 'unknown-address', path: '/api/some/where' });
});

test('a function for a path takes precedence over a rewrite', async () => {
  expect(await (await site.get('/api/known')).json()).toMatchObject({ name: 'known' });
});

test('a file takes precedence over a redirect, unless the redirect is forced', async () => {
  expect(await (await site.get('/taken')).text()).toBe('a file of its own');
  expect((await site.get('/hidden')).headers.get('location')).toBe('/privacy');
});

test('parameters of the path and the query are passed on', async () => {
  const splat = await site.get('/news/2026/a-post?page=2');
  expect(splat.status).toBe(301);
  expect(splat.headers.get('location')).toBe('/blog/2026/a-post?page=2');
  const placeholder = await site.get('/from-file/42');
  expect(placeholder.status).toBe(302);
  expect(placeholder.headers.get('location')).toBe('/privacy?id=42');
});

test('a page can be shown with status 404', async () => {
  const response = await site.get('/was-here');
  expect(response.status).toBe(404);
  expect(await response.text()).toBe('gone for good');
});

test('an invalid rule stops the start, and the error names it', async () => {
  const wrong = testSite({ files: { 'netlify.toml': '[[redirects]]\nfrom = "/a"\n' } });
  await expect(wrong).rejects.toThrow(/"to" field/);
  const proxy = testSite({ files: { 'dist/_redirects': '/a/* https://example.com/:splat 200\n' } });
  await expect(proxy).rejects.toThrow(/leads to another host/);
});
