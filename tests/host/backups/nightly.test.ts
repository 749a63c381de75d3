import { mkdir, readdir, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import * as tar from 'tar';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lastRehearsal, rehearse, unfinished } from '../../../host/backups/rehearsal.ts';
import { bucket, folderStore } from '../../../host/backups/store.ts';
import { backUp } from '../../../host/commands/backup.ts';
import { isDue, isRehearsalDue } from '../../../host/commands/nightly.ts';
import { saveErasures } from '../../../host/backups/erasures.ts';
import { erasePersonalData } from '../../../netlify/server/submissions/personal-data.ts';
import { runCommand } from '../../support/host/command.ts';
import { takeLog } from '../../support/console.ts';
import { data, folder, inbox, openData, siteWithAnInquiry, useDataFolder } from '../../support/host/data-folder.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { freePort } from '../../support/servers/ports.ts';

useDataFolder();

const stagingIn = async (directory: string) => (await readdir(directory)).filter((name) => name.startsWith('.'));

/** Runs a command. @returns everything that it printed. */
const run = async (command: 'nightly' | 'restore', args: readonly string[], variables: Record<string, string>) =>
  (await runCommand(command, args, { DATA_DIR: data, ...variables })).output;

describe('An S3-compatible store', () => {
  let server: S3rver;
  let address: string;
  beforeEach(async () => {
    server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: join(folder, 's3'),
      configureBuckets: [{ name: 'firm' }],
    });
    const { port } = await server.run();
    address = `http://S3RVER:S3RVER@127.0.0.1:${port}/firm/site`;
  });
  afterEach(() => server.close());

  const key = 'a key with more than thirty-two characters';

  test('keeps 14 encrypted backups and the erasures, and a new machine restores the newest one', async () => {
    const site = await siteWithAnInquiry();
    const { email } = anInquiry();
    await site.stores.erasures.note('email', ['erased@example.com'], '2026-01-01T00:00:00.000Z');
    await site.close();
    const store = bucket(address, folder);
    const earlier = Array.from({ length: 15 }, (_, day) => `backup-2020-01-${10 + day}-031500.tar.gz`);
    const others = ['backup-2999-01-01-031500.tar.gz', 'erasures/further/one', 'notes.txt'];
    await store.add(async (to) => {
      await mkdir(join(to, 'erasures/further'), { recursive: true });
      for (const name of [...earlier, ...others]) await writeFile(join(to, name), '');
    });
    const left = join(data, '.backup-abc123');
    await mkdir(left);
    await utimes(left, new Date(), new Date(Date.now() - 4 * 3_600_000));

    const variables = { BACKUP_URL: address, BACKUP_KEY: key };
    const report: unknown = JSON.parse(await run('nightly', [], variables));
    expect(report).toMatchObject({ made: true, rehearsal: { error: null } });
    const { newestAt } = report as { newestAt: string };
    const newest = `backup-${newestAt.slice(0, 19).replaceAll(':', '').replace('T', '-')}.tar.gz.age`;
    const names = await store.list();
    const erasures = names.filter((name) => /^erasures\/[^/]+$/.test(name));
    expect(erasures).toHaveLength(2);
    expect(names.filter((name) => !erasures.includes(name)).sort()).toEqual([...earlier.slice(2), newest, ...others]);
    expect(await stagingIn(data)).toEqual([]);
    expect(JSON.parse(await run('nightly', [], variables))).toMatchObject({ made: false, newestAt });

    const target = { ...variables, DATA_DIR: join(folder, 'new') };
    const downloads = join(folder, 'downloads');
    expect(await run('restore', ['--download', downloads], variables)).toContain(newest);
    expect((await readdir(downloads, { recursive: true })).sort()).toEqual([newest, 'erasures', ...erasures]);
    expect(await run('restore', [join(downloads, newest)], target)).toContain('is restored to');
    const restored = await openData(target.DATA_DIR);
    expect(await restored.stores.submissions.list('inquiry', inbox())).toMatchObject({ data: [{ email }] });
    await restored.close();
  });

  test('that refuses the key or does not answer fails the backup with the reason, and without the secret', async () => {
    await (await siteWithAnInquiry()).close();
    const refused = await run('nightly', [], { BACKUP_URL: address.replace(':S3RVER', ':wrong/secret') });
    expect(refused).toMatch(/^The backup bucket at 127\.0\.0\.1:\d+ refuses a request: SignatureDoesNotMatch\./);
    const unused = address.replace(/:\d+\//, `:${await freePort()}/`);
    const silent = await run('nightly', [], { BACKUP_URL: unused });
    expect(silent).toMatch(/^The backup bucket at 127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/);
    expect(refused + silent).not.toMatch(/secret|S3RVER/);
    expect(await stagingIn(data)).toEqual([]);
    // The server reports that it has no log for the refused request.
    takeLog();
  });
});

test('A backup is due at three at night, and at any time if the last one is more than 26 hours old', () => {
  // Three in the morning in Los Angeles, in winter.
  const night = new Date('2026-11-21T11:05:00.000Z');
  const before = (hours: number) => new Date(night.getTime() - hours * 3_600_000);
  expect(isDue(null, before(12))).toBe(true);
  expect(isDue(before(24), night)).toBe(true);
  expect(isDue(before(1), night)).toBe(false);
  expect(isDue(before(24), before(1))).toBe(false);
  expect(isDue(before(24), before(-1))).toBe(false);
  expect(isDue(before(25), before(-1))).toBe(true);
});

test('A rehearsal is due every month, after each backup while it fails, and in an hour if it was interrupted', () => {
  const now = new Date('2026-11-21T11:05:00.000Z');
  const last = (at: string, error: string | null = null) => ({ at: `${at}T11:00:00.000Z`, error });
  expect(isRehearsalDue(null, true, now)).toBe(true);
  expect(isRehearsalDue(last('2026-10-23'), true, now)).toBe(false);
  expect(isRehearsalDue(last('2026-10-22'), true, now)).toBe(true);
  expect(isRehearsalDue(last('2026-10-22'), false, now)).toBe(false);
  expect(isRehearsalDue(last('2027-10-22'), true, now)).toBe(true);
  expect(isRehearsalDue(last('2026-11-20', 'damaged'), true, now)).toBe(true);
  expect(isRehearsalDue(last('2026-11-20', 'damaged'), false, now)).toBe(false);
  expect(isRehearsalDue(last('2026-11-21', unfinished), false, now)).toBe(true);
});

test('A nightly backup does not fill the disk of an empty mount point, and repeats an interrupted rehearsal', async () => {
  await (await siteWithAnInquiry()).close();
  const variables = { BACKUP_DIR: join(folder, 'disk') };
  expect(JSON.parse(await run('nightly', [], variables))).toMatchObject({ made: true, rehearsal: { error: null } });
  await writeFile(
    join(data, 'last-rehearsal.json'),
    JSON.stringify({ at: '2026-11-21T11:00:00.000Z', error: unfinished }),
  );
  expect(JSON.parse(await run('nightly', [], variables))).toMatchObject({ made: false, rehearsal: { error: null } });
  await rename(variables.BACKUP_DIR, join(folder, 'unmounted'));
  await mkdir(join(variables.BACKUP_DIR, 'erasures'), { recursive: true });
  expect(await run('nightly', [], variables)).toMatch(/^The earlier backups are not in \S+disk\. .* mount the disk/);
  expect(await readdir(variables.BACKUP_DIR)).toEqual(['erasures']);
  // A clock that was wrong has named the only backup.
  await writeFile(join(variables.BACKUP_DIR, 'backup-2999-01-01-031500.tar.gz'), '');
  expect(JSON.parse(await run('nightly', [], variables))).toMatchObject({ made: true });
});

describe('The rehearsal of a restore', () => {
  const name = 'backup-2026-11-21-031500.tar.gz';
  const backups = () => join(folder, 'backups');
  const rehearseNow = async () => {
    await rehearse(folderStore(backups()), name, data);
    return await lastRehearsal(data);
  };

  test('succeeds after an erasure that the backup does not know, and changes no data', async () => {
    const site = await siteWithAnInquiry();
    await backUp(data, join(backups(), name));
    await erasePersonalData(anInquiry().email, site.services);
    await saveErasures(data, backups());
    await site.close();
    const before = await readdir(data, { recursive: true });
    expect(await rehearseNow()).toEqual({ at: expect.stringMatching(/^20\d\d-/), error: null });
    expect((await readdir(data, { recursive: true })).sort()).toEqual([...before, 'last-rehearsal.json'].sort());
  });

  test('looks only at the data of the site, because only root may read the lost+found folder of a mounted disk', async () => {
    await (await siteWithAnInquiry()).close();
    await backUp(data, join(backups(), name));
    // The tests may run as root, so a file that is too large to be restored shows whether the folder is read.
    await mkdir(join(data, 'lost+found'));
    await writeFile(join(data, 'lost+found/large'), '');
    await truncate(join(data, 'lost+found/large'), 2 ** 43);
    expect(await rehearseNow()).toMatchObject({ error: null });
  });

  test('fails if the backup is damaged, or if rows are missing, and says so', async () => {
    const site = await siteWithAnInquiry();
    await site.close();
    const archive = join(backups(), name);
    await backUp(data, archive);
    const unpacked = join(folder, 'unpacked');
    await mkdir(unpacked);
    await tar.extract({ file: archive, cwd: unpacked });
    const manifest = JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8'));
    manifest.rows.submissions += 1;
    await writeFile(join(unpacked, 'manifest.json'), JSON.stringify(manifest));
    await tar.create({ file: archive, cwd: unpacked, gzip: true }, ['.']);
    expect(await rehearseNow()).toMatchObject({ error: `${name} had 2 submissions, and the restored site has 1.` });
    const resumes = join(unpacked, 'blobs', 'entries', 'host', 'site:resumes');
    await rm(resumes, { recursive: true });
    await tar.create({ file: archive, cwd: unpacked, gzip: true }, ['.']);
    expect(await rehearseNow()).toMatchObject({
      error: expect.stringMatching(/it contains \d+ files, and should contain \d+/),
    });
    await writeFile(archive, (await readFile(archive)).subarray(0, 1_000));
    expect(await rehearseNow()).toMatchObject({ error: expect.stringContaining('cannot be restored') });
    expect(await stagingIn(data)).toEqual([]);
  });
});
