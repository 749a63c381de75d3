import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { embeddedDatabase } from '../../netlify/server/db/database.ts';
import { migrate } from '../../netlify/server/db/migrate.ts';
import { postStore } from '../../netlify/server/stores/posts.ts';
import { aPost } from '../../tests/support/posts.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'posts-test-'));
  vi.stubEnv('DATA_DIR', directory);
  // A build asks once; each test is a build of its own.
  vi.resetModules();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

const postPages = async () => await (await import('./posts.ts')).postPages();

test('A build without a database has no list, rather than an empty one', async () => {
  expect(await postPages()).toBeNull();
});

test('A build lists what is published by pages, newest first', async () => {
  const url = `file:${join(directory, 'site.db')}`;
  const database = await embeddedDatabase(() => createClient({ url, concurrency: 1 }));
  await migrate(database);
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
  database.close();
  const pages = (await postPages()) ?? [];
  expect(pages.map((page) => page.posts.map(({ slug }) => slug))).toEqual([
    ['p29', 'p27', 'p25', 'p23', 'p21', 'p19', 'p17', 'p15', 'p14', 'p13', 'p12', 'p11'],
    ['p10'],
  ]);
  expect(pages[0]?.cursor).toBeUndefined();
  expect(pages[1]?.cursor).toBeDefined();
  expect(pages[0]?.posts[0]).not.toHaveProperty('content');
});
