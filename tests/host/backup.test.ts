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
import { backUp, prune } from '../../host/commands/backup.ts';
import { saveErasures } from '../../host/commands/erasures.ts';
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

const inquiryOf = (
  id: string,
  input: Parameters<typeof anInquiry>[0] = {},
  createdAt = '2026-01-01T00:00:00.000Z',
) => ({
  input: anInquiry(input),
  id,
  createdAt,
  status: 'inbox' as const,
  suspicions: [],
});
const inbox = (q = '') => ({ q, sort: '-createdAt' as const, limit: 50, status: 'inbox' as const });

async function siteWithAnInquiry() {
  const site = await open(data);
  await site.stores.inquiries.create(inquiryOf('a'.repeat(64)));
  await site.blobs('resumes').set('one', 'The resume');
  return site;
}

/** Makes a backup of a site with an inquiry. @returns the archive. */
async function aBackup(): Promise<string> {
  await (await siteWithAnInquiry()).close();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  return archive;
}

/** Makes a backup, changes its unpacked files in a folder, and packs them again. @returns the new archive. */
async function changedBackup(change: (staging: string) => Promise<unknown>): Promise<string> {
  const staging = join(folder, 'staging');
  await mkdir(staging);
  await tar.extract({ file: await aBackup(), cwd: staging });
  await change(staging);
  const archive = join(folder, 'changed.tar.gz');
  const outside = (await readdir(folder)).filter((name) => name === 'outside').map((name) => `../${name}`);
  await tar.create({ gzip: true, cwd: staging, file: archive, preservePaths: true }, ['.', ...outside]);
  return archive;
}

test('a backup of a running site restores all its data', async () => {
  const site = await siteWithAnInquiry();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  const before = await site.stores.inquiries.list(inbox());
  await site.close();
  await rm(data, { recursive: true });

  await restore(archive, data);
  const again = await open(data);
  expect(await again.stores.inquiries.list(inbox())).toEqual(before);
  expect(before.data).toHaveLength(1);
  expect(await again.blobs('resumes').get('one')).toBe('The resume');
  await again.close();
  expect((await readdir(folder)).sort()).toEqual(['backup.tar.gz', 'data', 'erasures']);
});

test('a backup made after an erasure can be restored, and contains none of the erased text', async () => {
  const site = await open(data);
  for (let index = 0; index < 30; index += 1) {
    const name = index % 10 === 3 ? 'Xylographzq' : 'person';
    const input = { email: `${name}${index}@firm.example`, message: `We count to ${index}. ${name}` };
    await site.stores.inquiries.create(inquiryOf(idOf(`${index}`, {}), input));
  }
  for (const index of [3, 13, 23]) await site.stores.inquiries.remove(idOf(`${index}`, {}));
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  await site.close();
  await rm(data, { recursive: true });

  await restore(archive, data);
  expect((await readFile(join(data, 'site.db'), 'latin1')).toLowerCase()).not.toContain('ylographzq');
  const again = await open(data);
  const found = await again.stores.inquiries.list(inbox('count'));
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

test('a restore never overwrites data, and a backup never overwrites an earlier backup', async () => {
  const archive = await aBackup();
  await expect(backUp(data, archive)).rejects.toThrow('already exists');
  await expect(restore(archive, data)).rejects.toThrow('already holds data, and a restore never overwrites data');
});

test('a damaged backup is refused with the reason', async () => {
  const archive = await aBackup();
  await writeFile(join(folder, 'none.tar.gz'), 'no archive');
  await expect(restore(join(folder, 'none.tar.gz'), join(folder, 'new'))).rejects.toThrow('Nothing was changed');

  const bytes = await readFile(archive);
  bytes[bytes.length >> 1]! ^= 0xff;
  await writeFile(join(folder, 'changed.tar.gz'), bytes);
  await expect(restore(join(folder, 'changed.tar.gz'), join(folder, 'new'))).rejects.toThrow('Nothing was changed');
  expect(await readdir(folder)).not.toContain('new');
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
  expect(await readdir(missing)).toEqual([expect.stringMatching(/^backup-.*\.tar\.gz$/), 'erasures']);
  const archive = join(folder, 'backup.tar.gz');
  expect(await run('backup', archive)).toContain('can be restored');
  // The superuser may read every file.
  if (process.getuid?.() === 0) return;
  await chmod(archive, 0o200);
  expect(await run('restore', archive)).toContain(`no permission to use ${archive}`);
});

test('a backup can be checked without a restore', async () => {
  const archive = await aBackup();
  expect(await verify(archive, folder)).toMatch(/^20\d\d-/);
  const whole = await readFile(archive);
  await writeFile(archive, whole.subarray(0, whole.length / 2));
  await expect(verify(archive, folder)).rejects.toThrow('cannot be restored');
  expect((await readdir(folder)).sort()).toEqual(['backup.tar.gz', 'data', 'erasures']);
});

test.for([
  ['a link', async (staging: string) => await symlink('blobs', join(staging, 'images'))],
  ['a path into another folder', async (staging: string) => await writeFile(join(staging, '..', 'outside'), 'bytes')],
] as const)('an archive with %s is refused by a check and by a restore', async ([, add]) => {
  const hostile = await changedBackup(add);
  await expect(verify(hostile, folder)).rejects.toThrow('which no backup of this site contains');
  await expect(restore(hostile, join(folder, 'new'))).rejects.toThrow('which no backup of this site contains');
  expect(await readdir(folder)).not.toContain('new');
});

test('restored files are readable only for the account that runs the site', async () => {
  const open = await changedBackup(async (staging) => {
    await chmod(join(staging, 'blobs'), 0o777);
    await chmod(join(staging, 'site.db'), 0o4777);
  });
  await restore(open, join(folder, 'new'));
  const modes = ['site.db', 'blobs'].map(async (name) => (await stat(join(folder, 'new', name))).mode & 0o7777);
  expect(await Promise.all(modes)).toEqual([0o600, 0o700]);
});

test('a backup that an earlier version made after an erasure can be restored too', async () => {
  const site = await open(data);
  const { database } = site;
  await database.write(sql`INSERT INTO submissions_words (submissions_words, rank) VALUES ('secure-delete', 1)`);
  for (const index of [1, 2, 3]) {
    await site.stores.inquiries.create(inquiryOf(idOf(`${index}`, {}), { message: `We count to ${index}` }));
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
  const found = await again.stores.inquiries.list(inbox('count'));
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
  const archive = await aBackup();
  const mounted = join(folder, 'mounted');
  await mkdir(join(mounted, 'lost+found'), { recursive: true });
  const { ino } = await stat(mounted);
  await restore(archive, mounted);
  expect((await stat(mounted)).ino).toBe(ino);
  // The secret that signs sessions is not in a backup, so a stolen backup signs no one in.
  expect((await readdir(mounted)).sort()).toEqual(['blobs', 'lock', 'lock.txt', 'lost+found', 'site.db']);
});

test('if the folder cannot be created, the error names it without a stack trace', async () => {
  const archive = await aBackup();
  expect(await restore(archive, join(archive, 'data')).catch(adviceOn)).toMatch(
    /^Part of the path is not a folder: \S+data/,
  );
});

test('a restore repeats the erasures after the backup, unless the person wrote again', async () => {
  const site = await open(data);
  const { inquiries } = site.stores;
  await inquiries.create(inquiryOf('1', { email: 'Mara@quill.example' }));
  await inquiries.create(inquiryOf('2', { email: 'other@person.example' }));
  const archive = join(folder, 'backups', 'old.tar.gz');
  await backUp(data, archive);
  await erasePersonalData('mara@quill.example', site.services);
  // This submission is newer than the erasure, so a restore must not erase it.
  await inquiries.create(inquiryOf('3', { email: 'mara@quill.example' }, '2999-01-01T00:00:00.000Z'));
  const later = join(folder, 'backups', 'later.tar.gz');
  await backUp(data, later);
  await site.close();
  const list = join(folder, 'backups', 'erasures');
  const [batch = '', ...others] = await readdir(list);
  expect(others).toEqual([]);
  const erasure = await readFile(join(list, batch), 'utf8');
  expect(erasure).toMatch(/[0-9a-f]{64}/);
  expect(erasure).not.toMatch(/quill/i);

  const ids = async (directory: string) => {
    const again = await open(directory);
    const { data: rows } = await again.stores.inquiries.list(inbox());
    await again.close();
    return rows.map(({ id }) => id).sort();
  };
  const restored = await restore(archive, join(folder, 'new'));
  expect(restored).toMatchObject({ erasedAgain: 1, lists: [list] });
  expect(await ids(join(folder, 'new'))).toEqual(['2']);
  // Earlier versions wrote one file.
  const earlier = { until: '2026-11-21T10:00:00.000Z', erasures: [JSON.parse(erasure)] };
  await mkdir(join(folder, 'earlier'));
  await rename(archive, join(folder, 'earlier', 'old.tar.gz'));
  await writeFile(join(folder, 'earlier', 'erasures.json'), JSON.stringify(earlier));
  expect(await restore(join(folder, 'earlier', 'old.tar.gz'), join(folder, 'again'))).toMatchObject({ erasedAgain: 1 });
  expect((await readFile(join(folder, 'new', 'site.db'), 'latin1')).toLowerCase()).not.toContain('mara@quill');
  await restore(later, join(folder, 'newer'));
  expect(await ids(join(folder, 'newer'))).toEqual(['2', '3']);
});

test.for(['.damaged', '.old', '.old-2026-11-21'])(
  'a restore repeats the erasures of the former data folder with the ending %s, and adds its waiting inquiries',
  async (ending) => {
    const site = await open(data);
    await site.stores.inquiries.create(inquiryOf('1', { email: 'mara@quill.example' }));
    await site.stores.inquiries.create(inquiryOf('2', { email: 'other@person.example' }));
    const archive = join(folder, 'backup.tar.gz');
    await backUp(data, archive);
    await rm(join(folder, 'erasures'), { recursive: true });
    await erasePersonalData('mara@quill.example', site.services);
    await site.stores.spool.keep('inquiries', inquiryOf('3', { email: 'waiting@person.example' }));
    await site.close();
    await rename(data, `${data}${ending}`);

    expect(await restore(archive, data)).toMatchObject({
      erasedAgain: 1,
      lists: [`${data}${ending}`],
      waitingFrom: `${data}${ending}`,
    });
    const again = await open(data);
    const { data: rows } = await again.stores.inquiries.list(inbox());
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
  await saveErasures(data, folder);
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
