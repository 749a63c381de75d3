import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, vi } from 'vitest';
import { commandEnvironment } from './command.ts';

export const project = join(import.meta.dirname, '../../..');

// This script replaces Astro, so that a build takes a second. The script counts its runs, and fails if the source file
// contains `broken`.
export const builder = `
import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
const source = readFileSync('src/page.txt', 'utf8');
if (source === 'slow') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
if (source === 'broken') { console.error('page.txt is broken'); process.exit(1); }
const runs = existsSync('runs') ? Number(readFileSync('runs', 'utf8')) + 1 : 1;
writeFileSync('runs', String(runs));
mkdirSync('dist.next', { recursive: true });
mkdirSync('.netlify/v1', { recursive: true });
writeFileSync('dist.next/index.html', '<!doctype html><title>' + source + '</title>' + ' '.repeat(1000));
`;

let root: string;
let data: string;
const folders: string[] = [];
/** Functions that end the processes of the current test. */
const started: (() => Promise<unknown>)[] = [];

/**
 * Selects the project and the data folder in it that {@link start} uses. Each start with a new site needs its own data
 * folder, because a start without its earlier data is refused.
 */
export function useProject(project: string, dataDirectory = '.data'): void {
  [root, data] = [project, dataDirectory];
}

/** Creates a project whose build takes no time, and selects it. */
export async function makeProject(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'start-'));
  useProject(made);
  folders.push(root);
  await mkdir(join(root, 'node_modules/astro/bin'), { recursive: true });
  for (const name of await readdir(join(project, 'node_modules'))) {
    if (name !== 'astro') await symlink(join(project, 'node_modules', name), join(root, 'node_modules', name));
  }
  await mkdir(join(root, 'src'));
  await mkdir(join(root, 'content/services'), { recursive: true });
  await mkdir(join(root, 'netlify/functions'), { recursive: true });
  await mkdir(join(root, 'host'));
  await symlink(join(project, 'host/start.ts'), join(root, 'host/start.ts'));
  // A copy, because the script runs the file and the packages next to it.
  await cp(join(project, 'scripts/node24.mjs'), join(root, 'scripts/node24.mjs'));
  await writeFile(join(root, 'node_modules/astro/bin/astro.mjs'), builder);
  await writeFile(join(root, 'src/page.txt'), 'first');
  await writeFile(join(root, 'astro.config.mjs'), '');
  for (const file of ['netlify.toml', 'netlify/functions/health.ts'])
    await symlink(join(project, file), join(root, file));
  await writeFile(
    join(root, 'netlify/functions/slow.mjs'),
    `import { writeFileSync } from 'node:fs';
     export default async () => {
       writeFileSync('asked', '');
       await new Promise((resolve) => setTimeout(resolve, 500));
       return new Response('finished');
     };
     export const config = { path: '/api/slow' };`,
  );
  await writeFile(
    join(root, 'netlify/functions/stuck.mjs'),
    `import { writeFileSync } from 'node:fs';
     export default () => { writeFileSync('asked', ''); return new Promise(() => {}); };
     export const config = { path: '/api/stuck' };`,
  );
  return root;
}

afterEach(async () => {
  for (const end of started.splice(0)) await end();
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

type Started = ReturnType<typeof start>;

export function start(variables: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(project, 'host/start.ts')], {
    cwd: root,
    env: commandEnvironment({ PORT: '0', DATA_DIR: data, ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const host = {
    child,
    output: () => output,
    ready: async () => {
      await vi.waitFor(() => expect(output).toMatch(/^Sign in.*\n/m), { timeout: 200_000, interval: 50 });
      return /^Ready: (\S+)$/m.exec(output)?.[1] ?? '';
    },
    ended: new Promise<number | null>((resolve) => child.once('close', resolve)),
  };
  started.push(async () => {
    child.kill('SIGKILL');
    await host.ended;
  });
  return host;
}

/** Starts the site in a case where the start should fail. @returns everything that it printed. */
export async function startThatFails(variables: Record<string, string> = {}): Promise<string> {
  const host = start(variables);
  expect(await host.ended, host.output()).toBe(1);
  expect(host.output()).not.toMatch(/^ {4}at /m);
  return host.output();
}

export async function stop({ child, ended }: Started): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
}

export async function readied(host: Started): Promise<Started> {
  await host.ready();
  return host;
}
