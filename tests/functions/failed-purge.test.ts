import { afterEach, expect, test, vi } from 'vitest';
import { lendPlatform } from '../../netlify/server/platform.ts';
import { takeLog } from '../support/console.ts';
import { usePosts } from '../support/posts.ts';

const desk = usePosts();
afterEach(() => vi.unstubAllEnvs());

test('On Netlify, a purge that failed is repeated every minute until it succeeds, and then no more', async () => {
  lendPlatform(undefined);
  // Without a site id, Netlify's package refuses to purge. With this variable, it prints the tags instead.
  await desk.create({ status: 'published' });
  expect(takeLog()).toEqual([expect.stringContaining('"event":"cache not purged","tags":"posts"')]);
  await desk.tick();
  expect(takeLog()).toContainEqual(expect.stringContaining('could not purge changed pages from the cache'));
  vi.stubEnv('NETLIFY_LOCAL', 'true');
  await desk.tick();
  expect(takeLog()).toContain('Skipping purgeCache for tags posts in local development.');
  await desk.tick();
  expect(takeLog()).toEqual([]);
});
