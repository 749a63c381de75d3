import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, LibsqlError, type Client } from '@libsql/client/http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startHranaServer, type HranaServer } from './hrana-server.ts';

let folder: string;
let server: HranaServer;
let client: Client;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hrana-'));
  server = await startHranaServer({ path: join(folder, 'test.db'), streamExpiryMs: 300, busyTimeoutMs: 1_000 });
  client = createClient({ url: server.url });
  await client.execute('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE, weight REAL, data BLOB)');
});

afterEach(async () => {
  client.close();
  await server.close();
  await rm(folder, { recursive: true });
});

const count = async (): Promise<unknown> => (await client.execute('SELECT count(*) AS n FROM notes')).rows[0]?.['n'];

async function codeOf(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => 'no error',
    (error: unknown) => (error instanceof LibsqlError ? error.code : error),
  );
}

test('every kind of value goes there and back', async () => {
  const data = new Uint8Array([0, 1, 255]);
  const inserted = await client.execute({
    sql: 'INSERT INTO notes (text, weight, data) VALUES (?, ?, ?)',
    args: ['naïve ☃', 1.5, data],
  });
  expect(inserted.rowsAffected).toBe(1);
  expect(inserted.lastInsertRowid).toBe(1n);
  const { rows, columns, columnTypes } = await client.execute({
    sql: 'SELECT id, text, weight, data, NULL AS empty, 9007199254740991 AS big FROM notes WHERE text = :text',
    args: { text: 'naïve ☃' },
  });
  expect(columns).toEqual(['id', 'text', 'weight', 'data', 'empty', 'big']);
  expect(columnTypes.slice(0, 4)).toEqual(['INTEGER', 'TEXT', 'REAL', 'BLOB']);
  expect(rows[0]).toMatchObject({ id: 1, text: 'naïve ☃', weight: 1.5, empty: null, big: 9007199254740991 });
  expect(new Uint8Array(rows[0]?.['data'] as ArrayBuffer)).toEqual(data);
});

test('a statement that returns rows counts what it changed', async () => {
  const result = await client.execute("INSERT INTO notes (text) VALUES ('a'), ('b') RETURNING id");
  expect(result.rowsAffected).toBe(2);
  expect(result.rows.map((row) => row['id'])).toEqual([1, 2]);
  expect((await client.execute('SELECT 1')).rowsAffected).toBe(0);
});

test('a batch is all or nothing, and names the primary code only', async () => {
  await client.batch([{ sql: 'INSERT INTO notes (text) VALUES (?)', args: ['a'] }, 'SELECT 1'], 'write');
  const refused = await client
    .batch(["INSERT INTO notes (text) VALUES ('b')", "INSERT INTO notes (text) VALUES ('a')"], 'write')
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(LibsqlError);
  expect(refused).toMatchObject({ code: 'SQLITE_CONSTRAINT', extendedCode: undefined });
  expect(await count()).toBe(1);
});

test('several statements in one string are refused, except as a sequence', async () => {
  expect(await codeOf(client.execute('SELECT 1; SELECT 2'))).toBe('SQL_MANY_STATEMENTS');
  expect(await codeOf(client.execute(' -- nothing'))).toBe('SQL_NO_STATEMENT');
  expect(await codeOf(client.execute('SELEC 1'))).toBe('SQLITE_ERROR');
  expect((await client.execute("SELECT 'a;b' AS t -- c;d")).rows[0]?.['t']).toBe('a;b');
  await client.executeMultiple(`
    INSERT INTO notes (text) VALUES ('a');
    CREATE TRIGGER twice AFTER INSERT ON notes WHEN new.text = 'x' BEGIN INSERT INTO notes (text) VALUES ('y'); END;
    INSERT INTO notes (text) VALUES ('x');
  `);
  expect(await count()).toBe(3);
});

test('a migration runs with foreign keys off', async () => {
  await client.migrate([
    'CREATE TABLE parent (id INTEGER PRIMARY KEY)',
    'CREATE TABLE child (parent_id INTEGER REFERENCES parent (id))',
    'INSERT INTO child VALUES (7)',
  ]);
  expect((await client.execute('SELECT parent_id FROM child')).rows).toHaveLength(1);
});

test('an interactive transaction commits, rolls back, and keeps others waiting', async () => {
  const writing = await client.transaction('write');
  await writing.execute("INSERT INTO notes (text) VALUES ('a')");
  expect(await count()).toBe(0);
  const other = client.execute("INSERT INTO notes (text) VALUES ('b')");
  await sleep(50);
  await writing.execute({ sql: 'INSERT INTO notes (text) VALUES (?)', args: ['c'] });
  await writing.commit();
  await other;
  expect(await count()).toBe(3);

  const undone = await client.transaction('write');
  await undone.execute('DELETE FROM notes');
  await undone.rollback();
  expect(await count()).toBe(3);
  expect(server.openStreams).toBe(0);
});

test('many writers at once all get their turn', async () => {
  const writers = Array.from({ length: 20 }, (_, index) =>
    client.batch([{ sql: 'INSERT INTO notes (text) VALUES (?)', args: [`note ${index}`] }, 'SELECT 1'], 'write'),
  );
  await Promise.all(writers);
  expect(await count()).toBe(20);
});

test('a transaction that holds the lock too long makes others busy', async () => {
  const writing = await client.transaction('write');
  const keepAlive = setInterval(() => void writing.execute('SELECT 1'), 100);
  await writing.execute('SELECT 1');
  expect(await codeOf(client.execute("INSERT INTO notes (text) VALUES ('b')"))).toBe('SQLITE_BUSY');
  clearInterval(keepAlive);
  await writing.rollback();
});

test('an abandoned transaction expires, and its lock with it', async () => {
  const writing = await client.transaction('write');
  await writing.execute("INSERT INTO notes (text) VALUES ('a')");
  expect(server.openStreams).toBe(1);
  await sleep(400);
  expect(server.openStreams).toBe(0);
  expect(await codeOf(writing.execute('SELECT 1'))).toBe('STREAM_EXPIRED');
  await client.execute("INSERT INTO notes (text) VALUES ('b')");
  expect(await count()).toBe(1);
});

test('a token is required where one is set', async () => {
  const guarded = await startHranaServer({ path: join(folder, 'test.db'), authToken: 'secret' });
  const stranger = createClient({ url: guarded.url });
  const friend = createClient({ url: guarded.url, authToken: 'secret' });
  expect(await codeOf(stranger.execute('SELECT 1'))).toBe('SERVER_ERROR');
  expect((await friend.execute('SELECT 1 AS one')).rows[0]?.['one']).toBe(1);
  await guarded.close();
});

test('late answers', async () => {
  await server.setFault({ kind: 'delay', ms: 200 });
  const start = performance.now();
  await client.execute('SELECT 1');
  expect(performance.now() - start).toBeGreaterThanOrEqual(195);
});

test('a connection that is cut before or after the statement ran', async () => {
  await server.setFault({ kind: 'cut', when: 'before' });
  await expect(client.execute("INSERT INTO notes (text) VALUES ('a')")).rejects.toThrow();
  await server.setFault({ kind: 'cut', when: 'after', matching: /INSERT/ });
  await expect(client.execute("INSERT INTO notes (text) VALUES ('b')")).rejects.toThrow();
  expect((await client.execute('SELECT text FROM notes')).rows.map((row) => row['text'])).toEqual(['b']);
});

test('a port where nobody listens, and then somebody does again', async () => {
  await server.setFault({ kind: 'refuse' });
  await expect(client.execute('SELECT 1')).rejects.toThrow();
  await server.setFault(null);
  await client.execute('SELECT 1');
});

test('silence, which only the caller can end', async () => {
  await server.setFault({ kind: 'hang' });
  const patient = createClient({
    url: server.url,
    fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(100) }),
  });
  await expect(patient.execute('SELECT 1')).rejects.toMatchObject({ name: 'TimeoutError' });
});
