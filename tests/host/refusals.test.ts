import { afterEach, describe, expect, test } from 'vitest';
import { securityHeaders } from '../../src/domain/security-headers.ts';
import { talk } from '../support/talk.ts';
import { type TestSite, testSite, type TestSiteOptions } from '../support/test-site.ts';

const files = {
  'dist/index.html': 'home',
  'netlify/functions/size.mjs': `export default async (request) => Response.json({ bytes: (await request.arrayBuffer()).byteLength });
    export const config = { path: '/api/size' };`,
  'netlify/functions/limited.mjs': `export default async () => new Response('fine');
    export const config = { path: '/api/limited', rateLimit: { windowLimit: 1, windowSize: 60, aggregateBy: ['ip', 'domain'] } };`,
};
let site: TestSite;
const open = async (options: Pick<TestSiteOptions, 'limits'>) => {
  site = await testSite({ files, ...options });
};
afterEach(() => site.close());

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: site.test\r\n${headers}\r\n`;
const post = (path: string, headers: string) => `POST ${path} HTTP/1.1\r\nHost: site.test\r\n${headers}\r\n\r\n`;
const send = async (request: string) => {
  const { socket, until } = talk(site.port);
  socket.write(request);
  return await until();
};

describe('A refusal outside of functions', () => {
  const cases: [number, string, string][] = [
    [405, 'a method that files do not support', `DELETE / HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n`],
    [
      413,
      'a body that is too large',
      post('/api/size', 'Content-Length: 9\r\nConnection: close').replace('9', '9000000'),
    ],
    [429, 'too many requests', get('/api/limited') + get('/api/limited', 'Connection: close\r\n')],
  ];
  test.each(cases)('with %i, for %s, has the security headers', async (status, _, request) => {
    await open({});
    const answer =
      (await send(request))
        .split(/(?=HTTP\/1\.1 \d)/)
        .at(-1)
        ?.toLowerCase() ?? '';
    expect(answer).toContain(`http/1.1 ${status}`);
    for (const [name, value] of Object.entries(securityHeaders)) {
      expect(answer).toContain(`${name}: ${value}`.toLowerCase());
    }
    expect(answer).toContain("content-security-policy: default-src 'none'");
    expect(answer).toMatch(/x-request-id: \S{12}\r\n/);
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
  ])('with %i, for %s, ends the connection', async (status, _, request) => {
    await open({ limits: { headersMs: 600 } });
    expect(await send(request)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test('with 503, for a busy server, has the security headers', async () => {
    await open({ limits: { requests: 0 } });
    const answer = (await send(get('/', 'Connection: close\r\n'))).toLowerCase();
    expect(answer).toMatch(/^http\/1\.1 503/);
    for (const name of Object.keys(securityHeaders)) expect(answer).toContain(`${name}: `.toLowerCase());
    expect(answer).toContain("content-security-policy: default-src 'none'");
  });
});
