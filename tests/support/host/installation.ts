import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { commandEnvironment } from './command.ts';
import { freePort } from '../servers/ports.ts';
import { builder, project } from './start.ts';
import { type Service, startService } from './systemd-service.ts';
import { ownerVariables } from '../samples/visitors.ts';

/** The folder of the installation. */
export let folder: string;
let data: string;
export let site: Service;

/** Copies the sources of the first version. */
export async function sources(name: string, version: string, page: string): Promise<string> {
  const to = join(folder, name);
  const filter = (path: string) => !/\/(node_modules|dist|\.cache|\.netlify|\.env)$/.test(path);
  await cp(join(folder, 'versions/first'), to, { recursive: true, filter });
  await change(join(to, 'package.json'), '"1.0.0"', `"${version}"`);
  await writeFile(join(to, 'src/page.txt'), page);
  return to;
}

/** Makes the first version. Its only package replaces Astro. All other packages are in a folder above the versions. */
async function firstVersion(to: string): Promise<void> {
  for (const part of ['scripts', 'host', 'netlify', 'src', 'content', 'docs/deploy']) {
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
export const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, env: commandEnvironment(gitEnvironment), stdio: 'pipe' });
export function commit(cwd: string): void {
  git(cwd, 'add', '--all');
  git(cwd, '-c', 'user.name=Owner', '-c', 'user.email=owner@firm.example', 'commit', '--quiet', '--message=version');
}

/** Replaces a text in a file of some sources. */
export async function change(file: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(from);
  await writeFile(
    file,
    text.replace(from, () => to),
  );
}

/** Runs a command of the current version. @returns its exit code and everything that it printed. */
export async function run(...args: string[]): Promise<{ code: number; said: string }> {
  return await new Promise((resolve) => {
    const options = { cwd: join(folder, 'current'), env: commandEnvironment({ HOME: folder, ...gitEnvironment }) };
    execFile('npm', ['run', '--silent', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    );
  });
}

export const page = async () => /<title>(\w+)/.exec(await (await fetch(site.url)).text())?.[1];
export const currentVersion = async () => await realpath(join(folder, 'current'));

/** Installs the first version, and runs it as systemd does. */
export function useInstallation(): void {
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
}
