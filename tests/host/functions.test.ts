import { get } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { takeLog } from '../support/console.ts';
import { type TestSite, testSite } from '../support/test-site.ts';

const described = `export default async (request, context) => Response.json({
  method: request.method, text: await request.text(), ip: context.ip, requestId: context.requestId,
  context: context.deploy.context, path: new URL(request.url).pathname, type: request.headers.get('content-type'),
});`;

let site: TestSite;
beforeAll(async () => {
  site = await testSite({
    files: {
      'dist/index.html': 'home',
      'dist/file.html': 'a file',
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
      'netlify/functions/texts.mjs': `const long = 'word '.repeat(2_000);
        const answers = {
          '/api/long': () => new Response(long, { headers: { 'content-type': 'text/plain', etag: '"words"' } }),
          '/api/short': () => new Response('word', { headers: { 'content-type': 'text/plain' } }),
          '/api/download': () => new Response(long, { headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="a.csv"' } }),
          '/api/bytes': () => new Response(long, { headers: { 'content-type': 'image/png' } }),
        };
        export default (request) => answers[new URL(request.url).pathname]();
        export const config = { path: Object.keys(answers) };`,
      'dist/.netlify/v1/functions/ssr/ssr.mjs': `export default async (request) => new Response('rendered ' + new URL(new Request(request).url).pathname);
        export const config = { path: '/rendered/:page', preferStatic: true, nodeBundler: 'none' };`,
      'dist/rendered/kept.html': 'prerendered',
    },
  });
});
afterAll(() => site.close());

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
  expect(await (await site.get('/rendered/kept')).text()).toBe('prerendered');
});

test('the build’s own function is mounted, and gets a Request that can be cloned', async () => {
  expect(await (await site.get('/rendered/fresh')).text()).toBe('rendered /rendered/fresh');
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
  expect(await (await site.get('/api/later')).text()).toBe('answered');
  await vi.waitFor(() => expect(takeLog().join()).toContain('failed afterwards'));
  expect((await site.get('/')).status).toBe(200);
});

test('a file that is not a function stops the start and is named', async () => {
  const wrong = testSite({ files: { 'netlify/functions/helper.mjs': 'export const help = 1;' } });
  await expect(wrong).rejects.toThrow(/helper\.mjs is not a function/);
});

describe('A function’s response', () => {
  const long = 'word '.repeat(2_000);
  const raw = (path: string, accept: string | null, more: Record<string, string> = {}) =>
    new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      const headers = { ...more, ...(accept !== null && { 'accept-encoding': accept }) };
      get(site.host.url + path, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      }).on('error', reject);
    });

  test.each([
    ['br', 'br, gzip', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const)(
    'is sent as %s if it is long text and the client accepts the encoding',
    async (encoding, accept, decompress) => {
      const { headers, body } = await raw('/api/long', accept);
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        vary: 'accept-encoding',
        etag: `"words-${encoding}"`,
      });
      expect(headers['content-length']).toBe(String(body.length));
      expect(decompress(body).toString()).toBe(long);
    },
  );

  test('is sent uncompressed, with its own ETag, to a client that accepts no encoding', async () => {
    const { headers, body } = await raw('/api/long', null);
    expect(headers).toMatchObject({ vary: 'accept-encoding', etag: '"words"' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.toString()).toBe(long);
  });

  test.each(['/api/short', '/api/download', '/api/bytes'])('does not change: %s', async (path) => {
    expect((await raw(path, 'br')).headers['content-encoding']).toBeUndefined();
  });
});
