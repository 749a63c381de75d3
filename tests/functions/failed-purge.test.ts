import { afterEach, expect, test, vi } from 'vitest';
import { lendPlatform } from '../../netlify/server/platform.ts';
import { takeLog } from '../support/console.ts';
import { usePosts } from '../support/posts.ts';

const minute = 60_000;
const desk = usePosts();
afterEach(() => vi.unstubAllEnvs());

test('On Netlify, a purge that failed is repeated, after longer and longer pauses, until it succeeds', async () => {
  lendPlatform(undefined);
  await desk.tick();
  // Without a site id, Netlify's package refuses to purge. With this variable, it prints the tags instead.
  await desk.create({ status: 'published' });
  expect(takeLog()).toEqual([expect.stringContaining('"event":"cache not purged","tags":"posts"')]);
  const triedAt: number[] = [];
  for (let passed = 1; passed <= 190; passed += 1) {
    if (passed === 100) vi.stubEnv('NETLIFY_LOCAL', 'true');
    desk.advance(minute);
    await desk.tick();
    if (takeLog().some((line) => /could not purge|Skipping purgeCache for tags posts/.test(line))) triedAt.push(passed);
  }
  expect(triedAt).toEqual([1, 2, 3, 5, 9, 17, 33, 65, 125]);
});
