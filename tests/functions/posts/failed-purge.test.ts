import { afterEach, expect, test, vi } from 'vitest';
import { lendPlatform } from '../../../netlify/server/platform.ts';
import { takeLog } from '../../support/console.ts';
import { usePosts } from '../../support/samples/posts.ts';

const minute = 60_000;
const hour = 60 * minute;
const desk = usePosts();
/** Runs the scheduled work after some time. @returns whether it repeats the purge. */
const repeats = async (passedMs: number): Promise<boolean> => {
  desk.advance(passedMs);
  await desk.tick();
  return takeLog().some((line) => /could not purge|Skipping purgeCache for tags posts/.test(line));
};
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
    if (await repeats(minute)) triedAt.push(passed);
  }
  expect(triedAt).toEqual([1, 2, 3, 5, 9, 17, 33, 65, 125]);
});

test('On Netlify, a purge that failed while a post was published on schedule is repeated a minute later', async () => {
  lendPlatform(undefined);
  const publishAt = new Date(desk.services.now().getTime() + 5 * minute).toISOString();
  await desk.create({ publishAt });
  await desk.tick();
  desk.advance(5 * minute);
  await desk.tick();
  expect(takeLog()).toEqual([expect.stringContaining('"event":"cache not purged","tags":"posts"')]);
  vi.stubEnv('NETLIFY_LOCAL', 'true');
  expect(await repeats(minute)).toBe(true);
  expect(await repeats(minute)).toBe(false);
});

test('After the clock was set back, a failing job is repeated after longer and longer pauses again', async () => {
  lendPlatform(undefined);
  await desk.tick();
  await desk.create({ status: 'published' });
  await repeats(minute);
  await repeats(-2 * hour);
  takeLog();
  const triedAt: number[] = [];
  for (let passed = 1; passed <= 20; passed += 1) if (await repeats(minute)) triedAt.push(passed);
  expect(triedAt).toEqual([1, 2, 4, 8, 16]);
});
