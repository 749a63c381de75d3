import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import LibSql from 'libsql';
import * as tar from 'tar';
import { expect, onTestFinished, test } from 'vitest';
import { requireSession } from '../../../netlify/server/auth/sessions.ts';
import { sql } from '../../../netlify/server/db/database.ts';
import { idOf } from '../../../netlify/server/http/body.ts';
import { createSetUpLink, openSetUpLink } from '../../../netlify/server/people/set-up.ts';
import { erasePersonalData } from '../../../netlify/server/submissions/personal-data.ts';
import { verify } from '../../../host/backups/archive.ts';
import { backUp } from '../../../host/commands/backup.ts';
import { saveErasures } from '../../../host/backups/erasures.ts';
import { restore } from '../../../host/commands/restore.ts';
import { adviceOn } from '../../../host/errors.ts';
import { signedInAdmin } from '../../support/api/admins.ts';
import { smallDisk } from '../../support/faults/small-disk.ts';
import {
  aBackup,
  data,
  folder,
  inbox,
  inquiryOf,
  openData,
  siteWithAnInquiry,
  useDataFolder,
} from '../../support/host/data-folder.ts';

useDataFolder();

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
  const before = await site.stores.submissions.list('inquiry', inbox());
  // The session secret is in .env, so it is the same after the restore.
  const withSecret = ({ services }: typeof site) => ({
    ...services,
    env: { ...services.env, SESSION_SECRET: 'the same secret'.repeat(3) },
  });
  const request = new Request('http://site.test/', { headers: await signedInAdmin(withSecret(site)) });
  await expect(requireSession(request, withSecret(site))).resolves.toMatchObject({ email: 'owner@firm.example' });
  const { path } = await createSetUpLink('jane@firm.example', 'owner@firm.example', site.services);
  const token = path.slice(path.indexOf('#') + 1);
  await expect(openSetUpLink(token, site.services)).resolves.toMatchObject({ email: 'jane@firm.example' });
  await backUp(data, archive);
  await site.close();
  await rm(data, { recursive: true });

  await restore(archive, data);
  const again = await openData(data);
  expect(await again.stores.submissions.list('inquiry', inbox())).toEqual(before);
  expect(before.data).toHaveLength(1);
  expect(await again.blobs('resumes').get('one')).toBe('The resume');
  // A session that was ended and an invitation that was withdrawn after the backup must not work again, and the site
  // cannot know which ones they were.
  await expect(requireSession(request, withSecret(again))).rejects.toThrow('Please sign in.');
  await expect(openSetUpLink(token, again.services)).rejects.toThrow('This link is incomplete');
  await again.close();
  expect((await readdir(folder)).sort()).toEqual(['backup.tar.gz', 'data', 'erasures']);
});

test('a backup made after an erasure can be restored, and contains none of the erased text', async () => {
  const site = await openData(data);
  for (let index = 0; index < 30; index += 1) {
    const name = index % 10 === 3 ? 'Xylographzq' : 'person';
    const input = { email: `${name}${index}@firm.example`, message: `We count to ${index}. ${name}` };
    await site.stores.submissions.create('inquiry', inquiryOf(idOf(`${index}`, {}), input));
  }
  for (const index of [3, 13, 23]) await site.stores.submissions.remove(idOf(`${index}`, {}));
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  await site.close();
  await rm(data, { recursive: true });

  await restore(archive, data);
  expect((await readFile(join(data, 'site.db'), 'latin1')).toLowerCase()).not.toContain('ylographzq');
  const again = await openData(data);
  const found = await again.stores.submissions.list('inquiry', inbox('count'));
  expect(found.data).toHaveLength(27);
  await again.close();
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
  const site = await openData(data);
  const { database } = site;
  await database.write(sql`INSERT INTO submissions_words (submissions_words, rank) VALUES ('secure-delete', 1)`);
  for (const index of [1, 2, 3]) {
    await site.stores.submissions.create(
      'inquiry',
      inquiryOf(idOf(`${index}`, {}), { message: `We count to ${index}` }),
    );
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
  const again = await openData(join(folder, 'new'));
  const found = await again.stores.submissions.list('inquiry', inbox('count'));
  expect(found.data).toHaveLength(2);
  await again.close();
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

test('a restore onto a mounted disk with data names the commands that empty the disk, and then reads the moved data', async (context) => {
  const disk = await smallDisk(32, context);
  const former = `${disk.folder}.old`;
  onTestFinished(() => rm(former, { recursive: true, force: true }));
  const archive = await aBackup();
  await rm(join(dirname(archive), 'erasures'), { recursive: true });
  await (await openData(disk.folder)).close();
  const refused = await restore(archive, disk.folder).then(() => '', adviceOn);
  const commands = refused?.split('\n').slice(1).join('\n').replaceAll('(as root)', '') ?? '';
  expect(execFileSync('sh', ['-ec', commands], { encoding: 'utf8' })).toBe('');
  expect(await restore(archive, disk.folder)).toMatchObject({ lists: [former] });
});

test('a restore is refused while a former data folder cannot be read, because the restore would miss the erasures there', async () => {
  const archive = await aBackup();
  const former = join(folder, 'new.old');
  // Root may read every folder, but no account can read a link that leads to itself.
  await symlink(former, former);
  await expect(restore(archive, join(folder, 'new'))).rejects.toThrow(former);
});

test('if the folder cannot be created, the error names it without a stack trace', async () => {
  const archive = await aBackup();
  expect(await restore(archive, join(archive, 'data')).catch(adviceOn)).toMatch(
    /^Part of the path is not a folder: \S+data/,
  );
});

test('a restore repeats the erasures after the backup, unless the person wrote again', async () => {
  const site = await openData(data);
  await site.stores.submissions.create('inquiry', inquiryOf('1', { email: 'Mara@quill.example' }));
  await site.stores.submissions.create('inquiry', inquiryOf('2', { email: 'other@person.example' }));
  const archive = join(folder, 'backups', 'old.tar.gz');
  await backUp(data, archive);
  await erasePersonalData('mara@quill.example', site.services);
  // This submission is newer than the erasure, so a restore must not erase it.
  await site.stores.submissions.create(
    'inquiry',
    inquiryOf('3', { email: 'mara@quill.example' }, '2999-01-01T00:00:00.000Z'),
  );
  const later = join(folder, 'backups', 'later.tar.gz');
  await backUp(data, later);
  await site.close();
  const list = join(folder, 'backups', 'erasures');
  const [batch = '', ...others] = (await readdir(list)).sort();
  expect(others).toEqual(['complete-until.txt']);
  const erasure = await readFile(join(list, batch), 'utf8');
  expect(erasure).toMatch(/[0-9a-f]{64}/);
  expect(erasure).not.toMatch(/quill/i);

  const ids = async (directory: string) => {
    const again = await openData(directory);
    const { data: rows } = await again.stores.submissions.list('inquiry', inbox());
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

test('a restore repeats the erasures of a former data folder next to the new one, and adds its waiting inquiries', async () => {
  const site = await openData(data);
  await site.stores.submissions.create('inquiry', inquiryOf('1', { email: 'mara@quill.example' }));
  await site.stores.submissions.create('inquiry', inquiryOf('2', { email: 'other@person.example' }));
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  await rm(join(folder, 'erasures'), { recursive: true });
  await erasePersonalData('mara@quill.example', site.services);
  await site.stores.spool.keep('inquiry', inquiryOf('3', { email: 'waiting@person.example' }));
  await site.close();
  const former = `${data}.old-2026-11-21`;
  await rename(data, former);

  expect(await restore(archive, data)).toMatchObject({
    erasedAgain: 1,
    lists: [former],
    waitingFrom: former,
  });
  const again = await openData(data);
  const { data: rows } = await again.stores.submissions.list('inquiry', inbox());
  expect(rows.map(({ id }) => id)).toEqual(['2']);
  expect(await again.stores.spool.keys()).toEqual(['inquiries/3']);
  await again.close();
});

test('a restore tells until when the erasures are known, also from folders that were copied without their times', async () => {
  const site = await siteWithAnInquiry();
  const backups = join(folder, 'backups');
  await backUp(data, join(backups, 'backup.tar.gz'), new Date('2026-11-21T10:00:00.000Z'));
  const copied = join(folder, 'copied');
  await cp(backups, copied, { recursive: true });
  expect(await restore(join(copied, 'backup.tar.gz'), join(folder, 'new'))).toMatchObject({
    knownUntil: '2026-11-21T10:00:00.000Z',
  });

  await saveErasures(data, copied, new Date('2026-11-21T12:00:00.000Z'));
  expect(await restore(join(copied, 'backup.tar.gz'), join(folder, 'newer'))).toMatchObject({
    knownUntil: '2026-11-21T12:00:00.000Z',
  });

  // A power failure has interrupted the copy of an erasure.
  await writeFile(join(copied, 'erasures', 'interrupted'), '');
  await restore(join(copied, 'backup.tar.gz'), join(folder, 'third'));

  await erasePersonalData('mara@quill.example', { ...site.services, now: () => new Date('2026-11-21T11:00:00.000Z') });
  await site.close();
  await cp(data, join(folder, 'newest.old'), { recursive: true });
  expect(await restore(join(backups, 'backup.tar.gz'), join(folder, 'newest'))).toMatchObject({
    knownUntil: '2026-11-21T11:00:00.000Z',
  });
});
