import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openInThisThread } from '../../host/data/sqlite.ts';
import type { Database } from '../../netlify/server/db/database.ts';
import { migrate } from '../../netlify/server/db/migrate.ts';
import { readEnv } from '../../netlify/server/env.ts';
import { lendPlatform } from '../../netlify/server/platform.ts';
import { postStore } from '../../netlify/server/posts/store.ts';
import { takeLog } from '../../tests/support/console.ts';
import { aPost } from '../../tests/support/posts.ts';

let directory: string;
let database: Database;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'posts-test-'));
  database = openInThisThread(join(directory, 'site.db'));
  await migrate(database);
  lendPlatform({
    env: readEnv({ DATA_DIR: directory }),
    openEmbeddedDatabase: async () => database,
    openBlobStore: () => {
      throw new Error('A list of posts reads no blobs.');
    },
  });
  // posts.ts opens the database only once. Each test has its own database, so each test must import posts.ts again.
  vi.resetModules();
});
afterEach(async () => {
  lendPlatform(undefined);
  database.close();
  await rm(directory, { recursive: true });
});

const blogPage = async (number: string) =>
  await (await import('./posts.ts')).blogPage(number, { deploy: { context: 'dev', id: 'x', published: true } });

test('The blog lists published posts in pages, newest first', async () => {
  const posts = postStore(database);
  for (let index = 10; index < 30; index += 1) {
    const status = index % 2 === 0 && index > 15 ? 'draft' : 'published';
    const post = {
      ...aPost(),
      slug: `p${index}`,
      status,
      excerpt: null,
      featuredImage: null,
      publishAt: null,
      keepOriginalDate: false,
    };
    await posts.create(`id${index}`, post as never, { by: '', at: `2026-03-${index}T00:00:00.000Z` });
  }
  const [first, second] = [await blogPage('1'), await blogPage('2')];
  if (typeof first === 'string' || typeof second === 'string') throw new Error('Both pages are there.');
  expect([first, second].map((page) => page.posts.map(({ slug }) => slug))).toEqual([
    ['p29', 'p27', 'p25', 'p23', 'p21', 'p19', 'p17', 'p15', 'p14', 'p13', 'p12', 'p11'],
    ['p10'],
  ]);
  expect([first.count, second.number]).toEqual([2, 2]);
  expect(first.posts[0]).not.toHaveProperty('content');
  for (const number of ['3', '0', '01', '-1', 'x', '1e1', '99999999']) expect(await blogPage(number)).toBe('nothing');
});

test('A blog without posts has one page, and a blog without a database response has none', async () => {
  expect(await blogPage('1')).toEqual({ posts: [], number: 1, count: 1 });
  vi.spyOn(database, 'read').mockRejectedValue(new Error('gone'));
  expect(await blogPage('1')).toBe('no answer');
  expect(takeLog().join()).toMatch(/posts could not be read/);
});
