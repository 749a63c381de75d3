import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { responseCache } from '../../../host/http/cache.ts';

const request = (headers: Record<string, string> = {}) => new Request('http://localhost/api/post', { headers });
const keepable = { 'netlify-cdn-cache-control': 'public, durable, max-age=60', 'netlify-cache-tag': 'posts, post-1' };

/** Returns a function that generates responses, and the number of its calls. */
function counted(headers: Record<string, string>, status = 200) {
  const asked = { times: 0, ask: async () => new Response(`answer ${(asked.times += 1)}`, { status, headers }) };
  return asked;
}

test('a cacheable response is generated once, until one of its tags is purged', async () => {
  const cache = responseCache();
  const post = counted(keepable);
  const read = async () => await (await cache.answer('/api/post', request(), post.ask)).text();
  expect([await read(), await read()]).toEqual(['answer 1', 'answer 1']);
  cache.purge(['other']);
  expect(await read()).toBe('answer 1');
  cache.purge(['post-1']);
  expect(await read()).toBe('answer 2');
});

test.each(['text/html; charset=utf-8', 'image/svg+xml'])(
  'a long text that is cached is generated and compressed once, for the clients that accept it, and each form has its own ETag: %s',
  async (type) => {
    const cache = responseCache();
    const text = 'landed cost '.repeat(200);
    const headers = { ...keepable, 'content-type': type, etag: '"words"' };
    let generated = 0;
    const ask = async () => {
      generated += 1;
      return new Response(text, { headers });
    };
    const read = async (encoding: string) => {
      const response = await cache.answer('/blog', request({ 'accept-encoding': encoding }), ask);
      expect(response.headers.get('vary')).toBe('accept-encoding');
      return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const small = await read('gzip, deflate, br, zstd');
    expect(gunzipSync(small.bytes).toString()).toBe(text);
    expect([small.headers.get('content-encoding'), small.headers.get('etag')]).toEqual(['gzip', '"words-gzip"']);
    const plain = await read('identity');
    expect(plain.bytes.toString()).toBe(text);
    expect([plain.headers.get('content-encoding'), plain.headers.get('etag')]).toEqual([null, '"words"']);
    expect(generated).toBe(1);
  },
);

test.each([
  ['a short text', 'text/html', 'landed cost'],
  ['a picture', 'image/png', 'landed cost '.repeat(200)],
])('%s that is cached is not compressed', async (_, type, content) => {
  const ask = async () => new Response(content, { headers: { ...keepable, 'content-type': type } });
  const response = await responseCache().answer('/blog', request({ 'accept-encoding': 'gzip' }), ask);
  expect([response.headers.get('content-encoding'), await response.text()]).toEqual([null, content]);
});

test('a text that is too large to cache is sent while it is read, and not compressed', async () => {
  const size = 3 * 1024 * 1024;
  let read = 0;
  const source = new ReadableStream({
    pull(controller) {
      read += 64 * 1024;
      controller.enqueue(new Uint8Array(64 * 1024));
      if (read === size) controller.close();
    },
  });
  const headers = { ...keepable, 'content-type': 'text/plain', 'content-length': String(size) };
  const ask = async () => new Response(source, { headers });
  const response = await responseCache().answer('/notes.txt', request({ 'accept-encoding': 'gzip' }), ask);
  expect([response.headers.get('content-encoding'), read < size]).toEqual([null, true]);
  expect((await response.arrayBuffer()).byteLength).toBe(size);
});

test.each([
  ['a private response', { ...keepable, 'netlify-cdn-cache-control': 'private, no-store' }, 200],
  ['a response without cache headers', {}, 200],
  ['a response that sets a cookie', { ...keepable, 'set-cookie': 'a=b' }, 200],
  ['an error', keepable, 500],
  ['the page for an unknown address', keepable, 404],
])('%s is not cached', async (_, headers: Record<string, string>, status) => {
  const cache = responseCache();
  const post = counted(headers, status);
  await cache.answer('/api/post', request(), post.ask);
  await cache.answer('/api/post', request(), post.ask);
  expect(post.times).toBe(2);
});

test('no response has the request id of another request', async () => {
  const cache = responseCache();
  const post = counted({ ...keepable, 'x-request-id': 'first' });
  await cache.answer('/api/post', request(), post.ask);
  expect((await cache.answer('/api/post', request(), post.ask)).headers.get('x-request-id')).toBeNull();
});

test('a range request goes to the function', async () => {
  const cache = responseCache();
  const file = counted(keepable);
  await cache.answer('/uploads/a', request(), file.ask);
  await cache.answer('/uploads/a', request({ range: 'bytes=0-1' }), file.ask);
  expect(file.times).toBe(2);
});

test('a request after a purge gets no response that was started before the purge', async () => {
  const cache = responseCache();
  const post = counted(keepable);
  const held = Promise.withResolvers<void>();
  const before = cache.answer('/api/post', request(), async () => {
    const response = await post.ask();
    await held.promise;
    return response;
  });
  cache.purge(['posts']);
  const after = await cache.answer('/api/post', request(), post.ask);
  held.resolve();
  expect([await (await before).text(), await after.text()]).toEqual(['answer 1', 'answer 2']);
  expect(await (await cache.answer('/api/post', request(), post.ask)).text()).toBe('answer 2');
});

test.each([
  ['a page', keepable, 1],
  ['the page for a database that is down', { 'cache-control': 'no-store' }, 1],
  ['a private page', { 'cache-control': 'private, no-store' }, 10],
])('of a crowd that requests %s at the same time, each visitor gets a response', async (_, headers, renderings) => {
  const cache = responseCache();
  const page = counted(headers);
  const crowd = Array.from({ length: 10 }, () => cache.answer('/blog', request(), page.ask, true));
  const texts = await Promise.all(crowd.map(async (answer) => await (await answer).text()));
  expect([new Set(texts).size, page.times]).toEqual([renderings, renderings]);
});

test('beyond the limit of memory, the responses that were requested last stay', async () => {
  const cache = responseCache(64_000);
  const asked: string[] = [];
  const ask = async (path: string) =>
    await cache.answer(path, request(), async () => {
      asked.push(path);
      return new Response(new Uint8Array(1_900), { headers: { ...keepable, 'content-type': 'image/webp' } });
    });
  for (let n = 0; n < 20; n += 1) await ask(`/${n}`);
  for (const path of ['/19', '/0']) await ask(path);
  expect(asked.slice(20)).toEqual(['/0']);
});
