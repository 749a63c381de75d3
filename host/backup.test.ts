import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tar from 'tar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEnv } from '../netlify/server/env.ts';
import { migrate } from '../netlify/server/db/migrate.ts';
import { servicesOf } from '../netlify/server/services.ts';
import { anInquiry } from '../tests/support/inquiries.ts';
import { backUp, restore } from './backup.ts';
import { openPlatform } from './platform.ts';

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-test-'));
  data = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The site's stores over a data folder. */
async function open(directory: string) {
  const platform = await openPlatform(readEnv({ DATA_DIR: directory }));
  const database = await platform.openEmbeddedDatabase!();
  await migrate(database);
  const { stores, blobs } = servicesOf(platform.env, database, platform.openBlobStore);
  const close = () => platform.close();
  return { stores, blobs, close };
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

test('what was backed up while the site ran is there again after a restore', async () => {
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
  expect(await readdir(folder)).toEqual(['backup.tar.gz', 'data']);
});

test('a restore never overwrites data', async () => {
  const site = await siteWithAnInquiry();
  await site.close();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  await expect(restore(archive, data)).rejects.toThrow('holds data, which a restore never overwrites');
});

test('a damaged backup is refused, and says what is wrong with it', async () => {
  const site = await siteWithAnInquiry();
  await site.close();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  await writeFile(join(folder, 'none.tar.gz'), 'no archive');
  await expect(restore(join(folder, 'none.tar.gz'), join(folder, 'new'))).rejects.toThrow('Nothing was changed');

  const unpacked = await mkdtemp(join(folder, 'unpacked-'));
  await tar.extract({ file: archive, cwd: unpacked });
  await appendFile(join(unpacked, 'session-secret'), 'x');
  await tar.create({ gzip: true, cwd: unpacked, file: join(folder, 'changed.tar.gz') }, ['.']);
  await expect(restore(join(folder, 'changed.tar.gz'), join(folder, 'new'))).rejects.toThrow(
    'session-secret is not as it was',
  );
  expect(await readdir(folder)).not.toContain('new');
});

test('no earlier backup is overwritten', async () => {
  const site = await siteWithAnInquiry();
  await site.close();
  const archive = join(folder, 'backup.tar.gz');
  await backUp(data, archive);
  await expect(backUp(data, archive)).rejects.toThrow('is there already');
});
