import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { takeLock } from '../../../host/data/lock.ts';
import { stopSite } from '../../../host/versions.ts';
import { commandEnvironment } from '../../support/host/command.ts';
import {
  change,
  commit,
  currentVersion,
  folder,
  git,
  page,
  run,
  site,
  sources,
  useInstallation,
} from '../../support/host/installation.ts';
import { inquiringCompanies, pause, readPage, sendInquiry } from '../../support/samples/visitors.ts';

vi.setConfig({ testTimeout: 900_000 });

useInstallation();

describe('An upgrade', () => {
  test('from the repository, and a rollback, refuse no visitor and lose no inquiry', async () => {
    const second = await sources('second', '1.1.0', 'second');
    await change(join(second, 'docs/deploy/site.service'), '[Service]', '[Service]\nNice=1');
    commit(second);
    git(await currentVersion(), 'remote', 'add', 'origin', `file://${second}`);
    let over = false;
    const statuses = new Set<number>();
    const sent: string[] = [];
    const visitor = async (visit: () => Promise<{ status: number }>): Promise<void> => {
      while (!over) {
        statuses.add((await visit()).status);
        await pause();
      }
    };
    const read = () => readPage(site.url);
    const inquire = async () => {
      const company = `Acme ${sent.length}`;
      const seen = await sendInquiry(site.url, company);
      sent.push(company);
      return seen;
    };
    const visitors = [read, inquire].map(visitor);
    onTestFinished(async () => {
      over = true;
      await Promise.allSettled(visitors);
    });

    const upgraded = await run('upgrade');
    expect(upgraded).toMatchObject({ code: 0, said: expect.stringContaining('is the current version') });
    expect(upgraded.said).toContain('Changed in docs/deploy: site.service. ');
    expect(await page()).toBe('second');
    expect(await readdir(await currentVersion())).toContain('backup-before-upgrade.tar.gz');
    expect(await run('rollback')).toMatchObject({ code: 0 });
    expect(await page()).toBe('first');
    expect(await run('rollback')).toMatchObject({ code: 1, said: expect.stringContaining('no earlier version') });

    over = true;
    await Promise.all(visitors);
    expect([...statuses].sort()).toEqual([200, 201]);
    expect((await inquiringCompanies(site.url)).sort()).toEqual(sent.sort());
  });

  test('that cannot be built, or that the doctor refuses, changes nothing', async () => {
    const broken = await sources('broken', '1.1.0', 'broken');
    const pid = await site.pid();
    for (const [expected, correct] of [
      ['page.txt is broken', () => writeFile(join(broken, 'src/page.txt'), 'second')],
      ['emial is unknown', () => Promise.resolve()],
    ] as const) {
      const { code, said } = await run('upgrade', '--', broken);
      expect(code).toBe(1);
      expect(said).toContain(expected);
      expect(said).toContain('The upgrade stopped, and changed nothing.');
      await correct();
      await writeFile(join(broken, 'site.json'), '{ "emial": "hello@firm.example" }');
    }
    expect(await page()).toBe('first');
    expect(await site.pid()).toBe(pid);
    expect(await currentVersion()).toBe(join(folder, 'versions/first'));
    expect(await readdir(join(folder, 'versions'))).not.toContain('.unfinished');
  });

  test('does not start during another upgrade or rollback', async () => {
    const unlock = takeLock(join(folder, 'versions'))!;
    onTestFinished(unlock);
    for (const command of ['upgrade', 'rollback']) {
      expect(await run(command)).toMatchObject({
        code: 1,
        said: expect.stringContaining('Another upgrade or rollback is running'),
      });
    }
  });

  test('refuses a start of another version, which may have begun before the current version changed', async () => {
    const other = join(folder, 'versions/other');
    await rename(await sources('other', '1.1.0', 'other'), other);
    const env = commandEnvironment({ DATA_DIR: join(folder, 'other-data'), PORT: '0' });
    const { status, stderr } = spawnSync(process.execPath, ['host/start.ts'], { cwd: other, env, timeout: 60_000 });
    expect([status, stderr.toString()]).toEqual([
      1,
      `${other} is not the current version. Start the site in ${folder}/current.\n`,
    ]);
    await rm(other, { recursive: true });
  });

  test('stops a site whose process has just ended', async () => {
    const own = join(folder, 'ended');
    await mkdir(own);
    const unlock = takeLock(own)!;
    const { pid } = spawnSync('true');
    await writeFile(join(own, 'lock.txt'), `the site in ${folder} on port 1, process ${pid}, since now\n`);
    const stopped = stopSite(own);
    unlock();
    (await stopped)();
  });
});
