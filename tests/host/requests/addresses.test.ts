import { afterEach, describe, expect, test } from 'vitest';
import { talk } from '../../support/host/talk.ts';
import { type TestSite, testSite } from '../../support/api/test-site.ts';
import { trustedProxies } from '../../../host/requests/addresses.ts';

const files = {
  'netlify/functions/seen.mjs': `export default async (request, context) => Response.json({
      address: context.ip, url: request.url,
    });
    export const config = { path: '/api/seen' };`,
};
interface Seen {
  readonly address: string;
  readonly url: string;
}

let site: TestSite;
afterEach(() => site.close());
const open = async (variables: Record<string, string> = {}) => {
  site = await testSite({ files, variables });
};
const seen = async (headers: Record<string, string>) =>
  (await (await site.get('/api/seen', { headers })).json()) as Seen;
const claims = {
  forwarded: 'for=203.0.113.9;proto=https',
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-port': '443',
  'x-forwarded-proto': 'https',
};

describe('Forwarding headers', () => {
  test('from a visitor change neither the address nor the URL', async () => {
    await open();
    const { address, url } = await seen(claims);
    expect(address).toBe('127.0.0.1');
    expect(url).toBe(`${site.url}/api/seen`);
  });

  test('from a trusted proxy set the client address and the protocol, and never the host', async () => {
    await open({ TRUSTED_PROXIES: '127.0.0.0/8' });
    const { address, url } = await seen(claims);
    expect(address).toBe('203.0.113.9');
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1[:/]/);
  });

  test('from a proxy that is not in the list are ignored', async () => {
    await open({ TRUSTED_PROXIES: '10.0.0.0/8' });
    expect((await seen(claims)).address).toBe('127.0.0.1');
  });

  test.for([
    ['198.51.100.1, 203.0.113.9', '203.0.113.9', 'the last address, since a visitor writes the first ones'],
    ['198.51.100.1, 203.0.113.9, 10.1.2.3, 127.0.0.1', '203.0.113.9', 'the last address that is no proxy'],
    ['203.0.113.9:51234', '203.0.113.9', 'an address without its port'],
    ['[2001:db8::1]:443', '2001:db8::1', 'an IPv6 address without brackets and port'],
    ['203.0.113.9, unknown', '127.0.0.1', 'the proxy, where it wrote no address'],
    ['10.1.2.3', '10.1.2.3', 'a proxy that is the visitor itself'],
    ['', '127.0.0.1', 'the proxy, without the header'],
  ] as const)('%j is read as %s: %s', async ([header, address]) => {
    await open({ TRUSTED_PROXIES: 'loopback, 10.0.0.0/8' });
    expect((await seen(header === '' ? {} : { 'x-forwarded-for': header })).address).toBe(address);
  });

  test('from a chain of proxies set the protocol that the outermost proxy saw', async () => {
    await open({ TRUSTED_PROXIES: 'loopback 10.1.2.3' });
    const headers = { 'x-forwarded-for': '203.0.113.9, 10.1.2.3', 'x-forwarded-proto': 'http, https, http' };
    expect((await seen(headers)).url).toMatch(/^https:/);
  });
});

test('a trusted proxy is recognized in each notation of its address', async () => {
  await open();
  const isTrusted = trustedProxies(['loopback', '192.0.2.0/24', 'fd00::/8']);
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '192.0.2.200', '::ffff:192.0.2.1', 'fd12::1']) {
    expect(isTrusted(address), address).toBe(true);
  }
  for (const address of ['192.0.3.1', '::ffff:192.0.3.1', 'fe80::1', '', 'loopback', '127.0.0.1.evil.example']) {
    expect(isTrusted(address), address).toBe(false);
  }
});

test('Many headers cannot hide the address that a trusted proxy reports', async () => {
  await open({ TRUSTED_PROXIES: 'loopback' });
  const { socket, until } = talk(site.port);
  const many = `${'a: b\r\n'.repeat(2_500)}X-Forwarded-For: 203.0.113.1\r\n`;
  socket.write(`GET /api/seen HTTP/1.1\r\nHost: site.test\r\n${many}Connection: close\r\n\r\n`);
  expect(await until()).toContain('"address":"203.0.113.1"');
});
