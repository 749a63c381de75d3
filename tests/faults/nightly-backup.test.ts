import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verify } from '../../host/commands/archive.ts';
import { apiPaths } from '../../src/domain/api-paths.ts';
import type { SiteStatus } from '../../src/domain/site-status.ts';
import { sessionToken, startHostProcess } from '../support/host-process.ts';
import { owner, ownerVariables } from '../support/visitors.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nightly-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const statusOf = async (url: string): Promise<SiteStatus> => {
  const headers = { authorization: `Bearer ${await sessionToken({ url }, owner)}` };
  return (await fetch(url + apiPaths.siteStatus, { headers })).json();
};

test('A site without a backup of the last day makes one by itself, and shows its time', async () => {
  const old = 'backup-2020-01-01-031500.tar.gz';
  await writeFile(join(folder, old), '');
  const host = await startHostProcess(undefined, { ...ownerVariables, BACKUP_DIR: folder });
  const made = async () => (await readdir(folder)).find((name) => name.endsWith('.tar.gz') && name !== old);
  await expect.poll(made, { timeout: 60_000 }).toBeDefined();
  const madeAt = await verify(join(folder, (await made())!), folder);
  const { backedUpAt, health } = await statusOf(host.url);
  expect(health.backup).toBe('ok');
  expect(Date.parse(backedUpAt!)).toBe(Math.floor(Date.parse(madeAt) / 1_000) * 1_000);
  await host.stop();
});

test('A backup that fails is a problem in the site status and a line in the log', async () => {
  await writeFile(join(folder, 'file'), '');
  const log: string[] = [];
  const variables = { ...ownerVariables, BACKUP_DIR: join(folder, 'file', 'backups') };
  const host = await startHostProcess(undefined, variables, (line) => log.push(line));
  const { url } = host;
  const backupNow = async () => (await statusOf(url)).health.backup;
  await expect.poll(backupNow, { timeout: 60_000 }).toContain('The last backup failed');
  expect(log.join('\n')).toMatch(/"backup failed".*not a folder/);
  await host.stop();
});
