import { expect, test } from 'vitest';
import { responseCache } from './response-cache.ts';

const request = (headers: Record<string, string> = {}) => new Request('http://localhost/api/post', { headers });
const keepable = { 'netlify-cdn-cache-control': 'public, durable, max-age=60', 'netlify-cache-tag': 'posts, post-1' };

/** A function that counts how often it was asked. */
function counted(headers: Record<string, string>, status = 200) {
  const asked = { times: 0, ask: async () => new Response(`answer ${(asked.times += 1)}`, { status, headers }) };
  return asked;
}

test('an answer that may be kept is made once, until one of its tags is purged', async () => {
  const cache = responseCache();
  const post = counted(keepable);
  const read = async () => await (await cache.answer('/api/post', request(), post.ask)).text();
  expect([await read(), await read()]).toEqual(['answer 1', 'answer 1']);
  cache.purge(['other']);
  expect(await read()).toBe('answer 1');
  cache.purge(['post-1']);
  expect(await read()).toBe('answer 2');
});

test('each query is an answer of its own', async () => {
  const cache = responseCache();
  const post = counted(keepable);
  await cache.answer('/api/posts?cursor=a', request(), post.ask);
  await cache.answer('/api/posts?cursor=b', request(), post.ask);
  expect(post.times).toBe(2);
});

test.each([
  ['what is private', { ...keepable, 'netlify-cdn-cache-control': 'private, no-store' }, 200],
  ['what says nothing', {}, 200],
  ['what sets a cookie', { ...keepable, 'set-cookie': 'a=b' }, 200],
  ['a fault', keepable, 500],
])('%s is not kept', async (_, headers: Record<string, string>, status) => {
  const cache = responseCache();
  const post = counted(headers, status);
  await cache.answer('/api/post', request(), post.ask);
  await cache.answer('/api/post', request(), post.ask);
  expect(post.times).toBe(2);
});

test('an answer that was being made while its text changed is given, but not kept', async () => {
  const cache = responseCache();
  const post = counted(keepable);
  await cache.answer('/api/post', request(), async () => {
    const response = await post.ask();
    cache.purge(['posts']);
    return response;
  });
  expect(await (await cache.answer('/api/post', request(), post.ask)).text()).toBe('answer 2');
});

test('a browser that has the kept answer is told so', async () => {
  const cache = responseCache();
  const post = counted({ ...keepable, etag: '"a"' });
  await cache.answer('/api/post', request(), post.ask);
  const again = await cache.answer('/api/post', request({ 'if-none-match': '"a"' }), post.ask);
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
});

test('no answer carries the request id of another', async () => {
  const cache = responseCache();
  const post = counted({ ...keepable, 'x-request-id': 'first' });
  await cache.answer('/api/post', request(), post.ask);
  expect((await cache.answer('/api/post', request(), post.ask)).headers.get('x-request-id')).toBeNull();
});

test('who asks for a part of a file gets it from the function', async () => {
  const cache = responseCache();
  const file = counted(keepable);
  await cache.answer('/uploads/a', request(), file.ask);
  await cache.answer('/uploads/a', request({ range: 'bytes=0-1' }), file.ask);
  expect(file.times).toBe(2);
});
