import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeRelease } from '../../scripts/release.ts';
import { anInquiry } from '../support/inquiries.ts';
import { commandEnvironment } from '../support/command.ts';

let folder: string;
let host: ChildProcess | undefined;
let url: string;

/** The environment of a server that has only the release, without the repository. */
const env = () => commandEnvironment({ HOME: folder, PORT: '0' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-'));
  await writeRelease(process.cwd(), folder);
  await copyPackages(folder);
  host = spawn('npm', ['start'], { cwd: folder, env: env(), stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  url = await new Promise<string>((resolve, reject) => {
    host?.once('exit', () => reject(new Error(`The release did not start:\n${output}`)));
    host?.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /^Ready: (\S+)$[^]*^Sign in/m.exec(output);
      if (ready?.[1]) resolve(ready[1]);
    });
  });
  expect(output).toContain('Packages: up to date');
}, 120_000);

afterAll(async () => {
  if (host?.exitCode === null) {
    host.kill('SIGTERM');
    await once(host, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

/** Copies the packages of the release's own lock file and no others, as `npm ci --omit=dev` installs them. */
async function copyPackages(target: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(target, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>;
  };
  const installed = Object.keys(packages).filter((path) => path !== '' && existsSync(path));
  for (const path of installed.sort()) {
    const filter = (file: string): boolean => file === path || basename(file) !== 'node_modules';
    await cp(path, join(target, path), { recursive: true, filter });
  }
  await mkdir(join(target, 'node_modules'), { recursive: true });
  const record = { packages: Object.fromEntries(installed.map((path) => [path, packages[path]])) };
  await writeFile(join(target, 'node_modules/.package-lock.json'), JSON.stringify(record));
}

describe('A release, with only its own packages', () => {
  test('shows pages, stores an inquiry, and is healthy', async () => {
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<h1');
    const posts = await fetch(`${url}/blog`);
    expect(posts.status).toBe(200);

    const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
    const sent = await fetch(`${url}/api/contact`, { method: 'POST', headers, body: JSON.stringify(anInquiry()) });
    expect(sent.status).toBe(201);

    const health = await fetch(`${url}/api/health`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ status: 'ok' });
  });

  test('resizes an image', async () => {
    const picture = await fetch(`${url}/.netlify/images?url=/apple-touch-icon.png&w=32`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)]);
  });

  test('has the commands of a server', { timeout: 60_000 }, () => {
    const run = (...args: string[]) =>
      execFileSync('npm', ['run', '--silent', ...args], { cwd: folder, env: env(), encoding: 'utf8' });
    expect(run('admin', '--', 'list')).toContain('admin@localhost');
    expect(run('doctor')).toContain('The database in');
    run('backup', '--', 'backup.tar.gz');
    expect(existsSync(join(folder, 'backup.tar.gz'))).toBe(true);
  });

  test('needs less than 250 MB of packages, none of which runs an install script', async () => {
    const files = await readdir(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
    const sizes = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map(async (file) => (await stat(join(file.parentPath, file.name))).blocks * 512),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250e6);
    const lock = await readFile(join(folder, 'package-lock.json'), 'utf8');
    expect(lock).not.toContain('hasInstallScript');
  });

  test('contains no secret, no test and no source of the pages', async () => {
    const files = (await readdir(folder, { recursive: true })).filter((file) => !file.includes('node_modules'));
    expect(files.filter((file) => /(^|\/)\.env$|\.test\.|\.astro$|\.tsx$/.test(file))).toEqual([]);
  });
});
