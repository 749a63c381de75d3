import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, LibsqlError, type Client } from '@libsql/client/http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startHranaServer, type HranaServer } from './hrana-server.ts';

let folder: string;
let server: HranaServer;
let client: Client;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hrana-'));
  server = await startHranaServer({ path: join(folder, 'test.db') });
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

test('every type of value survives a round trip', async () => {
  const data = new Uint8Array([0, 1, 255]);
  const inserted = await client.execute({
    sql: 'INSERT INTO notes (text, weight, data) VALUES (?, ?, ?)',
    args: ['naïve ☃', 1.5, data],
  });
  expect(inserted.rowsAffected).toBe(1);
  expect(inserted.lastInsertRowid).toBe(1n);
  const { rows, columns, columnTypes } = await client.execute({
    sql: 'SELECT id, text, weight, data, NULL AS empty, 9007199254740991 AS big FROM notes WHERE text = ?',
    args: ['naïve ☃'],
  });
  expect(columns).toEqual(['id', 'text', 'weight', 'data', 'empty', 'big']);
  expect(columnTypes.slice(0, 4)).toEqual(['INTEGER', 'TEXT', 'REAL', 'BLOB']);
  expect(rows[0]).toMatchObject({ id: 1, text: 'naïve ☃', weight: 1.5, empty: null, big: 9007199254740991 });
  expect(new Uint8Array(rows[0]?.['data'] as ArrayBuffer)).toEqual(data);
});

test('a statement that returns rows counts its changes', async () => {
  const result = await client.execute("INSERT INTO notes (text) VALUES ('a'), ('b') RETURNING id");
  expect(result.rowsAffected).toBe(2);
  expect(result.rows.map((row) => row['id'])).toEqual([1, 2]);
  expect((await client.execute('SELECT 1')).rowsAffected).toBe(0);
});

test('a batch is atomic, and an error has only the primary code', async () => {
  await client.batch([{ sql: 'INSERT INTO notes (text) VALUES (?)', args: ['a'] }, 'SELECT 1'], 'write');
  const refused = await client
    .batch(["INSERT INTO notes (text) VALUES ('b')", "INSERT INTO notes (text) VALUES ('a')"], 'write')
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(LibsqlError);
  expect(refused).toMatchObject({ code: 'SQLITE_CONSTRAINT', extendedCode: undefined });
  expect(await count()).toBe(1);
});

test('many simultaneous writers all get their turn', async () => {
  const writers = Array.from({ length: 20 }, (_, index) =>
    client.batch([{ sql: 'INSERT INTO notes (text) VALUES (?)', args: [`note ${index}`] }, 'SELECT 1'], 'write'),
  );
  await Promise.all(writers);
  expect(await count()).toBe(20);
});

test('a token is required if one is set', async () => {
  const guarded = await startHranaServer({ path: join(folder, 'test.db'), authToken: 'secret' });
  const stranger = createClient({ url: guarded.url });
  const friend = createClient({ url: guarded.url, authToken: 'secret' });
  expect(await codeOf(stranger.execute('SELECT 1'))).toBe('SERVER_ERROR');
  expect((await friend.execute('SELECT 1 AS one')).rows[0]?.['one']).toBe(1);
  await guarded.close();
});

test('a connection is cut before or after the statement runs', async () => {
  await server.setFault({ kind: 'cut', when: 'before' });
  await expect(client.execute("INSERT INTO notes (text) VALUES ('a')")).rejects.toThrow();
  await server.setFault({ kind: 'cut', when: 'after', matching: /INSERT/ });
  await expect(client.execute("INSERT INTO notes (text) VALUES ('b')")).rejects.toThrow();
  expect((await client.execute('SELECT text FROM notes')).rows.map((row) => row['text'])).toEqual(['b']);
});
