import { open as openFile, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sql } from '../../../netlify/server/db/database.ts';
import { migrate } from '../../../netlify/server/db/migrate.ts';
import { type DatabaseFile, openDatabaseFile } from '../../../host/data/database.ts';
import { takeLog } from '../../support/console.ts';
import { folder, makeFolders } from '../../support/host/folder.ts';

makeFolders();
let file: string;
let database: DatabaseFile;
beforeEach(async () => {
  file = join(folder, 'site.db');
  database = await openDatabaseFile(file);
  await migrate(database);
  await database.write(sql`CREATE TABLE notes (text TEXT NOT NULL) STRICT`);
});
afterEach(() => database.closed());

const note = (text: string) => database.write(sql`INSERT INTO notes (text) VALUES (${text})`);
const notes = async () => (await database.read(sql`SELECT text FROM notes ORDER BY rowid`)).map(({ text }) => text);

/** Holds the write lock as another program would. @returns a function that releases the lock. */
function lockFile(): () => void {
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  return () => other.close();
}

describe('A database in separate threads', () => {
  test('rejects each invalid write separately and completely, with the message of SQLite', async () => {
    const outcomes = await Promise.allSettled([
      note('a'),
      database.write(sql`INSERT INTO notes VALUES ('half')`, sql`INSERT INTO none VALUES (1)`),
      note('b'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({
      reason: { message: expect.stringContaining('no such table') },
    });
    await expect(database.write(sql`INSERT INTO notes VALUES (${(() => 1) as never})`)).rejects.toThrow(
      'could not be cloned',
    );
    await expect(database.read(sql`SELECT missing`)).rejects.toThrow('no such column');
    expect(await notes()).toEqual(['a', 'b']);
  });

  test('reads committed data while another program holds the lock, and refuses writes after a time limit', async () => {
    await note('before');
    const unlock = lockFile();
    const refused = Promise.allSettled(Array.from({ length: 5 }, (_, n) => note(`during ${n}`)));
    expect(await notes()).toEqual(['before']);
    for (const outcome of await refused) expect(outcome).toMatchObject({ reason: { fault: 'locked' } });
    await expect(database.check()).rejects.toMatchObject({ fault: 'locked' });
    unlock();
    await note('after');
    await database.check();
    expect(await notes()).toEqual(['before', 'after']);
  });

  test('stores every write of a burst, with its own result', async () => {
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        database.write(
          sql`INSERT INTO notes (text) VALUES (${`n${index}`})`,
          sql`SELECT text FROM notes WHERE rowid = last_insert_rowid()`,
        ),
      ),
    );
    expect(results.map(([, selected]) => selected?.rows[0]?.text)).toEqual(
      Array.from({ length: 300 }, (_, index) => `n${index}`),
    );
  });

  test('removes deleted text from the disk after a short time without writes', async () => {
    const found = async () => {
      const files = ['site.db', 'site.db-wal'].map((name) => readFile(join(folder, name)));
      return (await Promise.all(files)).some((bytes) => bytes.includes('Rosa Delgado'));
    };
    await note('Rosa Delgado');
    await expect.poll(found).toBe(true);
    await database.write(sql`DELETE FROM notes`);
    await expect.poll(found).toBe(false);
  });

  test('refuses a read after the time limit, and answers the next ones', async () => {
    await database.closed();
    database = await openDatabaseFile(file, { limitMs: 50 });
    const long = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000000) SELECT max(i) FROM n`;
    await expect(database.read(long)).rejects.toMatchObject({ fault: 'slow' });
    await expect.poll(notes).toEqual([]);
  });

  // A result that is larger than the memory limit of a thread. It has few rows, because a read has a time limit.
  const hugeQuery = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) SELECT hex(zeroblob(300000)) || i FROM n`;

  test('replaces a reader that ran out of memory', async () => {
    await expect(database.read(hugeQuery)).rejects.toMatchObject({ name: 'DatabaseFault' });
    await expect.poll(notes).toEqual([]);
    expect(takeLog().join()).toContain('"role":"reader"');
  });

  test('replaces a writer that ran out of memory, and has stored every write that it acknowledged', async () => {
    const failed = expect(database.write(hugeQuery)).rejects.toMatchObject({ name: 'DatabaseFault' });
    // These writes wait behind the huge query. Whether they are stored or refused depends on how fast it fails.
    const behind = Array.from({ length: 5 }, (_, n) => `behind ${n}`);
    const outcomes = await Promise.allSettled(behind.map(note));
    await failed;
    await vi.waitFor(() => note('after'), 30_000);
    await database.apply([sql`INSERT INTO notes (text) VALUES (${'applied'})`]);
    const stored = await notes();
    expect(stored).toEqual(expect.arrayContaining(behind.filter((_, n) => outcomes[n]?.status === 'fulfilled')));
    expect(stored.slice(-2)).toEqual(['after', 'applied']);
    expect(takeLog().join()).toContain('"role":"writer"');
  });
});

describe('A database file that is', () => {
  test('deleted while the site runs is detected at the next write, and no empty database replaces it', async () => {
    await note('acknowledged');
    for (const name of await readdir(folder)) if (name.startsWith('site.db')) await rm(join(folder, name));
    await expect(note('refused')).rejects.toMatchObject({ fault: 'deleted' });
    await expect(note('refused too')).rejects.toMatchObject({ fault: 'deleted' });
    await expect(database.check()).rejects.toMatchObject({ fault: 'deleted' });
    expect(await notes()).toContain('acknowledged');
    await expect(stat(file)).rejects.toThrow('ENOENT');
    expect(takeLog().join()).toContain('database deleted');
  });

  test('replaced while the site runs is detected', async () => {
    await note('acknowledged');
    await rename(file, `${file}.moved`);
    await (await openFile(file, 'w')).close();
    await expect(note('refused')).rejects.toMatchObject({ fault: 'deleted' });
    expect(takeLog().join()).toContain('database deleted');
  });

  test('damaged is found at a start, and accepts no more writes', async () => {
    // Fills the pages that migrations left free, so the end of the file has only notes.
    for (let n = 0; n < 100; n += 1) await note(`${n}`.padStart(2_000, '.'));
    await database.closed();
    const handle = await openFile(file, 'r+');
    const { size } = await handle.stat();
    await handle.write(Buffer.alloc(65_536, 0xa5), 0, 65_536, size - 65_536);
    await handle.close();
    database = await openDatabaseFile(file, { inspect: true });
    await expect(database.check()).rejects.toMatchObject({ fault: 'corrupt' });
    await expect(note('refused')).rejects.toMatchObject({ fault: 'corrupt' });
    expect(takeLog().join()).toContain('database corrupt');
  });
});

test('A missing folder is named in the error', async () => {
  await expect(openDatabaseFile(join(folder, 'none', 'site.db'))).rejects.toMatchObject({ fault: 'unreachable' });
});
