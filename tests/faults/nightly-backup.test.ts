import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { verify } from '../../host/backups/archive.ts';
import { apiPaths } from '../../src/domain/api-paths.ts';
import type { SiteStatus } from '../../src/domain/site/site-status.ts';
import { type RunningHost, sessionToken, startHostProcess } from '../support/host/host-process.ts';
import { owner, ownerVariables } from '../support/samples/visitors.ts';
import { folder, makeFolders } from '../support/host/folder.ts';

makeFolders();
let host: RunningHost | undefined;
afterEach(() => host?.stop());

/** Signs in once, because checking a password takes 0.1 s of processor time. @returns a function that reads the site status. */
async function statusAt({ url }: RunningHost): Promise<() => Promise<SiteStatus>> {
  const headers = { authorization: `Bearer ${await sessionToken({ url }, owner)}` };
  return async () => (await fetch(url + apiPaths.siteStatus, { headers })).json();
}

const patience = { timeout: 120_000, interval: 500 };

test('A site without a backup of the last day makes one by itself, although a wrong clock has named another one, and shows its time', async () => {
  const others = ['backup-2020-01-01-031500.tar.gz', 'backup-2999-01-01-031500.tar.gz'];
  for (const name of others) await writeFile(join(folder, name), '');
  const running = (host = await startHostProcess(undefined, { ...ownerVariables, BACKUP_DIR: folder }));
  const status = await statusAt(running);
  const backedUpAt = async () => Date.parse((await status()).backedUpAt ?? '');
  await expect.poll(backedUpAt, patience).toBeGreaterThan(Date.parse('2020-01-02'));
  const names = (await readdir(folder)).filter((name) => name.endsWith('.tar.gz') && !others.includes(name));
  expect(names).toHaveLength(1);
  const madeAt = await verify(join(folder, names[0]!), folder);
  expect(await backedUpAt()).toBe(Math.floor(Date.parse(madeAt) / 1_000) * 1_000);
  expect(await status()).toMatchObject({ health: { backup: 'ok' }, rehearsal: { error: null } });
});

test('A backup that fails is a problem in the site status and a line in the log', async () => {
  await writeFile(join(folder, 'file'), '');
  const log: string[] = [];
  const variables = { ...ownerVariables, BACKUP_DIR: join(folder, 'file', 'backups') };
  const running = (host = await startHostProcess(undefined, variables, (line) => log.push(line)));
  const status = await statusAt(running);
  const backupNow = async () => (await status()).health.backup;
  await expect.poll(backupNow, patience).toContain('The last nightly backup failed');
  expect(log.join('\n')).toMatch(/"backup failed".*not a folder/);
});
