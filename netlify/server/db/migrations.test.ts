import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InValue } from '@libsql/client/http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readEnv } from '../runtime/env.ts';
import { type HranaServer, startHranaServer } from '../../../tests/support/hrana-server.ts';
import { connect } from '../platform/connect-database.ts';
import { openInThisThread } from '../../../host/data/sqlite.ts';
import { type Database, sql, text } from './database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'migrations-test-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const open = () => openInThisThread(join(directory, 'site.db'));

const at = '2026-03-02T18:30:00.000Z';

/** Values for columns whose type does not determine a valid value. */
const values: Readonly<Record<string, InValue>> = {
  email: 'dana@whitfield.example',
  full_name: 'Dana Whitfield',
  who: 'dana@whitfield.example',
  suspicions: '[]',
  transports: '[]',
  draft: '{}',
  metadata: '{}',
  resume_kind: 'pdf',
  kind: 'inquiry',
  published_at: at,
  first_published_at: at,
};
const statuses: Readonly<Record<string, string>> = { posts: 'published', post_versions: 'draft' };

const tablesOf = async (client: Database): Promise<string[]> => {
  const rows = await client.read(
    sql(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
     AND name NOT IN ('migrations', 'sqlite_schema', 'sqlite_sequence', 'sqlite_stat1')`),
  );
  return rows.map(({ name }) => text(name)).sort();
};

/**
 * Adds the outbox messages that newer schemas require before {@link addRows} may add a submission or notice. In older
 * schemas, triggers add the messages, so this function does nothing.
 */
async function addMessages(client: Database): Promise<void> {
  const rows = await client.read(sql(`SELECT 1 FROM sqlite_schema WHERE name = 'inquiries_need_messages_insert'`));
  if (rows.length === 0) return;
  await client.write(
    sql(`INSERT INTO outbox (kind, id, audience, status, due_at) VALUES ('inquiry', 'inquiries id', 'firm', 'waiting', '${at}'),
       ('application', 'applications id', 'firm', 'waiting', '${at}'), ('notice', 'notices id', 'admin', 'waiting', '${at}')`),
  );
}

/** Adds a row to every table, starting with the tables that others refer to. */
async function addRows(client: Database): Promise<void> {
  await addMessages(client);
  const tables = (await tablesOf(client)).filter((table) => table !== 'outbox');
  tables.sort((a, b) => Number(b === 'admins') - Number(a === 'admins'));
  for (const table of tables) {
    const rows = await client.read(sql(`SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo('${table}')`));
    const filled = rows.filter(
      ({ name, type, notnull, pk, hidden }) =>
        hidden === 0 && (notnull === 1 || pk !== 0 || text(name) in values) && !(type === 'INTEGER' && pk === 1),
    );
    const args = filled.map(({ name, type }): InValue => {
      const column = text(name);
      if (column === 'status') return statuses[table] ?? 'inbox';
      if (column in values) return values[column] ?? null;
      if (type === 'INTEGER') return 1;
      if (type === 'BLOB') return new Uint8Array([1, 2, 3]);
      return column === 'at' || column.endsWith('_at') ? at : `${table} ${column}`;
    });
    const names = filled.map(({ name }) => text(name)).join(', ');
    await client.write(
      sql(`INSERT OR IGNORE INTO ${table} (${names}) VALUES (${args.map(() => '?').join(', ')})`, ...args),
    );
  }
}

async function rowsOf(client: Database): Promise<Record<string, Record<string, unknown>>> {
  const found: Record<string, Record<string, unknown>> = {};
  for (const table of await tablesOf(client)) {
    const [row] = await client.read(sql(`SELECT * FROM ${table}`));
    if (row) found[table] = { ...row };
  }
  return found;
}

const schemaOf = async (client: Database) =>
  (await client.read(sql('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name'))).map(
    (row) => `${text(row.name)}: ${text(row.sql)}`,
  );

let fresh: Promise<string[]> | undefined;
/** Returns the schema of a new database. */
const freshSchema = () =>
  (fresh ??= (async () => {
    const client = openInThisThread(join(directory, 'fresh.db'));
    await migrate(client);
    const schema = await schemaOf(client);
    client.close();
    return schema;
  })());

test('A released migration never changes, because databases have it already', () => {
  const released = migrations.filter(({ id }) => id <= 28);
  expect(createHash('sha256').update(JSON.stringify(released)).digest('hex')).toBe(
    '3924bc28dc6d412ecac9a37884e13199cb1f4d1835a4083069276676fd3960ca',
  );
});

describe('A database from an earlier version, with data', () => {
  test.for(migrations.slice(0, -1).map(({ id, name }, index) => ({ id, name, versions: index + 1 })))(
    'is migrated and keeps every row: $id, $name',
    async ({ versions }) => {
      const file = join(directory, 'site.db');
      const database = openInThisThread(file);
      await migrate(database, migrations.slice(0, versions));
      const client = openInThisThread(file);
      await addRows(client);
      const before = await rowsOf(client);
      expect(Object.keys(before)).toEqual(await tablesOf(client));
      expect(await migrate(database)).toEqual(migrations.slice(versions).map(({ name }) => name));
      const after = await rowsOf(client);
      for (const [table, row] of Object.entries(before)) {
        // A later migration may have renamed a column.
        const kept = Object.fromEntries(Object.entries(row).filter(([name]) => name in (after[table] ?? {})));
        expect(after[table], table).toMatchObject(kept);
      }
      expect(await client.read(sql('PRAGMA integrity_check'))).toMatchObject([{ integrity_check: 'ok' }]);
      expect(await client.read(sql('PRAGMA foreign_key_check'))).toEqual([]);
      if ('inquiries' in before) {
        const words = await database.read(
          sql(`SELECT rowid FROM inquiries_words WHERE inquiries_words MATCH 'whitfield'`),
        );
        expect(words).toHaveLength(1);
      }
      expect(await schemaOf(client)).toEqual(await freshSchema());
      client.close();
      database.close();
    },
  );
});

test('A notice that waits during an update keeps its paragraphs, and loses the greeting and footer of the old template', async () => {
  const database = openInThisThread(join(directory, 'site.db'));
  await migrate(
    database,
    migrations.filter(({ id }) => id < 28),
  );
  const notice = async (id: string, words: string) =>
    await database.write(
      sql(
        `INSERT INTO outbox (kind, id, audience, status, due_at) VALUES ('notice', ?, 'admin', 'waiting', ?)`,
        id,
        at,
      ),
      sql(`INSERT INTO notices VALUES (?1, ?1, 'fault', 'owner@firm.example', 'Subject', ?2, ?3)`, id, words, at),
    );
  const footer = 'This message was sent automatically by the website of The Firm.\nhttps://www.firm.example/admin\n';
  await notice('1', `Hello,\n\nFirst.\n\nSecond.\n\n${footer}`);
  await notice('2', 'Hello, this is a text of its own.');
  await migrate(database);
  const rows = await database.read(sql('SELECT text FROM notices ORDER BY id'));
  expect(rows.map((row) => row.text)).toEqual(['First.\n\nSecond.', 'Hello, this is a text of its own.']);
  database.close();
});

describe('Migrations', () => {
  test('run once, even if two instances start together', async () => {
    const instances = [open(), open(), open()];
    const applied = await Promise.all(instances.map((database) => migrate(database)));
    expect(applied.flat().sort()).toEqual(migrations.map((migration) => migration.name).sort());
    expect(await migrate(open())).toEqual([]);
    for (const database of instances) database.close();
  });

  test('that fail leave no changes, and run after they are corrected', async () => {
    const database = open();
    const good = { id: 1, name: 'good', statements: ['CREATE TABLE a (x TEXT) STRICT'] };
    const bad = { id: 2, name: 'bad', statements: ['CREATE TABLE b (x TEXT) STRICT', 'CREATE NONSENSE'] };
    await expect(migrate(database, [good, bad])).rejects.toThrow(/syntax error/);
    const tables = await database.read(sql(`SELECT name FROM sqlite_schema WHERE name IN ('a', 'b')`));
    expect(tables.map(({ name }) => name)).toEqual(['a']);
    const corrected = { ...bad, statements: ['CREATE TABLE b (x TEXT) STRICT'] };
    expect(await migrate(database, [good, corrected])).toEqual(['bad']);
  });

  test('that were inserted between others still run once', async () => {
    const database = open();
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

describe('On a distant libSQL server', () => {
  let server: HranaServer;
  beforeEach(async () => {
    server = await startHranaServer({ path: join(directory, 'remote.db') });
  });
  afterEach(() => server.close());
  const instance = () => connect(readEnv({ LIBSQL_URL: server.url, SESSION_SECRET: 'x'.repeat(32) }));

  test('each migration is one request', async () => {
    const database = await instance();
    const before = server.requests;
    await migrate(database);
    expect(server.requests - before).toBeLessThan(migrations.length + 4);
    database.close();
  });

  test('eight instances that start together run each migration once', async () => {
    await server.setFault({ kind: 'delay', ms: 40 });
    const instances = await Promise.all(Array.from({ length: 8 }, instance));
    const applied = await Promise.all(instances.map((database) => migrate(database)));
    expect(applied.flat().sort()).toEqual(migrations.map(({ name }) => name).sort());
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
