import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandEnvironment } from '../../support/host/command.ts';
import { sendInquiry } from '../../support/samples/visitors.ts';

/** A copy of the built project, as docs/deploy.md describes it, with links to the packages that are not for development. */
let folder: string;
let host: ChildProcess;
let url: string;
const printed: string[] = [];
const env = () => commandEnvironment({ HOME: folder, PORT: '0' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'copied-build-'));
  const project = process.cwd();
  const left = /^(node_modules|\.git|\.cache|\.data|\.env|\.netlify|dist\.\w+|test-results)$/;
  await cp(project, folder, { recursive: true, filter: (path) => !left.test(path.slice(project.length + 1)) });
  const lockFile = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const packages = Object.fromEntries(Object.entries(lockFile.packages).filter(([path, { dev }]) => path && !dev));
  // Packages inside other packages are reached through the links.
  for (const path of Object.keys(packages).filter((one) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(one))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(resolve(path), join(folder, path));
  }
  await writeFile(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
  host = spawn('npm', ['start'], { cwd: folder, env: env(), stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(host.stdout!);
  url = await new Promise<string>((resolveUrl, reject) => {
    host.once('exit', (code) => reject(new Error(`The site ended with code ${code}.`)));
    lines.on('line', (line) => {
      printed.push(line);
      if (line.startsWith('Ready: ')) resolveUrl(line.replace('Ready: ', ''));
    });
  });
});
afterAll(async () => {
  if (host.exitCode === null) {
    host.kill('SIGTERM');
    await once(host, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

test('A copy of a built project serves without a build: pages, an inquiry, a picture, and the commands', async () => {
  expect(printed.join('\n')).toContain('Site: up to date');
  for (const path of ['/', '/blog', '/.netlify/images?url=/apple-touch-icon.png&w=32']) {
    await expect.poll(async () => (await fetch(url + path)).status, { message: path }).toBe(200);
  }
  expect((await sendInquiry(url, 'A copy')).status).toBe(201);
  expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({ status: 'ok' });
  const run = (...args: string[]) =>
    execFileSync('npm', ['run', '--silent', ...args], { cwd: folder, env: env(), encoding: 'utf8' });
  expect(run('admin', '--', 'list')).toContain('admin@localhost');
  run('backup', '--', 'backup.tar.gz');
  const files = await readdir(folder);
  expect(files).toContain('backup.tar.gz');
  expect(files).not.toContain('.env');
});
