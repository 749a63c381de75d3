import { FastResponse } from 'srvx';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { talk } from '../../support/host/talk.ts';
import { type TestSite, testSite, type TestSiteOptions } from '../../support/api/test-site.ts';

// host/serve.ts makes the same assignment. FastResponse decides where the data of a response waits for a slow client.
const { Response } = globalThis;
globalThis.Response = FastResponse;
afterAll(() => void (globalThis.Response = Response));

const mebibyte = 1024 * 1024;
const files = {
  'dist/index.html': 'home',
  'netlify/functions/stream.mjs': `export default async (request) => {
      const bytes = 8 * 1024 * 1024;
      const chunk = new Uint8Array(64 * 1024).fill(120);
      let sent = 0;
      globalThis.streams = (globalThis.streams ?? 0) + 1;
      return new Response(new ReadableStream({
        pull(controller) {
          if (sent >= bytes) { controller.close(); globalThis.streams -= 1; }
          else { controller.enqueue(chunk); sent += chunk.length; }
        },
        cancel() { globalThis.streams -= 1; },
      }), { headers: { 'content-length': String(bytes) } });
    };
    export const config = { path: '/api/stream' };`,
  'netlify/functions/held.mjs': `export default async () => {
      const held = globalThis.held ??= [];
      await new Promise((resolve) => held.push(resolve));
      return new Response('released');
    };
    export const config = { path: '/api/held' };`,
  'netlify/functions/size.mjs': `export default async (request) => {
      globalThis.sizes = (globalThis.sizes ?? 0) + 1;
      return Response.json({ bytes: (await request.arrayBuffer()).byteLength });
    };
    export const config = { path: '/api/size' };`,
  'netlify/functions/nothing.mjs': `const nothing = async () => new Response('nothing here', { status: 404 });
    export default Object.assign(nothing, { routes: [] });
    export const config = { path: '/api/nothing' };`,
};
const shared = globalThis as { streams?: number; sizes?: number; held?: (() => void)[] };
/** Waits for a state, however busy the machine is. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000 });

let site: TestSite;
const open = async (options: Pick<TestSiteOptions, 'limits' | 'variables'>) => {
  site = await testSite({ files, ...options });
};
afterEach(async () => {
  for (const release of shared.held?.splice(0) ?? []) release();
  await site.close();
});

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: site.test\r\n${headers}\r\n`;
const post = (path: string, headers: string) => `POST ${path} HTTP/1.1\r\nHost: site.test\r\n${headers}\r\n\r\n`;
/** Sends one request on a new connection. The default IP address differs from the default of `talk`. */
const visit = async (path: string, from = '127.0.0.9', headers = '') => {
  const { socket, until } = talk(site.port, from);
  socket.write(get(path, `${headers}Connection: close\r\n`));
  return await until();
};

test('A client that does not read its response is disconnected, but a slow and steady client gets the whole response', async () => {
  await open({ limits: { idleMs: 3_000 } });
  const bytes = 8 * mebibyte;
  const unread = Array.from({ length: 5 }, () => {
    const { socket } = talk(site.port);
    socket.write(get('/api/stream'));
    return socket.pause();
  });
  const steady = talk(site.port).socket;
  steady.removeAllListeners('data').pause();
  steady.write(get('/api/stream', 'Connection: close\r\n'));
  let taken = 0;
  const reading = setInterval(() => {
    taken += (steady.read(Math.min(128 * 1024, steady.readableLength)) as Buffer | null)?.length ?? 0;
  }, 75);
  // `readableLength` is 0 until Node has read from the socket. A `readable` listener makes Node read.
  steady.on('readable', () => undefined);

  await eventually(() => expect(shared.streams).toBeGreaterThanOrEqual(5));
  expect(taken).toBeLessThan(bytes);
  // The five streams that no client reads have been canceled. The steady client's stream may still run, or may have
  // ended because the kernel holds the rest of its data.
  await eventually(() => expect(shared.streams).toBeLessThanOrEqual(1));
  await eventually(() => expect(taken).toBeGreaterThanOrEqual(bytes));
  clearInterval(reading);
  for (const socket of unread) socket.destroy();
  await eventually(() => expect(shared.streams).toBe(0));
});

describe('One visitor', () => {
  test('has a limited number of running requests, and other visitors behind the same proxy get responses', async () => {
    await open({
      variables: { TRUSTED_PROXIES: 'loopback' },
      limits: { requestsPerVisitor: 3 },
    });
    const one = 'X-Forwarded-For: 203.0.113.1\r\n';
    const busy = Array.from({ length: 3 }, () => {
      const { socket } = talk(site.port);
      socket.write(post('/api/held', `${one}Content-Length: 0`));
      return socket;
    });
    await eventually(() => expect(shared.held).toHaveLength(3));
    const refused = await visit('/', '127.0.0.1', one);
    expect(refused).toMatch(/^HTTP\/1\.1 503/);
    expect(refused).toMatch(/retry-after: \d/i);
    expect(await visit('/', '127.0.0.1', 'X-Forwarded-For: 203.0.113.2\r\n')).toMatch(/home$/);
    for (const socket of busy) socket.destroy();
    await eventually(async () => expect(await visit('/', '127.0.0.1', one)).toMatch(/home$/));
  });

  test('is identified by the /64 of an IPv6 address', async () => {
    await open({
      variables: { TRUSTED_PROXIES: 'loopback' },
      limits: { requestsPerVisitor: 1 },
    });
    const { socket } = talk(site.port);
    socket.write(post('/api/held', 'X-Forwarded-For: 2001:db8:1:2::1\r\nContent-Length: 0'));
    await eventually(() => expect(shared.held).toHaveLength(1));
    expect(await visit('/', '127.0.0.1', 'X-Forwarded-For: 2001:db8:1:2::9\r\n')).toMatch(/^HTTP\/1\.1 503/);
    expect(await visit('/', '127.0.0.1', 'X-Forwarded-For: 2001:db8:1:3::1\r\n')).toMatch(/home$/);
    socket.destroy();
  });

  test('uses no capacity after leaving before the responses to several requests', async () => {
    await open({
      limits: { requestsPerVisitor: 6, bodyBytes: 256 * 1024 },
    });
    const size = post('/api/size', 'Content-Type: text/plain\r\nContent-Length: 20000') + 'x'.repeat(20_000);
    shared.sizes = 0;
    for (let count = 0; count < 6; count += 1) {
      const { socket } = talk(site.port);
      socket.write(post('/api/held', 'Content-Length: 0') + size + size);
      await eventually(() => expect([shared.held?.length, shared.sizes]).toEqual([count + 1, 2 * (count + 1)]));
      socket.resetAndDestroy();
    }
    const { socket, until } = talk(site.port);
    socket.write(size);
    expect(await until('bytes')).toContain('{"bytes":20000}');
    socket.destroy();
  });
});

test('Connections that send nothing are closed, so others can connect', async () => {
  await open({ limits: { connections: 10, headersMs: 600 } });
  const silent = Array.from({ length: 10 }, (_, number) => talk(site.port, `127.0.1.${number}`).socket);
  await eventually(async () => expect(await visit('/')).toMatch(/home$/));
  for (const socket of silent) socket.destroy();
});

describe('Request bodies', () => {
  const body = Buffer.alloc(80 * 1024, 120);
  const upload = (from?: string) => {
    const talking = talk(site.port, from);
    talking.socket.write(post('/api/size', `Content-Type: application/octet-stream\r\nContent-Length: ${mebibyte}`));
    talking.socket.write(body);
    return talking;
  };

  test('that stall use a share of one visitor, and other visitors can send theirs', async () => {
    await open({ limits: { bodyBytes: 8 * mebibyte } });
    const stalled = Array.from({ length: 3 }, () => upload());
    expect(await Promise.race(stalled.map(({ until }) => until('requestId')))).toMatch(/^HTTP\/1\.1 503/);
    const { socket, until } = talk(site.port, '127.0.0.9');
    const headers = `Content-Type: application/octet-stream\r\nContent-Length: ${mebibyte}\r\nConnection: close`;
    socket.write(post('/api/size', headers));
    socket.write('x'.repeat(mebibyte));
    expect(await until()).toContain('{"bytes":1048576}');
    for (const talking of stalled) talking.socket.destroy();
  });

  test('of forms still arrive after many visitors’ uploads used up their share of the memory', async () => {
    await open({ limits: { bodyBytes: 4 * mebibyte } });
    const stalled = Array.from({ length: 12 }, (_, number) => upload(`127.0.2.${number + 1}`));
    expect(await Promise.race(stalled.map(({ until }) => until('requestId')))).toMatch(/^HTTP\/1\.1 503/);
    const { socket, until } = talk(site.port);
    socket.write(post('/api/size', 'Content-Type: application/json\r\nContent-Length: 20000\r\nConnection: close'));
    socket.write('x'.repeat(20_000));
    expect(await until()).toContain('{"bytes":20000}');
    for (const talking of stalled) talking.socket.destroy();
  });

  test('that stall end with their connections, and their memory is freed', async () => {
    await open({ limits: { idleMs: 400, bodyBytes: 6 * mebibyte } });
    for (let count = 0; count < 3; count += 1) expect(await upload().until()).toBe('');
  });

  test('that no route reads are refused before the client sends them', async () => {
    await open({});
    const { socket, until } = talk(site.port);
    socket.write(post('/api/nothing', 'Content-Type: application/octet-stream\r\nContent-Length: 4000000'));
    expect(await until('nothing here')).toMatch(/^HTTP\/1\.1 404/);
    socket.destroy();
  });
});
