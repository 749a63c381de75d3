import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { securityHeaders } from '../../../src/domain/site/security-headers.ts';
import { talk as talkTo } from '../../support/host/talk.ts';
import { type TestSite, testSite } from '../../support/api/test-site.ts';

const functions = {
  'netlify/functions/size.mjs': `export default async (request) => Response.json({ bytes: (await request.arrayBuffer()).byteLength });
    export const config = { path: '/api/size' };`,
  'netlify/functions/limited.mjs': `export default async () => new Response('fine');
    export const config = { path: '/api/limited', rateLimit: { windowLimit: 1, windowSize: 60, aggregateBy: ['ip', 'domain'] } };`,
  'netlify/functions/early.mjs': `const early = async (request) => { void request.body; return new Response('refused early', { status: 413 }); };
    export default Object.assign(early, { routes: [] });
    export const config = { path: '/api/early' };`,
  'netlify/functions/slow.mjs': `export default async (request, context) => {
      const { promise, resolve } = Promise.withResolvers();
      globalThis.finish = resolve;
      const later = promise.then(() => new Promise((done) => setTimeout(done, 50)));
      context.waitUntil(later.then(() => { globalThis.leftBehind = true; }));
      await promise;
      return new Response('finished');
    };
    export const config = { path: '/api/slow' };`,
  'netlify/functions/endless.mjs': `export default async (request) => {
      const state = (globalThis.endless = { pulled: 0, cancelled: false, aborted: false });
      request.signal.addEventListener('abort', () => { state.aborted = true; });
      const chunk = new Uint8Array(64 * 1024);
      return new Response(new ReadableStream({
        pull(controller) { state.pulled += chunk.length; controller.enqueue(chunk); },
        cancel() { state.cancelled = true; },
      }));
    };
    export const config = { path: '/api/endless' };`,
};

const files = { 'dist/index.html': 'home', ...functions };
let site: TestSite;
beforeAll(async () => {
  site = await testSite({ files });
});
afterAll(() => site.close());

const talk = (port = site.port) => talkTo(port);

const post = (headers: string) => `POST /api/size HTTP/1.1\r\nHost: site.test\r\n${headers}\r\n\r\n`;
const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
const text = 6 * 1024 * 1024;
const binary = (text / 4) * 3;

describe('bodies up to the limit of production', () => {
  test.each([
    ['application/json', text],
    ['application/x-www-form-urlencoded', text],
    ['application/octet-stream', binary],
    ['multipart/form-data; boundary=x', binary],
  ])('%s: %i bytes are accepted, one more byte is refused', async (type, limit) => {
    const send = (bytes: number) =>
      site.get('/api/size', { method: 'POST', body: new Uint8Array(bytes), headers: { 'content-type': type } });
    expect(await (await send(limit)).json()).toEqual({ bytes: limit });
    const refused = await send(limit + 1);
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ code: 'too_large', requestId: refused.headers.get('x-request-id') });
  });

  test('a refusal can be read after the client sent everything, and the connection stays usable', async () => {
    const { socket, until, clean } = talk();
    const size = 12 * 1024 * 1024;
    socket.write(post(`Content-Type: application/json\r\nContent-Length: ${size}`));
    for (let sent = 0; sent < size; sent += 1024 * 1024) {
      if (!socket.write(Buffer.alloc(1024 * 1024, 32))) await new Promise((resolve) => socket.once('drain', resolve));
    }
    expect(await until('requestId')).toContain('HTTP/1.1 413');
    socket.write('GET / HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n');
    expect(await until()).toMatch(/home$/);
    expect(clean()).toBe(true);
  });

  test('a connection stays usable after a function refused a request without reading its body', async () => {
    const { socket, until } = talk();
    socket.write(`POST /api/early HTTP/1.1\r\nHost: site.test\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`);
    await until('refused early');
    socket.write('GET / HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n');
    expect(await until()).toMatch(/home$/);
  });

  test('a body of unknown length is refused as soon as it is too large, and the client can read the refusal', async () => {
    const { socket, until, clean } = talk();
    socket.write(post('Content-Type: text/plain\r\nTransfer-Encoding: chunked'));
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024, 97), Buffer.from('\r\n')]);
    for (let count = 0; count < 8; count += 1) socket.write(chunk);
    socket.write('0\r\n\r\n');
    expect(bodyOf(await until('}'))).toMatchObject({ code: 'too_large' });
    expect(clean()).toBe(true);
    socket.destroy();
  });
});

describe('invalid requests', () => {
  test('an unknown expectation is ignored', async () => {
    const { socket, until } = talk();
    socket.write('GET / HTTP/1.1\r\nHost: site.test\r\nExpect: nope\r\nConnection: close\r\n\r\n');
    expect(await until()).toMatch(/^HTTP\/1\.1 200[\s\S]*home$/);
  });

  test('a body that never ends gets 408, and the function is never called', async () => {
    const impatient = await testSite({ files, limits: { headersMs: 800, requestMs: 1_600 } });
    const { socket, until } = talk(impatient.port);
    socket.write(post('Content-Type: text/plain\r\nTransfer-Encoding: chunked'));
    const trickle = setInterval(() => socket.write('1\r\na\r\n'), 100);
    socket.once('end', () => clearInterval(trickle));
    const answer = await until();
    clearInterval(trickle);
    expect(answer).toMatch(/^HTTP\/1\.1 408/);
    await impatient.close();
  });

  test('a client that disconnects in the middle of its body does not affect the server', async () => {
    const { socket, until } = talk();
    socket.write(post('Content-Type: text/plain\r\nContent-Length: 100\r\nExpect: 100-continue'));
    await until('100 Continue');
    socket.resetAndDestroy();
    expect((await site.get('/')).status).toBe(200);
  });
});

const state = () => (globalThis as { endless?: { pulled: number; cancelled: boolean; aborted: boolean } }).endless;

test('streamed responses wait for a slow reader, and end when the reader disconnects', async () => {
  const { socket, until } = talk();
  socket.write('GET /api/endless HTTP/1.1\r\nHost: site.test\r\n\r\n');
  await until('200');
  socket.pause();
  for (let visit = 0; visit < 20; visit += 1) await site.get('/');
  expect(state()?.pulled).toBeLessThan(64 * 1024 * 1024);
  expect(state()?.cancelled).toBe(false);
  socket.destroy();
  await expect.poll(state).toMatchObject({ cancelled: true, aborted: true });
  expect((await site.get('/')).status).toBe(200);
});

test('the server finishes running requests and their remaining work when it stops, and accepts no new requests', async () => {
  const shared = globalThis as { finish?: () => void; leftBehind?: boolean };
  const stopping = await testSite({ files });
  const idle = talk(stopping.port);
  idle.socket.write('GET / HTTP/1.1\r\nHost: site.test\r\n\r\n');
  await idle.until('home');
  const running = talk(stopping.port);
  running.socket.write('GET /api/slow HTTP/1.1\r\nHost: site.test\r\n\r\n');
  await expect.poll(() => shared.finish).toBeDefined();
  const closed = stopping.stop();
  await expect.poll(() => stopping.get('/').catch(() => 'refused')).toBe('refused');
  shared.finish?.();
  const answer = await running.until();
  expect(answer).toMatch(/connection: close/i);
  expect(answer).toContain('finished');
  await closed;
  expect(shared.leftBehind).toBe(true);
  await stopping.close();
});

describe('A refusal outside of functions', () => {
  let strict: TestSite;
  let busy: TestSite;
  beforeAll(async () => {
    strict = await testSite({ files, limits: { headersMs: 600 } });
    busy = await testSite({ files: {}, limits: { requests: 0 } });
  });
  afterAll(async () => void (await Promise.all([strict.close(), busy.close()])));

  const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: site.test\r\n${headers}\r\n`;
  const last = 'Connection: close\r\n';
  const send = async (request: string, port = strict.port) => {
    const { socket, until } = talk(port);
    socket.write(request);
    return await until();
  };

  const expectRefused = (answer: string, status: number) => {
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    for (const [name, value] of Object.entries(securityHeaders)) {
      expect(answer.toLowerCase()).toContain(`${name}: ${value}\r\n`.toLowerCase());
    }
    expect(answer.toLowerCase()).toContain("content-security-policy: default-src 'none'");
  };

  test.each([
    [405, 'a method that files do not support', get('/', last).replace('GET', 'DELETE')],
    [413, 'a body that is too large', post('Content-Length: 9000000\r\nConnection: close')],
    [429, 'too many requests', get('/api/limited') + get('/api/limited', last)],
    [503, 'a busy server', get('/', last)],
  ])('with %i, for %s, has the security headers', async (status, _, request) => {
    const answers = await send(request, status === 503 ? busy.port : strict.port);
    const answer = answers.split(/(?=HTTP\/1\.1 \d)/).at(-1)!;
    expectRefused(answer, status);
    expect(answer).toMatch(/x-request-id: \S{12}\r\n/i);
  });

  test.each([
    [400, 'data that is not HTTP', 'MAKE ME A SANDWICH\r\n\r\n'],
    [400, 'a request without a host', 'GET / HTTP/1.1\r\n\r\n'],
    [400, 'an invalid address', get('nowhere')],
    [400, 'two hosts', get('/', 'Host: other.test\r\n')],
    [400, 'a port that is too large', 'GET / HTTP/1.1\r\nHost: 127.0.0.1:99999\r\n\r\n'],
    [400, 'an address of numbers that are too large', 'GET / HTTP/1.1\r\nHost: 300.300.300.300\r\n\r\n'],
    [400, 'a host that is not a name', 'GET / HTTP/1.1\r\nHost: a b/c\r\n\r\n'],
    [408, 'headers that never end', 'GET / HTTP/1.1\r\n'],
    [431, 'a header that is too large', get('/', `X-Long: ${'x'.repeat(20_000)}\r\n`)],
  ])('with %i, for %s, has the security headers and ends the connection', async (status, _, request) => {
    expectRefused(await send(request), status);
  });

  test('of a connection over the limit comes immediately, and other connections stay usable', async () => {
    const small = await testSite({ files, limits: { connections: 1, headersMs: 200_000 } });
    const first = talk(small.port);
    first.socket.write(get('/'));
    await first.until('home');
    const second = talk(small.port);
    second.socket.write(get('/', last));
    // The host would disconnect a client that it accepts only after three minutes.
    expect(await second.until()).toBe('');
    first.socket.write(get('/', last));
    expect(await first.until()).toMatch(/home[^]*home$/);
    await small.close();
  });
});
