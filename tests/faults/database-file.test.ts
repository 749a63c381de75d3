import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../../host/commands/backup.ts';
import { restore } from '../../host/commands/restore.ts';
import { startHostProcess, startThatFails } from '../support/host/host-process.ts';
import { inquiringCompanies, ownerVariables, readPage, sendInquiry } from '../support/samples/visitors.ts';
import { folder, makeFolders } from '../support/host/folder.ts';

makeFolders();

const databaseFiles = async (folder: string) =>
  (await readdir(folder)).filter((name) => /^site\.db(-wal|-shm)?$/.test(name));

test('When the database is deleted while the site runs, inquiries are acknowledged and are there after a restore, and the site does not start empty', async () => {
  const log: string[] = [];
  const host = await startHostProcess(undefined, ownerVariables, (line) => log.push(line));
  const data = host.dataDirectory;
  const archive = `${data}-backup/backup.tar.gz`;
  await mkdir(`${data}-backup`);
  expect((await sendInquiry(host.url, 'Before')).status).toBe(201);
  await backUp(data, archive);
  for (const name of await databaseFiles(data)) await rm(join(data, name));
  for (const company of ['During 1', 'During 2']) expect((await sendInquiry(host.url, company)).status).toBe(201);
  expect((await readPage(host.url)).status).toBe(200);
  await host.kill();
  expect(log.join('\n')).toContain('database deleted');
  expect(await databaseFiles(data)).toEqual([]);

  const said = await startThatFails(data, ownerVariables);
  expect(said).toContain('EMPTY_DATA=accept');

  await rename(data, `${data}.old`);
  await restore(archive, data);
  const again = await startHostProcess(data, ownerVariables);
  for (const company of ['During 1', 'During 2']) expect((await sendInquiry(again.url, company)).status).toBe(201);
  expect((await inquiringCompanies(again.url)).sort()).toEqual(['Before', 'During 1', 'During 2']);
  await again.stop();
});

test('A start without the files or the database of an earlier start is refused, until the owner accepts the loss', async () => {
  const first = await startHostProcess(undefined, ownerVariables);
  const data = first.dataDirectory;
  await first.kill();
  await rm(join(data, 'blobs'), { recursive: true });
  expect(await startThatFails(data, ownerVariables)).toMatch(
    /uploaded files and resumes was emptied or replaced[^]*EMPTY_DATA=accept/,
  );
  const host = await startHostProcess(data, { ...ownerVariables, EMPTY_DATA: 'accept' });
  expect((await readPage(host.url, '/api/health')).status).toBe(200);
  await host.stop();
  await expect(stat(data)).rejects.toThrow('ENOENT');
  const said = await startThatFails(data, ownerVariables);
  expect(said).toMatch(/mount the disk/);
  const empty = await startHostProcess(data, { ...ownerVariables, EMPTY_DATA: 'accept' });
  expect(await inquiringCompanies(empty.url)).toEqual([]);
  await empty.stop();
});

test('A start with a damaged database stops with advice and without a stack trace', async () => {
  const data = folder;
  await writeFile(join(data, 'site.db'), 'no database at all. '.repeat(1_000));
  const header = await startThatFails(data, ownerVariables);
  expect(header).toContain('npm run restore');
  await rm(join(data, 'site.db'));

  const host = await startHostProcess(data, { ...ownerVariables, EMPTY_DATA: 'accept' });
  expect((await sendInquiry(host.url, 'Before')).status).toBe(201);
  // Waits until SQLite has copied its write-ahead log into the database file.
  await expect.poll(async () => (await stat(join(data, 'site.db-wal'))).size).toBe(0);
  await host.kill();
  const handle = await open(join(data, 'site.db'), 'r+');
  const { size } = await handle.stat();
  for (let at = 4_096 * 8; at < size; at += 8_192) await handle.write(Buffer.alloc(4_096, 0xa5), 0, 4_096, at);
  await handle.close();
  for (const name of ['site.db-wal', 'site.db-shm']) await rm(join(data, name), { force: true });
  const pages = await startThatFails(data, ownerVariables);
  expect(pages).toContain('npm run restore');
});
