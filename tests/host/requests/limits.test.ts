import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rateLimiter } from '../../../host/requests/limits.ts';
import { type TestSite, testSite } from '../../support/api/test-site.ts';

const limited = (path: string) =>
  `export default async () => Response.json({}); export const config = { path: '${path}', rateLimit: { windowLimit: 3, windowSize: 60, aggregateBy: ['ip', 'domain'] } };`;

const roomy = `export default async () => Response.json({}); export const config = { path: '/api/roomy', rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] } };`;

const files = {
  'netlify/functions/roomy.mjs': roomy,
  'netlify/functions/first.mjs': limited('/api/first'),
  'netlify/functions/second.mjs': limited('/api/second'),
};
let site: TestSite;
beforeEach(async () => {
  site = await testSite({ files });
});
afterEach(() => site.close());

test('above its limit, an address learns when to try again; other functions have separate limits', async () => {
  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await site.get('/api/first')).status);
  const refused = await site.get('/api/first');
  expect([...statuses, refused.status]).toEqual([200, 200, 200, 429]);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  const body = await refused.json();
  expect(body).toMatchObject({ code: 'too_many_requests', requestId: refused.headers.get('x-request-id') });
  expect(body.message).toContain(`try again in ${seconds} seconds`);
  expect((await site.get('/api/second')).status).toBe(200);
});

test('with a limit of 600 reads, an address can write 120 times a minute, and can still read after that', async () => {
  const statuses: Record<string, number[]> = { GET: [], PUT: [], DELETE: [] };
  for (let count = 0; count < 121; count += 1) {
    for (const method of ['GET', count % 2 ? 'PUT' : 'DELETE']) {
      const response = await site.get('/api/roomy', { method });
      await response.body?.cancel();
      statuses[method]?.push(response.status);
    }
  }
  const writes = [...statuses['PUT']!, ...statuses['DELETE']!];
  expect(writes.filter((status) => status === 200)).toHaveLength(120);
  expect(writes.filter((status) => status === 429)).toHaveLength(1);
  expect(new Set(statuses['GET'])).toEqual(new Set([200]));
});

test('a person who sends a form without scripts gets a readable page', async () => {
  for (let count = 0; count < 3; count += 1) await site.get('/api/second');
  const refused = await site.get('/api/second', {
    method: 'POST',
    body: new URLSearchParams({ a: 'b' }),
    headers: { accept: 'text/html,*/*;q=0.8' },
  });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await refused.text()).toContain('Too many requests');
});

test('RATE_LIMITS=off disables all limits', async () => {
  const open = await testSite({ files, variables: { RATE_LIMITS: 'off' } });
  for (let count = 0; count < 5; count += 1) expect((await open.get('/api/first')).status).toBe(200);
  await open.close();
});

test('an IPv6 network counts as one visitor, and a mapped IPv4 address counts as IPv4', async () => {
  const limit = rateLimiter()('test', { windowLimit: 1, windowSize: 60 });
  expect(limit('2001:db8:1:2::1')).toBeNull();
  expect(limit('2001:db8:1:2:ffff::9')).toBeGreaterThan(0);
  expect(limit('2001:db8:1:3::1')).toBeNull();
  expect(limit('192.0.2.7')).toBeNull();
  expect(limit('::ffff:192.0.2.7')).toBeGreaterThan(0);
});

test('an address can send requests again when its minute has passed', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const limit = rateLimiter()('test', { windowLimit: 1, windowSize: 60 });
  expect(limit('192.0.2.8')).toBeNull();
  expect(limit('192.0.2.8')).toBe(60);
  vi.advanceTimersByTime(59_000);
  expect(limit('192.0.2.8')).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(limit('192.0.2.8')).toBeNull();
  vi.useRealTimers();
});

test('an IPv6 /48 with 65,536 networks is limited as one visitor', () => {
  const limit = rateLimiter()('test', { windowLimit: 10, windowSize: 60 });
  let refused = 0;
  for (let network = 0; network < 20_000; network += 1) {
    if (limit(`2001:db8:1:${(network % 65_536).toString(16)}::1`) !== null) refused += 1;
  }
  expect(refused).toBe(20_000 - 160);
  expect(limit('2001:db8:2:1::1')).toBeNull();
  expect(limit('192.0.2.1')).toBeNull();
});

test('the limits remember at most 20,000 addresses, those that sent the latest requests', () => {
  const limit = rateLimiter()('test', { windowLimit: 1, windowSize: 60 });
  const address = (number: number) => `10.${number >> 16}.${(number >> 8) % 256}.${number % 256}`;
  for (let number = 0; number <= 20_000; number += 1) limit(address(number));
  expect(limit(address(20_000))).toBeGreaterThan(0);
  expect(limit(address(0))).toBeNull();
});
