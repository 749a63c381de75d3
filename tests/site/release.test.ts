import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeRelease } from '../../scripts/release.ts';
import { commandEnvironment } from '../support/command.ts';
import { anInquiry } from '../support/inquiries.ts';

/** The folder of a server that has only the release, and links to the packages in the release's own lock file. */
let folder: string;
let host: ChildProcess;
let url: string;
const env = () => commandEnvironment({ HOME: folder, PORT: '0' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-'));
  await writeRelease(process.cwd(), folder);
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>;
  };
  // Packages inside other packages are reached through the links.
  for (const path of Object.keys(packages).filter((one) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(one))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(resolve(path), join(folder, path));
  }
  delete packages[''];
  await writeFile(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
  host = spawn('npm', ['start'], { cwd: folder, env: env(), stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(host.stdout!);
  url = await new Promise<string>((resolveUrl, reject) => {
    host.once('exit', (code) => reject(new Error(`The release ended with code ${code}.`)));
    lines.on('line', (line) => line.startsWith('Ready: ') && resolveUrl(line.replace('Ready: ', '')));
  });
}, 120_000);
afterAll(async () => {
  if (host.exitCode === null) {
    host.kill('SIGTERM');
    await once(host, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

test('A release, with only its own packages, shows pages, stores an inquiry, resizes a picture, and is healthy', async () => {
  for (const path of ['/', '/blog', '/.netlify/images?url=/apple-touch-icon.png&w=32']) {
    await expect.poll(async () => (await fetch(url + path)).status, { message: path }).toBe(200);
  }
  const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
  const sent = await fetch(`${url}/api/contact`, { method: 'POST', headers, body: JSON.stringify(anInquiry()) });
  expect(sent.status).toBe(201);
  expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({ status: 'ok' });
  const run = (...args: string[]) =>
    execFileSync('npm', ['run', '--silent', ...args], { cwd: folder, env: env(), encoding: 'utf8' });
  expect(run('admin', '--', 'list')).toContain('admin@localhost');
  run('backup', '--', 'backup.tar.gz');
  const files = await readdir(folder);
  expect(files).toContain('backup.tar.gz');
  expect(files).not.toContain('.env');
});
