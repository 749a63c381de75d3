import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Database, embeddedDatabase, sql } from './database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';

let directory: string;
let opened: Database[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'database-test-'));
  opened = [];
});
afterEach(async () => {
  for (const database of opened) database.close();
  await rm(directory, { recursive: true, force: true });
});

async function open(timeout = 5_000): Promise<Database> {
  const url = `file:${join(directory, 'site.db')}`;
  const database = await embeddedDatabase(() => createClient({ url, concurrency: 1, timeout }));
  opened.push(database);
  return database;
}

/** Holds the write lock as another program would. @returns a function that releases the lock. */
async function lockFile(): Promise<() => Promise<void>> {
  const client = createClient({ url: `file:${join(directory, 'site.db')}`, concurrency: 1 });
  const transaction = await client.transaction('write');
  return async () => {
    await transaction.rollback();
    client.close();
  };
}

describe('Writes to the embedded database', () => {
  test('that are requested together each get their own results', async () => {
    const database = await open();
    await database.write(sql('CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT'));
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        database.write(
          sql('INSERT INTO t (name) VALUES (?)', `n${index}`),
          sql('SELECT name FROM t WHERE id = last_insert_rowid()'),
        ),
      ),
    );
    expect(results.map(([, selected]) => selected?.rows[0]?.name)).toEqual(
      Array.from({ length: 300 }, (_, index) => `n${index}`),
    );
  });

  test('fail separately and completely', async () => {
    const database = await open();
    await database.write(sql('CREATE TABLE t (name TEXT UNIQUE) STRICT'));
    const outcomes = await Promise.allSettled([
      database.write(sql(`INSERT INTO t VALUES ('a')`)),
      database.write(sql(`INSERT INTO t VALUES ('b')`), sql(`INSERT INTO t VALUES ('a')`)),
      database.write(sql(`INSERT INTO t VALUES ('c')`)),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const rows = await database.read(sql('SELECT name FROM t ORDER BY name'));
    expect(rows.map((row) => row.name)).toEqual(['a', 'c']);
  });

  test('that arrive during a commit are not lost', async () => {
    const database = await open();
    await database.write(sql('CREATE TABLE t (n INTEGER) STRICT'));
    const chain = async (depth: number): Promise<void> => {
      await database.write(sql('INSERT INTO t VALUES (?)', depth));
      if (depth > 0) await Promise.all([chain(depth - 1), chain(depth - 1)]);
    };
    await chain(6);
    expect(await database.read(sql('SELECT count(*) AS count FROM t'))).toMatchObject([{ count: 127 }]);
  });
});

describe('Deleted data', () => {
  const found = async (text: string): Promise<boolean[]> =>
    Promise.all(['site.db', 'site.db-wal'].map(async (name) => (await readFile(join(directory, name))).includes(text)));

  test('is removed from the disk after a short time without writes', async () => {
    const database = await open();
    await database.write(sql('CREATE TABLE t (name TEXT) STRICT'));
    await database.write(sql(`INSERT INTO t VALUES ('Rosa Delgado')`));
    expect(await found('Rosa Delgado')).toEqual([false, true]);
    await database.write(sql('DELETE FROM t'));
    await vi.waitFor(async () => expect(await found('Rosa Delgado')).toEqual([false, false]), 5_000);
  });
});

describe('Migrations', () => {
  test('run once, even if two instances start together', async () => {
    // The native library blocks the whole process while it waits for a lock, so the timeout is short. Real instances
    // are separate processes.
    const instances = [open(200), open(200), open(200)];
    const applied = await Promise.all(instances.map(async (database) => migrate(await database)));
    expect(applied.flat().sort()).toEqual(migrations.map((migration) => migration.name).sort());
    expect(await migrate(await open())).toEqual([]);
  });

  test('that fail leave no changes, and run after they are corrected', async () => {
    const database = await open();
    const good = { id: 1, name: 'good', statements: ['CREATE TABLE a (x TEXT) STRICT'] };
    const bad = { id: 2, name: 'bad', statements: ['CREATE TABLE b (x TEXT) STRICT', 'CREATE NONSENSE'] };
    await expect(migrate(database, [good, bad])).rejects.toThrow(/syntax error/);
    const tables = await database.read(sql(`SELECT name FROM sqlite_schema WHERE name IN ('a', 'b')`));
    expect(tables.map(({ name }) => name)).toEqual(['a']);
    const corrected = { ...bad, statements: ['CREATE TABLE b (x TEXT) STRICT'] };
    expect(await migrate(database, [good, corrected])).toEqual(['bad']);
  });

  test('that were inserted between others still run once', async () => {
    const database = await open();
    const make = (id: number) => ({ id, name: `n${id}`, statements: [`CREATE TABLE t${id} (x TEXT) STRICT`] });
    expect(await migrate(database, [make(1), make(7)])).toEqual(['n1', 'n7']);
    expect(await migrate(database, [make(1), make(4), make(7), make(8)])).toEqual(['n4', 'n8']);
    expect(await migrate(database, [make(1), make(4), make(7), make(8)])).toEqual([]);
  });

  test('have different numbers, and are listed in the order of their numbers', () => {
    const ids = migrations.map((migration) => migration.id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });
});

test('A write that waits too long for a lock is refused, and the next write is stored', async () => {
  const database = await open();
  await database.write(sql('CREATE TABLE t (n INTEGER) STRICT'));
  const impatient = await open(100);
  const unlock = await lockFile();
  await expect(impatient.write(sql('INSERT INTO t VALUES (1)'))).rejects.toMatchObject({ fault: 'locked' });
  await unlock();
  await impatient.write(sql('INSERT INTO t VALUES (2)'));
  expect(await (await open()).read(sql('SELECT n FROM t'))).toMatchObject([{ n: 2 }]);
});

test('If the file cannot be opened again after such a wait, reads and writes fail immediately until it can', async () => {
  const url = `file:${join(directory, 'site.db')}`;
  let opens = 0;
  const database = await embeddedDatabase(() => {
    opens += 1;
    if (opens === 2 || opens === 3) throw new Error('unable to open database file');
    return createClient({ url, concurrency: 1, timeout: 100 });
  });
  opened.push(database);
  await database.write(sql('CREATE TABLE t (n INTEGER) STRICT'));
  const unlock = await lockFile();
  await expect(database.write(sql('INSERT INTO t VALUES (1)'))).rejects.toMatchObject({ fault: 'locked' });
  await unlock();
  await expect(database.write(sql('INSERT INTO t VALUES (2)'))).rejects.toThrow(/unable to open/);
  await expect(database.read(sql('SELECT n FROM t'))).rejects.toThrow(/unable to open/);
  await database.write(sql('INSERT INTO t VALUES (3)'));
  expect(await database.read(sql('SELECT n FROM t'))).toMatchObject([{ n: 3 }]);
});

test('Writes that are requested together wait for a lock together, not one after another', async () => {
  const database = await open();
  await database.write(sql('CREATE TABLE t (n INTEGER) STRICT'));
  const client = createClient({ url: `file:${join(directory, 'site.db')}`, concurrency: 1, timeout: 100 });
  const waits = vi.spyOn(client, 'batch');
  const impatient = await embeddedDatabase(() => client);
  opened.push(impatient);
  const unlock = await lockFile();
  const writes = Array.from({ length: 10 }, (_, n) => impatient.write(sql('INSERT INTO t VALUES (?)', n)));
  for (const outcome of await Promise.allSettled(writes)) expect(outcome.status).toBe('rejected');
  expect(waits).toHaveBeenCalledTimes(1);
  await unlock();
});

describe('A check of the database', () => {
  test('writes and reads', async () => {
    const database = await open();
    await migrate(database);
    await database.check();
    expect(await database.read(sql('SELECT count(*) AS count FROM health_checks'))).toMatchObject([{ count: 1 }]);
  });

  test('names a lock held by another program', async () => {
    const database = await open(100);
    await migrate(database);
    const unlock = await lockFile();
    await expect(database.check()).rejects.toMatchObject({ name: 'DatabaseFault', fault: 'locked' });
    await unlock();
    await database.check();
  });

  test('names a read-only file', async () => {
    const database = await open();
    await migrate(database);
    const readOnly = await embeddedDatabase(() => {
      const client = createClient({ url: `file:${join(directory, 'site.db')}`, concurrency: 1 });
      void client.execute('PRAGMA query_only = ON');
      return client;
    });
    opened.push(readOnly);
    await expect(readOnly.check()).rejects.toMatchObject({ fault: 'read-only' });
  });
});
