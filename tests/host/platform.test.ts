import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../netlify/server/db/database.ts';
import { readEnv } from '../../netlify/server/env.ts';
import { openPlatform } from '../../host/data/platform.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'platform test ')), 'data');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

test('a database file in the environment is opened, and a database server is not', async () => {
  const file = await openPlatform(readEnv({ DATA_DIR: folder, LIBSQL_URL: `file:${join(folder, 'own.db')}` }));
  await (await file.openEmbeddedDatabase!()).write(sql`create table kept (id integer)`);
  await file.close();
  expect((await stat(join(folder, 'own.db'))).isFile()).toBe(true);
  const server = await openPlatform(readEnv({ DATA_DIR: folder, LIBSQL_URL: 'libsql://db.example.com' }));
  expect(server.openEmbeddedDatabase).toBeUndefined();
});
