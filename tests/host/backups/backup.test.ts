import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { getStore } from '@netlify/blobs';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from '../../../netlify/server/db/database.ts';
import { migrate } from '../../../netlify/server/db/migrate.ts';
import { newestId } from '../../../netlify/server/db/migrations/from-30.ts';
import { readEnv } from '../../../netlify/server/env.ts';
import { idOf } from '../../../netlify/server/http/body.ts';
import type { BlobStore } from '../../../netlify/server/platform.ts';
import { servicesOf } from '../../../netlify/server/services.ts';
import { verify } from '../../../host/backups/archive.ts';
import { folderStore, pastBackups, prune } from '../../../host/backups/store.ts';
import { backUp } from '../../../host/commands/backup.ts';
import { openInThisThread } from '../../../host/data/sqlite.ts';
import { adviceOn } from '../../../host/errors.ts';
import { runCommand } from '../../support/host/command.ts';
import {
  data,
  folder,
  inbox,
  inquiryOf,
  openData,
  siteWithAnInquiry,
  useDataFolder,
} from '../../support/host/data-folder.ts';
import { startNetlifyServices } from '../../support/servers/netlify-services.ts';
import { smallDisk } from '../../support/faults/small-disk.ts';

useDataFolder();

/** Runs a command. @returns everything that it printed. */
const run = async (command: 'backup' | 'restore', path: string, variables: Record<string, string> = {}) =>
  (await runCommand(command, [path], { DATA_DIR: data, ...variables })).output;

test('a backup that starts during another one does not disturb it', async () => {
  const site = await siteWithAnInquiry();
  await site.database.write(sql`CREATE TABLE large AS SELECT randomblob(3000000) AS bytes`);
  const [one, two] = ['one', 'two'].map((name) => join(folder, `${name}.tar.gz`)) as [string, string];
  const first = backUp(data, one);
  await expect.poll(async () => (await readdir(data)).join(), { interval: 1 }).toContain('.backup-');
  await Promise.all([first, backUp(data, two)]);
  for (const archive of [one, two]) await verify(archive, folder);
  await site.close();
});

test('a backup removes the files of an interrupted backup', async () => {
  const site = await siteWithAnInquiry();
  for (const left of [join(data, '.backup-abc123'), join(folder, '.backup-def456')]) {
    await mkdir(left);
    await utimes(left, new Date(), new Date(Date.now() - 4 * 3_600_000));
  }
  await backUp(data, join(folder, 'one.tar.gz'));
  expect(await readdir(data)).not.toContain('.backup-abc123');
  expect(await readdir(folder)).not.toContain('.backup-def456');
  await site.close();
});

test('a backup that the disk has no space for says so, and writes no file', async (context) => {
  const disk = await smallDisk(140, context);
  const full = join(disk.folder, 'data');
  const site = await openData(full);
  await site.blobs('media').set('picture', new Blob([new Uint8Array(60 * 1024 ** 2)]));
  const [other, same] = [join(folder, 'backups'), join(disk.folder, 'backups')];
  await backUp(full, join(other, 'one.tar.gz'));
  await rm(join(other, 'one.tar.gz'));
  // On the disk of the data, the archive needs the space of the picture again.
  await expect(backUp(full, join(same, 'one.tar.gz'))).rejects.toThrow(
    /^A backup needs 12\d MB of free disk space for /,
  );
  expect(await readdir(same)).toEqual([]);
  await site.blobs('media').set('another', new Blob([new Uint8Array(20 * 1024 ** 2)]));
  await site.close();
  await expect(backUp(full, join(other, 'one.tar.gz'))).rejects.toThrow(
    /^A backup needs 6\d MB of free disk space for /,
  );
  expect(await readdir(other)).toEqual(['erasures']);
});

test('a check on a full disk fails with an explanation', async (context) => {
  const disk = await smallDisk(1, context);
  const site = await siteWithAnInquiry();
  await site.database.write(sql`CREATE TABLE large AS SELECT randomblob(3000000) AS bytes`);
  const archive = join(folder, 'one.tar.gz');
  await backUp(data, archive);
  expect(await verify(archive, disk.folder).catch(adviceOn)).toMatch(/^The disk is full/);
  await site.close();
});

test('a backup creates a missing folder, and says so if its folder is a file, or if an archive may not be read', async () => {
  const site = await siteWithAnInquiry();
  await site.close();
  const missing = join(folder, 'safe', 'backups');
  expect(await run('backup', `${missing}/`)).toContain('can be restored');
  expect(await readdir(missing)).toEqual([expect.stringMatching(/^backup-.*\.tar\.gz$/), 'erasures']);
  const archive = join(folder, 'backup.tar.gz');
  expect(await run('backup', archive)).toContain('can be restored');
  const file = join(data, 'site.db');
  expect(await run('backup', file)).toContain(`${file} is a file, not a folder.`);
  // The superuser may read every file.
  if (process.getuid?.() === 0) return;
  await chmod(archive, 0o200);
  expect(await run('restore', archive)).toContain(`no permission to use ${archive}`);
});

test('an encrypted backup is restored with its key, and without the key an error says what to set', async () => {
  await (await siteWithAnInquiry()).close();
  const key = randomBytes(32).toString('base64');
  expect(await run('backup', join(folder, 'plain.tar.gz'), { BACKUP_KEY: key })).toContain('ends in .tar.gz.age');
  expect(await run('backup', folder, { BACKUP_KEY: key })).toContain('can be restored');
  const name = (await readdir(folder)).find((one) => /^backup-[\d-]+\.tar\.gz\.age$/.test(one))!;
  const archive = join(folder, name);
  expect(pastBackups(await readdir(folder), new Date())).toEqual([name]);
  const before = await readFile(join(data, 'site.db'));
  expect(await readFile(archive, 'latin1')).toMatch(/^age-encryption\.org\/v1\n/);

  const at = { DATA_DIR: join(folder, 'new') };
  expect(await run('restore', archive, at)).toContain(`${archive} is encrypted. Set BACKUP_KEY`);
  expect(await run('restore', archive, { ...at, BACKUP_KEY: `${key}!` })).toContain('BACKUP_KEY does not decrypt');
  const whole = await readFile(archive);
  const changed = join(folder, 'changed.tar.gz.age');
  await writeFile(changed, whole.with(whole.length - 100, whole.at(-100)! ^ 1));
  expect(await run('restore', changed, { ...at, BACKUP_KEY: key })).toContain('cannot be restored');
  expect(await readdir(folder)).not.toContain('new');
  expect(await run('restore', archive, { ...at, BACKUP_KEY: key })).toContain('is restored to');
  expect((await readFile(join(folder, 'new', 'site.db'))).length).toBeGreaterThan(before.length / 2);
});

test('a backup of a site on Netlify has its database and its files, and a self-hosted server restores it', async () => {
  const netlify = await startNetlifyServices();
  onTestFinished(() => netlify.close());
  const { databaseFile, blobsContext, variables } = netlify;
  const apiURL = blobsContext.edgeURL;
  const database = openInThisThread(databaseFile);
  await migrate(database);
  const openStore = (name: string) => getStore({ name, ...blobsContext }) as BlobStore;
  const { stores } = servicesOf(readEnv({}), database, openStore);
  for (let index = 0; index < 250; index += 1) {
    await stores.submissions.create('inquiry', inquiryOf(idOf(`${index}`, {}), { message: `We count to ${index}.` }));
  }
  const resume = inquiryOf('1', {});
  await stores.resumes.create(resume.id, new Uint8Array([0, 255]));
  await stores.spool.keep('inquiry', inquiryOf('2', {}));
  await stores.erasures.note('email', ['erased@example.com'], '2026-01-01T00:00:00.000Z');
  await database.write(sql`INSERT INTO former_slugs VALUES ('old', 'one')`);
  const access = {
    LIBSQL_URL: variables['LIBSQL_URL']!,
    LIBSQL_AUTH_TOKEN: variables.LIBSQL_AUTH_TOKEN,
    // On another machine than a function, the package uses Netlify's API.
    NETLIFY_BLOBS_CONTEXT: Buffer.from(JSON.stringify({ ...blobsContext, edgeURL: undefined, apiURL })).toString(
      'base64',
    ),
    NETLIFY_SITE_ID: blobsContext.siteID,
    NETLIFY_AUTH_TOKEN: blobsContext.token,
    TMPDIR: join(folder, 'tmp'),
  };
  const left = join(access.TMPDIR, '.backup-abc123');
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'site.db'), 'the data of people, after a kill -9');
  const yesterday = new Date(Date.now() - 23 * 3_600_000);
  await utimes(left, yesterday, yesterday);
  const archive = join(folder, 'netlify.tar.gz');
  expect(await run('backup', archive, access)).toContain('can be restored');
  expect(await readdir(access.TMPDIR)).toEqual([]);

  const target = join(folder, 'new');
  expect(await run('restore', archive, { DATA_DIR: target })).toContain('is restored to');
  const restored = await openData(target);
  onTestFinished(() => restored.close());
  expect(await restored.database.read(sql`SELECT count(*) AS n FROM submissions`)).toMatchObject([{ n: 250 }]);
  expect((await restored.stores.submissions.list('inquiry', inbox('249'))).data).toHaveLength(1);
  expect(await restored.stores.resumes.get(resume.id)).toEqual(new Uint8Array([0, 255]));
  expect(await restored.stores.spool.keys()).toEqual(['inquiries/2']);
  expect(await restored.stores.erasures.hasErased('erased@example.com', '2025-01-01')).toBe(true);
  expect(await restored.database.read(sql`SELECT * FROM former_slugs`)).toMatchObject([{ slug: 'old' }]);

  // The server lists every file of its folder. It does not send this one, because keys have no spaces.
  await writeFile(join(dirname(databaseFile), 'blobs/entries/site/site:resumes/not sent'), '');
  const incomplete = await run('backup', join(folder, 'incomplete.tar.gz'), access);
  expect(incomplete).toBe(
    'Netlify lists the file not sent in the blob store resumes, but does not send it. Run the command again.\n',
  );

  await database.write(sql`INSERT INTO migrations VALUES (${newestId + 1}, 'from the future', '2030-01-01')`);
  database.close();
  expect(await run('backup', join(folder, 'newer.tar.gz'), access)).toContain('the schema of another version');
});

test('a backup from a newer version is refused, and the error names the required version', async () => {
  const site = await siteWithAnInquiry();
  await site.database.write(sql`INSERT INTO migrations VALUES (${newestId + 1}, 'from the future', '2030-01-01')`);
  await site.close();
  const archive = join(folder, 'backup.tar.gz');
  const refusal = new RegExp(`a newer version of this site made it .*schema ${newestId + 1};`);
  await expect(backUp(data, archive)).rejects.toThrow(refusal);
  expect(await readdir(folder)).toEqual(['data']);
});

test('only the newest backups in a folder are kept, and no other file is deleted', async () => {
  const backups = join(folder, 'backups');
  await mkdir(backups);
  const names = [
    'backup-2026-01-01-031500.tar.gz',
    'backup-2026-01-02-031500.tar.gz',
    'backup-2025-12-31-031500.tar.gz',
  ];
  // A wrong clock has named a backup.
  const future = 'backup-2999-01-01-031500.tar.gz';
  const others = ['holiday.jpg', 'backup-of-mine.tar.gz', future];
  for (const name of [...names, ...others]) await writeFile(join(backups, name), '');
  await prune(folderStore(backups), 2, new Date('2026-01-03T04:00:00.000Z'));
  expect((await readdir(backups)).sort()).toEqual([
    'backup-2026-01-01-031500.tar.gz',
    'backup-2026-01-02-031500.tar.gz',
    future,
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
