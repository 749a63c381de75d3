import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { takeLock } from '../../host/data/lock.ts';
import { stopSite } from '../../host/versions.ts';
import { commandEnvironment } from '../support/command.ts';
import { sessionToken } from '../support/host-process.ts';
import { freePort } from '../support/ports.ts';
import { anApplication, resumeFile } from '../support/resumes.ts';
import { builder, project } from '../support/start.ts';
import { type Service, startService } from '../support/systemd-service.ts';
import { inquiringCompanies, owner, ownerVariables, readPage, sendInquiry } from '../support/visitors.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

/** The folder of the installation. */
let folder: string;
let data: string;
let site: Service;

/** Copies the sources of the first version. */
async function sources(name: string, version: string, page: string): Promise<string> {
  const to = join(folder, name);
  const filter = (path: string) => !/\/(node_modules|dist|\.cache|\.netlify|\.env)$/.test(path);
  await cp(join(folder, 'versions/first'), to, { recursive: true, filter });
  await change(join(to, 'package.json'), '"1.0.0"', `"${version}"`);
  await writeFile(join(to, 'src/page.txt'), page);
  return to;
}

/** Makes the first version. Its only package replaces Astro. All other packages are in a folder above the versions. */
async function firstVersion(to: string): Promise<void> {
  for (const part of ['scripts', 'host', 'netlify', 'src', 'content']) {
    await cp(join(project, part), join(to, part), { recursive: true });
  }
  const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as { scripts: object };
  const manifest = { name: 'site', version: '1.0.0', type: 'module', scripts, dependencies: { astro: 'file:astro' } };
  await mkdir(join(to, 'astro/bin'), { recursive: true });
  await writeFile(join(to, 'astro/package.json'), JSON.stringify({ name: 'astro', version: '2.0.0' }));
  await writeFile(join(to, 'astro/bin/astro.mjs'), builder);
  await writeFile(join(to, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(to, '.npmrc'), 'install-links=true\noffline=true\n');
  await writeFile(join(to, 'src/page.txt'), 'first');
  execFileSync('npm', ['install', '--package-lock-only', '--loglevel=error'], { cwd: to, stdio: 'pipe' });
  await writeFile(join(to, '.gitignore'), `${await readFile(join(project, '.gitignore'), 'utf8')}runs\n`);
  git(to, 'init', '--quiet');
  commit(to);
}

/** Without the settings of this machine, such as signed commits. */
const gitEnvironment = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, env: commandEnvironment(gitEnvironment), stdio: 'pipe' });
function commit(cwd: string): void {
  git(cwd, 'add', '--all');
  git(cwd, '-c', 'user.name=Owner', '-c', 'user.email=owner@firm.example', 'commit', '--quiet', '--message=version');
}

/** Replaces a text in a file of some sources. */
async function change(file: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(from);
  await writeFile(
    file,
    text.replace(from, () => to),
  );
}

/** Runs a command of the current version. @returns its exit code and everything that it printed. */
async function run(...args: string[]): Promise<{ code: number; said: string }> {
  return await new Promise((resolve) => {
    const options = { cwd: join(folder, 'current'), env: commandEnvironment({ HOME: folder, ...gitEnvironment }) };
    execFile('npm', ['run', '--silent', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    );
  });
}

/** Sends an application with a resume of this name. */
async function apply(resume: string): Promise<void> {
  const body = new FormData();
  for (const [name, value] of Object.entries(anApplication())) body.set(name, value);
  body.set('resume', resumeFile(undefined, resume));
  const headers = { accept: 'application/json', 'idempotency-key': resume };
  expect((await fetch(`${site.url}/api/career-application`, { method: 'POST', headers, body })).status).toBe(201);
}

const page = async () => /<title>(\w+)/.exec(await (await fetch(site.url)).text())?.[1];
const currentVersion = async () => await realpath(join(folder, 'current'));

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'upgrade-')));
  data = join(folder, 'data');
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  const first = join(folder, 'versions/first');
  await firstVersion(first);
  await symlink('versions/first', join(folder, 'current'));
  const port = await freePort();
  const variables = { ...ownerVariables, DATA_DIR: data, PORT: String(port), RATE_LIMITS: 'off' };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(first, '.env'), lines.join(''));
  await run('build');
  site = await startService(join(folder, 'current'), data, port);
  expect(await page()).toBe('first');
});
afterAll(async () => {
  await site.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('An upgrade', () => {
  test('from the repository, and a rollback, refuse no visitor and lose no inquiry', async () => {
    const second = await sources('second', '1.1.0', 'second');
    commit(second);
    git(await currentVersion(), 'remote', 'add', 'origin', `file://${second}`);
    let over = false;
    const statuses = new Set<number>();
    const sent: string[] = [];
    const visitor = async (visit: () => Promise<{ status: number }>): Promise<void> => {
      while (!over) statuses.add((await visit()).status);
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

  test('to another schema can be undone: the rollback says what the backup lacks, exports each newer inquiry, and restores the backup', async () => {
    const third = await sources('third', '1.2.0', 'third');
    const migrations = join(third, 'netlify/server/db/migrations/from-30.ts');
    const added = `{ id: 99999999999, name: 'later', statements: ['ALTER TABLE submissions ADD COLUMN later TEXT'] },\n];`;
    await change(migrations, /^\];/m, added);
    const older = await inquiringCompanies(site.url);
    // The rollback cannot know which sessions were ended since the upgrade, so it ends all of them.
    const headers = { authorization: `Bearer ${await sessionToken(site, owner)}` };
    const isSignedIn = async () => (await fetch(`${site.url}/api/auth/status`, { headers })).ok;
    expect(await isSignedIn()).toBe(true);
    await writeFile(join(third, 'backup.tar.gz.age'), 'belongs to the folder of the sources');
    expect(await run('upgrade', '--', third)).toMatchObject({ code: 0 });
    expect(await readdir(await currentVersion())).not.toContain('backup.tar.gz.age');
    expect((await sendInquiry(site.url, 'Newer')).status).toBe(201);
    await apply('../../resume.pdf');

    const asked = await run('rollback');
    expect(asked.code).toBe(1);
    expect(asked.said).toMatch(/does not have 1 inquiry, 1 application and 0 saved posts/);
    expect(await page()).toBe('third');
    const { code, said } = await run('rollback', '--', '--yes');
    expect(code, said).toBe(0);
    const kept = /newer database is in (\S+)\. /.exec(said)?.[1] ?? '';
    const { submissions } = JSON.parse(await readFile(join(kept, 'newer.json'), 'utf8')) as {
      submissions: { id: string; fields: { company?: string; fullName: string } }[];
    };
    expect(submissions.map(({ fields }) => fields.company ?? fields.fullName)).toEqual(['Newer', 'Mara Quill']);
    expect((await readdir(kept, { recursive: true })).sort()).toEqual([
      'newer.json',
      'resumes',
      `resumes/${submissions[1]?.id}.pdf`,
      'site.db',
    ]);
    expect(await page()).toBe('first');
    expect(await isSignedIn()).toBe(false);
    expect(await inquiringCompanies(site.url)).toEqual(older);

    // This version ends at each start.
    await change(
      join(third, 'host/serve.ts'),
      'await serve(env, functions, buildFault);',
      `throw new Error('broken');`,
    );
    const failed = await run('upgrade', '--', third);
    expect(failed.code).toBe(1);
    expect(failed.said).toContain('did not become ready');
    expect(await page()).toBe('first');
    expect(await currentVersion()).toBe(join(folder, 'versions/first'));
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

  test('whose rollback fails too says what to do', async () => {
    const last = await sources('last', '1.3.0', 'last');
    const broken = `(await import('node:fs')).rmSync('backup-before-upgrade.tar.gz', { force: true }); throw new Error('broken');`;
    await change(join(last, 'host/serve.ts'), 'await serve(env, functions, buildFault);', broken);
    const { code, said } = await run('upgrade', '--', last);
    expect(code).toBe(1);
    expect(said).toMatch(/The rollback failed too: The file or folder \S+ does not exist[^]*npm run rollback/);
  });
});
