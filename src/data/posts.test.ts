import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openInThisThread } from '../../host/data/sqlite.ts';
import type { Database } from '../../netlify/server/db/database.ts';
import { migrate } from '../../netlify/server/db/migrate.ts';
import { readEnv } from '../../netlify/server/env.ts';
import { lendPlatform } from '../../netlify/server/platform.ts';
import { takeLog } from '../../tests/support/console.ts';

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

test('A blog without posts has one page, and a blog without a database response has none', async () => {
  expect(await blogPage('1')).toEqual({ posts: [], number: 1, count: 1 });
  vi.spyOn(database, 'read').mockRejectedValue(new Error('gone'));
  expect(await blogPage('1')).toBe('no answer');
  expect(takeLog().join()).toMatch(/posts could not be read/);
});
