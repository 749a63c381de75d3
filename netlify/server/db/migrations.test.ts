import { join } from 'node:path';
import * as tar from 'tar';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEnv } from '../env.ts';
import { type HranaServer, startHranaServer } from '../../../tests/support/servers/hrana-server.ts';
import { connect } from './open.ts';
import { openInThisThread } from '../../../host/data/sqlite.ts';
import { type Database, rawSql, sql, text } from './database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/from-30.ts';
import { schema } from './migrations/schema.ts';
import { removeDeletedWords } from './search-index.ts';
import { unsavedStore } from '../unsaved/store.ts';
import { folder, makeFolders } from '../../../tests/support/host/folder.ts';

makeFolders();

const open = (name = 'new.db') => openInThisThread(join(folder, name));

/** Opens the database of version 0.1.0, in which every table has a row. */
async function openEarlier(): Promise<Database> {
  await tar.extract({
    file: 'tests/support/earlier-site.tar.gz',
    cwd: folder,
    filter: (path) => path.endsWith('site.db'),
  });
  return open('site.db');
}

/** Returns the schema without its line breaks, in which the statements of the two ways differ. */
async function schemaOf(database: Database): Promise<string[]> {
  const rows = await database.read(sql`SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name`);
  return rows.map(
    (row) =>
      `${text(row.type)} ${text(row.name)}: ${text(row.sql)
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ ?([(),]) ?/g, '$1')}`,
  );
}

const names = [schema, ...migrations.filter(({ id }) => id !== schema.id)].map(({ name }) => name).sort();

test('A new database and an upgraded one have the same schema, and the upgraded one keeps its rows', async () => {
  const upgraded = await openEarlier();
  const fresh = open();
  const counts = async (submissions: string) => {
    const [row] = await upgraded.read(sql`SELECT (SELECT count(*) FROM ${rawSql(submissions)}) AS submissions,
      (SELECT count(*) FROM posts) AS posts, (SELECT count(*) FROM media) AS media,
      (SELECT count(*) FROM outbox) AS outbox, (SELECT count(*) FROM admins) AS admins`);
    return { ...row };
  };
  const before = await counts('(SELECT id FROM inquiries UNION ALL SELECT id FROM applications)');
  expect(Object.values(before)).not.toContain(0);
  expect(await migrate(upgraded)).toEqual(migrations.map(({ name }) => name));
  expect((await migrate(fresh)).sort()).toEqual(names);
  expect(await schemaOf(upgraded)).toEqual(await schemaOf(fresh));
  expect(await counts('submissions')).toEqual(before);
  const found = await upgraded.read(sql`SELECT rowid FROM submissions_words WHERE submissions_words MATCH 'whitfield'`);
  expect(found.length).toBeGreaterThan(0);
  for (const database of [upgraded, fresh]) {
    expect(await migrate(database)).toEqual([]);
    expect(await database.read(sql`PRAGMA integrity_check`)).toMatchObject([{ integrity_check: 'ok' }]);
    expect(await database.read(sql`PRAGMA foreign_key_check`)).toEqual([]);
    database.close();
  }
});

test('A schedule that nobody had saved before the upgrade opens as a schedule after it', async () => {
  const database = await openEarlier();
  const publishAt = '2027-03-02T18:30:00.000Z';
  await database.write(
    sql`UPDATE post_drafts SET draft = json_set(draft, '$.publishAt', ${publishAt}) WHERE key = 'new-draft-1'`,
  );
  await migrate(database);
  const statusOf = async (id: string) => {
    const unsaved = await unsavedStore(database).get('owner@firm.example', { kind: 'post', id });
    return [unsaved?.text['status'], unsaved?.text['publishAt']];
  };
  expect(await statusOf('new-draft-1')).toEqual(['scheduled', publishAt]);
  expect(await statusOf('e26a39f9-0c28-4e17-bdef-ad6d9cd56988')).toEqual(['draft', '']);
  database.close();
});

test('A backup of a database that is not upgraded yet removes the words of deleted rows', async () => {
  const database = await openEarlier();
  await database.write(sql`UPDATE search_deletions SET deletions = merged + 1`);
  await removeDeletedWords(database);
  expect(await database.read(sql`SELECT words FROM search_deletions WHERE merged < deletions`)).toEqual([]);
  database.close();
});

test('A database from before version 0.1.0 is refused with advice, and stays unchanged', async () => {
  const database = await openEarlier();
  await database.write(sql`DELETE FROM migrations WHERE id > 20`);
  const before = await schemaOf(database);
  await expect(migrate(database)).rejects.toThrow(
    'A version of the site before 0.1.0 wrote this database (database schema 20; this version needs 28). ' +
      'Install version 0.1.0 of the site, start it once, and then install this version again.',
  );
  expect(await schemaOf(database)).toEqual(before);
  database.close();
});

describe('Migrations', () => {
  test('that fail leave no changes, and run after they are corrected', async () => {
    const database = open();
    const good = { id: 101, name: 'good', statements: ['CREATE TABLE a (x TEXT) STRICT'] };
    const bad = { id: 102, name: 'bad', statements: ['CREATE TABLE b (x TEXT) STRICT', 'CREATE NONSENSE'] };
    await expect(migrate(database, [good, bad])).rejects.toThrow(/syntax error/);
    const tables = await database.read(sql`SELECT name FROM sqlite_schema WHERE name IN ('a', 'b')`);
    expect(tables.map(({ name }) => name)).toEqual(['a']);
    const corrected = { ...bad, statements: ['CREATE TABLE b (x TEXT) STRICT'] };
    expect(await migrate(database, [good, corrected])).toEqual(['bad']);
  });

  test('that were inserted between others still run once', async () => {
    const database = open();
    const make = (id: number) => ({ id, name: `n${id}`, statements: [`CREATE TABLE t${id} (x TEXT) STRICT`] });
    expect(await migrate(database, [make(101), make(107)])).toEqual(['schema', 'n101', 'n107']);
    expect(await migrate(database, [make(101), make(104), make(107), make(108)])).toEqual(['n104', 'n108']);
    expect(await migrate(database, [make(101), make(104), make(107), make(108)])).toEqual([]);
  });

  test('have different numbers, and are listed in the order of their numbers', () => {
    const ids = migrations.map((migration) => migration.id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });
});

describe('On a distant libSQL server', () => {
  let server: HranaServer;
  beforeEach(async () => {
    server = await startHranaServer({ path: join(folder, 'remote.db') });
  });
  afterEach(() => server.close());
  const instance = () => connect(readEnv({ LIBSQL_URL: server.url, SESSION_SECRET: 'x'.repeat(32) }));

  test('each migration is one request', async () => {
    const database = await instance();
    const before = server.requests;
    const applied = await migrate(database);
    expect(server.requests - before).toBeLessThan(applied.length + 4);
    database.close();
  });

  test('eight instances that start together run each migration once', async () => {
    await server.setFault({ kind: 'delay', ms: 40 });
    const instances = await Promise.all(Array.from({ length: 8 }, instance));
    const applied = await Promise.all(instances.map((database) => migrate(database)));
    expect(applied.flat().sort()).toEqual(names);
    for (const database of instances) database.close();
  });

  test.for([
    { kind: 'cut', when: 'before', matching: /CREATE TABLE media/, once: true },
    { kind: 'cut', when: 'after', matching: /CREATE TABLE admins/, once: true },
  ] as const)('a migration is tried again if its connection is lost (%j)', async (fault) => {
    const database = await instance();
    await server.setFault(fault);
    await migrate(database);
    expect(server.struck).toBe(1);
    expect(await migrate(database)).toEqual([]);
    database.close();
  });
});
