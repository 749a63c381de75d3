import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
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

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('a secret is generated once, readable only by its owner, and reused', async () => {
  const env = readEnv({ DATA_DIR: folder });
  const first = await openPlatform(env);
  const again = await openPlatform(env);
  expect(first.env.SESSION_SECRET).toMatch(/^[\w-]{43}$/);
  expect(again.env.SESSION_SECRET).toBe(first.env.SESSION_SECRET);
  expect(await readFile(join(folder, 'session-secret'), 'utf8')).toBe(first.env.SESSION_SECRET);
  expect(await mode(join(folder, 'session-secret'))).toBe('600');
  expect(await mode(folder)).toBe('700');
});

test('if the environment has a secret, none is generated', async () => {
  const secret = 'a secret with at least thirty-two characters';
  const platform = await openPlatform(readEnv({ DATA_DIR: folder, SESSION_SECRET: secret }));
  expect(platform.env.SESSION_SECRET).toBe(secret);
  await expect(stat(join(folder, 'session-secret'))).rejects.toThrow('ENOENT');
});

test('the database is a file under DATA_DIR, and is closed with the platform', async () => {
  const platform = await openPlatform(readEnv({ DATA_DIR: folder }));
  const database = await platform.openEmbeddedDatabase!();
  await database.write(sql`create table kept (id integer)`);
  expect((await stat(join(folder, 'site.db'))).isFile()).toBe(true);
  await platform.close();
  await expect(database.read(sql`select 1`)).rejects.toThrow();
});

test('a database file in the environment is opened, and a database server is not', async () => {
  const file = await openPlatform(readEnv({ DATA_DIR: folder, LIBSQL_URL: `file:${join(folder, 'own.db')}` }));
  await (await file.openEmbeddedDatabase!()).write(sql`create table kept (id integer)`);
  await file.close();
  expect((await stat(join(folder, 'own.db'))).isFile()).toBe(true);
  const server = await openPlatform(readEnv({ DATA_DIR: folder, LIBSQL_URL: 'libsql://db.example.com' }));
  expect(server.openEmbeddedDatabase).toBeUndefined();
});
