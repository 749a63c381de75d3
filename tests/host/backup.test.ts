import { execFile } from 'node:child_process';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import LibSql from 'libsql';
import * as tar from 'tar';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readEnv } from '../../netlify/server/env.ts';
import { sql } from '../../netlify/server/db/database.ts';
import { migrate } from '../../netlify/server/db/migrate.ts';
import { idOf } from '../../netlify/server/http/retry-id.ts';
import { erasePersonalData } from '../../netlify/server/submissions/personal-data.ts';
import { servicesOf } from '../../netlify/server/services.ts';
import { commandEnvironment } from '../support/command.ts';
import { anInquiry } from '../support/inquiries.ts';
import { smallDisk } from '../support/small-disk.ts';
import { verify } from '../../host/commands/archive.ts';
import { backUp, listErasures, prune } from '../../host/commands/backup.ts';
import { restore } from '../../host/commands/restore.ts';
import { openPlatform } from '../../host/data/platform.ts';
import { adviceOn } from '../../host/errors.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-test-'));
  data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  await copyFile(join(migrated, 'site.db'), join(data, 'site.db'));
});
/** A folder with a migrated database, which each test copies, because the migrations wait for the disk. */
let migrated: string;
beforeAll(async () => {
  migrated = await mkdtemp(join(tmpdir(), 'migrated-'));
  await (await open(migrated)).close();
});
afterAll(() => rm(migrated, { recursive: true, force: true }));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Opens the site's stores with this data folder. */
async function open(directory: string) {
  const platform = await openPlatform(readEnv({ DATA_DIR: directory }));
  const database = await platform.openEmbeddedDatabase!();
  await migrate(database);
  const services = servicesOf(platform.env, database, platform.openBlobStore);
  const { stores, blobs } = services;
  const close = () => platform.close();
  return { services, stores, blobs, database, close };
}

async function siteWithAnInquiry() {
  const site = await open(data);
  const at = '2026-11-21T10:00:00.000Z';
  await site.stores.inquiries.create({
    input: anInquiry(),
    id: 'a'.repeat(64),
    createdAt: at,
    status: 'inbox',
    suspicions: [],
  });
  await site.blobs('resumes').set('one', 'The resume');
  return site;
}

test('a backup of a running site restores all its data', async () => {
  const site = await siteWithAnInquiry();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  const before = await site.stores.inquiries.list({ q: '', sort: '-createdAt', limit: 50, status: 'inbox' });
  await site.close();
  await rm(data, { recursive: true });

  await restore(archive, data);
  const again = await open(data);
  expect(await again.stores.inquiries.list({ q: '', sort: '-createdAt', limit: 50, status: 'inbox' })).toEqual(before);
  expect(before.data).toHaveLength(1);
  expect(await again.blobs('resumes').get('one')).toBe('The resume');
  await again.close();
  expect((await readdir(folder)).sort()).toEqual(['backup.tar.gz', 'data', 'erasures.json']);
});

test('a backup made after an erasure can be restored, and contains none of the erased text', async () => {
  const site = await open(data);
  const send = (index: number, words: string) =>
    site.stores.inquiries.create({
      input: anInquiry({ email: `${words}${index}@firm.example`, message: `We count to ${index}. ${words}` }),
      id: idOf(`${index}`, {}),
      createdAt: '2026-11-21T10:00:00.000Z',
      status: 'inbox',
      suspicions: [],
    });
  for (let index = 0; index < 30; index += 1) await send(index, index % 10 === 3 ? 'Xylographzq' : 'person');
  for (const index of [3, 13, 23]) await site.stores.inquiries.remove(idOf(`${index}`, {}));
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  await site.close();
  await rm(data, { recursive: true });

  await restore(archive, data);
  expect((await readFile(join(data, 'site.db'), 'latin1')).toLowerCase()).not.toContain('ylographzq');
  const again = await open(data);
  const found = await again.stores.inquiries.list({ q: 'count', sort: '-createdAt', limit: 50, status: 'inbox' });
  expect(found.data).toHaveLength(27);
  await again.close();
});

test('a backup that starts during another one does not disturb it', async () => {
  const site = await siteWithAnInquiry();
  await site.database.write(sql`CREATE TABLE large AS SELECT randomblob(3000000) AS bytes`);
  const [one, two] = ['one', 'two'].map((name) => join(folder, `${name}.tar.gz`)) as [string, string];
  const first = backUp(data, one);
  await vi.waitFor(async () => expect((await readdir(data)).join()).toContain('.backup-'), { interval: 1 });
  await Promise.all([first, backUp(data, two)]);
  for (const archive of [one, two]) await verify(archive, folder);
  await site.close();
});

test('a backup removes the files of an interrupted backup', async () => {
  const site = await siteWithAnInquiry();
  const left = join(data, '.backup-abc123');
  await mkdir(left);
  await utimes(left, new Date(), new Date(Date.now() - 2 * 24 * 3_600_000));
  await backUp(data, join(folder, 'one.tar.gz'));
  expect(await readdir(data)).not.toContain('.backup-abc123');
  await site.close();
});

test('a check on a full disk fails with an explanation', async ({ skip }) => {
  const disk = await smallDisk(1);
  if (!disk) return skip();
  try {
    const site = await siteWithAnInquiry();
    await site.database.write(sql`CREATE TABLE large AS SELECT randomblob(3000000) AS bytes`);
    const archive = join(folder, 'one.tar.gz');
    await backUp(data, archive);
    expect(await verify(archive, disk.folder).catch(adviceOn)).toMatch(/^The disk is full/);
    await site.close();
  } finally {
    await disk.remove();
  }
});

test('a restore never overwrites data', async () => {
  const site = await siteWithAnInquiry();
  await site.close();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  await expect(restore(archive, data)).rejects.toThrow('already holds data, and a restore never overwrites data');
});

test('a damaged backup is refused with the reason', async () => {
  const site = await siteWithAnInquiry();
  await site.close();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  await writeFile(join(folder, 'none.tar.gz'), 'no archive');
  await expect(restore(join(folder, 'none.tar.gz'), join(folder, 'new'))).rejects.toThrow('Nothing was changed');

  const bytes = await readFile(archive);
  bytes[bytes.length >> 1]! ^= 0xff;
  await writeFile(join(folder, 'changed.tar.gz'), bytes);
  await expect(restore(join(folder, 'changed.tar.gz'), join(folder, 'new'))).rejects.toThrow('Nothing was changed');
  expect(await readdir(folder)).not.toContain('new');
});

test('a backup never overwrites an earlier backup', async () => {
  const site = await siteWithAnInquiry();
  await site.close();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  await expect(backUp(data, archive)).rejects.toThrow('already exists');
});

test('a backup creates a missing folder, and an archive that may not be read says so', async () => {
  const site = await siteWithAnInquiry();
  await site.close();
  const run = async (command: 'backup' | 'restore', path: string) =>
    await promisify(execFile)(process.execPath, [`host/commands/${command}.ts`, path], {
      env: commandEnvironment({ DATA_DIR: data }),
    }).then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    );
  const missing = join(folder, 'safe', 'backups');
  expect(await run('backup', `${missing}/`)).toContain('can be restored');
  expect(await readdir(missing)).toEqual([expect.stringMatching(/^backup-.*\.tar\.gz$/), 'erasures.json']);
  const archive = join(folder, 'backup.tar.gz');
  expect(await run('backup', archive)).toContain('can be restored');
  // The superuser may read every file.
  if (process.getuid?.() === 0) return;
  await chmod(archive, 0o200);
  expect(await run('restore', archive)).toContain(`no permission to use ${archive}`);
});

test('a backup can be checked without a restore', async () => {
  const site = await siteWithAnInquiry();
  await site.close();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  expect(await verify(archive, folder)).toMatch(/^20\d\d-/);
  const whole = await readFile(archive);
  await writeFile(archive, whole.subarray(0, whole.length / 2));
  await expect(verify(archive, folder)).rejects.toThrow('cannot be restored');
  expect((await readdir(folder)).sort()).toEqual(['backup.tar.gz', 'data', 'erasures.json']);
});

test.for([
  ['a link', async (staging: string) => await symlink('blobs', join(staging, 'images'))],
  ['a path into another folder', async (staging: string) => await writeFile(join(staging, '..', 'outside'), 'bytes')],
] as const)('an archive with %s is refused by a check and by a restore', async ([, add]) => {
  const site = await siteWithAnInquiry();
  await site.close();
  const staging = join(folder, 'staging');
  await mkdir(staging);
  await backUp(data, join(folder, 'backup.tar.gz'));
  await tar.extract({ file: join(folder, 'backup.tar.gz'), cwd: staging });
  await add(staging);
  const hostile = join(folder, 'hostile.tar.gz');
  const outside = (await readdir(folder)).filter((name) => name === 'outside').map((name) => `../${name}`);
  await tar.create({ gzip: true, cwd: staging, file: hostile, preservePaths: true }, ['.', ...outside]);
  await expect(verify(hostile, folder)).rejects.toThrow('which no backup of this site contains');
  await expect(restore(hostile, join(folder, 'new'))).rejects.toThrow('which no backup of this site contains');
  expect(await readdir(folder)).not.toContain('new');
});

test('restored files are readable only for the account that runs the site', async () => {
  const site = await siteWithAnInquiry();
  await site.close();
  const staging = join(folder, 'staging');
  await mkdir(staging);
  await backUp(data, join(folder, 'backup.tar.gz'));
  await tar.extract({ file: join(folder, 'backup.tar.gz'), cwd: staging });
  await chmod(join(staging, 'blobs'), 0o777);
  await chmod(join(staging, 'site.db'), 0o4777);
  await tar.create({ gzip: true, cwd: staging, file: join(folder, 'open.tar.gz') }, ['.']);
  await restore(join(folder, 'open.tar.gz'), join(folder, 'new'));
  const modes = ['site.db', 'blobs'].map(async (name) => (await stat(join(folder, 'new', name))).mode & 0o7777);
  expect(await Promise.all(modes)).toEqual([0o600, 0o700]);
});

test('a backup that an earlier version made after an erasure can be restored too', async () => {
  const site = await open(data);
  const { database } = site;
  await database.write(sql`INSERT INTO submissions_words (submissions_words, rank) VALUES ('secure-delete', 1)`);
  for (const index of [1, 2, 3]) {
    await site.stores.inquiries.create({
      input: anInquiry({ message: `We count to ${index}` }),
      id: idOf(`${index}`, {}),
      createdAt: '2026-11-21T10:00:00.000Z',
      status: 'inbox',
      suspicions: [],
    });
  }
  await site.close();
  // Earlier versions used libSQL, whose full-text index is malformed after such a deletion.
  const earlier = new LibSql(join(data, 'site.db'));
  earlier.exec(`DELETE FROM submissions WHERE id = '${idOf('2', {})}'`);
  expect(earlier.prepare('PRAGMA integrity_check').get()).toMatchObject({
    integrity_check: expect.stringContaining('malformed inverted index'),
  });
  earlier.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  earlier.close();
  const old = join(folder, 'old');
  await mkdir(old);
  await writeFile(join(old, 'site.db'), await readFile(join(data, 'site.db')));
  await writeFile(
    join(old, 'manifest.json'),
    JSON.stringify({ format: 1, createdAt: '2026-11-21T10:00:00.000Z', files: {} }),
  );
  const archive = join(folder, 'old.tar.gz');
  await tar.create({ gzip: true, cwd: old, file: archive }, ['.']);

  await restore(archive, join(folder, 'new'));
  const again = await open(join(folder, 'new'));
  const found = await again.stores.inquiries.list({ q: 'count', sort: '-createdAt', limit: 50, status: 'inbox' });
  expect(found.data).toHaveLength(2);
  await again.close();
});

test('a backup from a newer version is refused, and the error names the required version', async () => {
  const site = await siteWithAnInquiry();
  await site.database.write(sql`INSERT INTO migrations VALUES (9999, 'from the future', '2030-01-01')`);
  await site.close();
  const archive = join(folder, 'backup.tar.gz');
  await expect(backUp(data, archive)).rejects.toThrow(/a newer version of this site made it .*schema 9999/);
  expect(await readdir(folder)).toEqual(['data']);
});

test('a restore works in the empty folder of a mounted disk', async () => {
  const site = await siteWithAnInquiry();
  await site.close();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  const mounted = join(folder, 'mounted');
  await mkdir(join(mounted, 'lost+found'), { recursive: true });
  const { ino } = await stat(mounted);
  await restore(archive, mounted);
  expect((await stat(mounted)).ino).toBe(ino);
  // The secret that signs sessions is not in a backup, so a stolen backup signs no one in.
  expect((await readdir(mounted)).sort()).toEqual(['blobs', 'lock', 'lock.txt', 'lost+found', 'site.db']);
});

test('if the folder cannot be created, the error names it without a stack trace', async () => {
  const site = await siteWithAnInquiry();
  await site.close();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  expect(await restore(archive, join(archive, 'data')).catch(adviceOn)).toMatch(
    /^Part of the path is not a folder: \S+data/,
  );
});

test('a restore repeats the erasures after the backup, unless the person wrote again', async () => {
  const site = await open(data);
  const send = async (id: string, email: string, createdAt: string) => {
    await site.stores.inquiries.create({ input: anInquiry({ email }), id, createdAt, status: 'inbox', suspicions: [] });
  };
  await send('1', 'Mara@quill.example', '2026-01-01T00:00:00.000Z');
  await send('2', 'other@person.example', '2026-01-01T00:00:00.000Z');
  const archive = join(folder, 'backups', 'old.tar.gz');
  await backUp(data, archive);
  await erasePersonalData('mara@quill.example', site.services);
  // This submission is newer than the erasure, so a restore must not erase it.
  await send('3', 'mara@quill.example', '2999-01-01T00:00:00.000Z');
  const later = join(folder, 'backups', 'later.tar.gz');
  await backUp(data, later);
  await site.close();
  const list = await readFile(join(folder, 'backups', 'erasures.json'), 'utf8');
  expect(list).toMatch(/[0-9a-f]{64}/);
  expect(list).not.toMatch(/quill/i);

  const ids = async (directory: string) => {
    const again = await open(directory);
    const { data: rows } = await again.stores.inquiries.list({ q: '', sort: 'createdAt', limit: 50, status: 'inbox' });
    await again.close();
    return rows.map(({ id }) => id).sort();
  };
  const restored = await restore(archive, join(folder, 'new'));
  expect(restored).toMatchObject({ erasedAgain: 1, lists: [join(folder, 'backups', 'erasures.json')] });
  expect(await ids(join(folder, 'new'))).toEqual(['2']);
  expect((await readFile(join(folder, 'new', 'site.db'), 'latin1')).toLowerCase()).not.toContain('mara@quill');
  await restore(later, join(folder, 'newer'));
  expect(await ids(join(folder, 'newer'))).toEqual(['2', '3']);
});

test.for(['.damaged', '.old', '.old-2026-11-21'])(
  'a restore repeats the erasures of the former data folder with the ending %s, and adds its waiting inquiries',
  async (ending) => {
    const site = await open(data);
    const send = (id: string, email: string) =>
      site.stores.inquiries.create({
        input: anInquiry({ email }),
        id,
        createdAt: '2026-01-01T00:00:00.000Z',
        status: 'inbox',
        suspicions: [],
      });
    await send('1', 'mara@quill.example');
    await send('2', 'other@person.example');
    const archive = join(folder, 'backup.tar.gz');
    await backUp(data, archive);
    await rm(join(folder, 'erasures.json'));
    await erasePersonalData('mara@quill.example', site.services);
    await site.stores.spool.keep('inquiries', {
      input: anInquiry({ email: 'waiting@person.example' }),
      id: '3',
      createdAt: '2026-01-02T00:00:00.000Z',
      status: 'inbox',
      suspicions: [],
    });
    await site.close();
    await rename(data, `${data}${ending}`);

    expect(await restore(archive, data)).toMatchObject({
      erasedAgain: 1,
      lists: [`${data}${ending}`],
      waitingFrom: `${data}${ending}`,
    });
    const again = await open(data);
    const { data: rows } = await again.stores.inquiries.list({ q: '', sort: 'createdAt', limit: 50, status: 'inbox' });
    expect(rows.map(({ id }) => id)).toEqual(['2']);
    expect(await again.stores.spool.keys()).toEqual(['inquiries/3']);
    await again.close();
  },
);

test('a restore tells until when the erasures are known', async () => {
  const site = await siteWithAnInquiry();
  await site.close();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive, new Date('2026-11-21T10:00:00.000Z'));
  expect(await restore(archive, join(folder, 'new'))).toMatchObject({ knownUntil: '2026-11-21T10:00:00.000Z' });
  await listErasures(data, folder);
  const { knownUntil } = await restore(archive, join(folder, 'newer'));
  expect(Date.now() - Date.parse(knownUntil)).toBeLessThan(10 * 60_000);
});

test('only the newest backups in a folder are kept, and no other file is deleted', async () => {
  const backups = join(folder, 'backups');
  await mkdir(backups);
  const names = [
    'backup-2026-01-01-031500.tar.gz',
    'backup-2026-01-02-031500.tar.gz',
    'backup-2025-12-31-031500.tar.gz',
  ];
  for (const name of [...names, 'holiday.jpg', 'backup-of-mine.tar.gz']) await writeFile(join(backups, name), '');
  expect(await prune(backups, 2)).toEqual(['backup-2025-12-31-031500.tar.gz']);
  expect((await readdir(backups)).sort()).toEqual([
    'backup-2026-01-01-031500.tar.gz',
    'backup-2026-01-02-031500.tar.gz',
    'backup-of-mine.tar.gz',
    'holiday.jpg',
  ]);
});

test('a backup of a damaged database is refused, and earlier backups do not change', async () => {
  const site = await siteWithAnInquiry();
  await site.database.read(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
  await site.close();
  const bytes = await readFile(join(data, 'site.db'));
  bytes.fill(0xff, 8_192, 65_536);
  await writeFile(join(data, 'site.db'), bytes);
  await expect(backUp(data, join(folder, 'backup.tar.gz'))).rejects.toThrow(/^The database file is damaged/);
  expect(await readdir(folder)).toEqual(['data']);
});
