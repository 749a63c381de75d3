import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { commandEnvironment } from '../tests/support/command.ts';
import { startHranaServer } from '../tests/support/hrana-server.ts';
import { ownParts } from './rendering/inputs.ts';

// This script replaces Astro, so that a build takes a second. The script counts its runs, and fails if the source file
// contains `broken`.
const builder = `
import { mkdirSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { getPriority } from 'node:os';
import { hashOfBundle } from '${import.meta.dirname}/rendering/inputs.ts';
const source = readFileSync('src/page.txt', 'utf8');
if (source === 'broken') { console.error('page.txt is broken'); process.exit(1); }
const runs = existsSync('runs') ? Number(readFileSync('runs', 'utf8')) + 1 : 1;
writeFileSync('runs', String(runs));
writeFileSync('priority', String(getPriority()));
const kept = '.cache/bundle/';
rmSync(kept, { recursive: true, force: true });
mkdirSync(kept + 'client', { recursive: true });
mkdirSync(kept + 'server');
mkdirSync('.netlify/v1', { recursive: true });
const page = JSON.stringify('<!doctype html><title>' + source + '</title>' + ' '.repeat(1000));
writeFileSync(kept + 'server/entry.mjs', 'export const renderer = { render: async () => new Response(' + page + '),' +
  'staticPaths: async () => [{ pathname: "/", route: { type: "page" } }] };');
const inputs = await hashOfBundle(process.cwd(), process.env);
const bundle = { inputs, entry: 'entry.mjs', site: 'http://localhost', imports: [], onRequest: [], config: {} };
writeFileSync(kept + 'bundle.json', JSON.stringify(bundle));
`;

// Most tests start the site several times, and each start loads the whole server in a new process.
vi.setConfig({ testTimeout: 60_000 });

const project = join(import.meta.dirname, '..');
let root: string;
const started: Started[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'start-'));
  await mkdir(join(root, 'node_modules/astro/bin'), { recursive: true });
  await mkdir(join(root, 'src'));
  await mkdir(join(root, 'content/services'), { recursive: true });
  await mkdir(join(root, 'netlify/functions'), { recursive: true });
  await mkdir(join(root, 'host/rendering'), { recursive: true });
  await writeFile(join(root, 'node_modules/astro/bin/astro.mjs'), builder);
  await writeFile(join(root, 'src/page.txt'), 'first');
  await symlink(join(project, 'netlify.toml'), join(root, 'netlify.toml'));
  for (const file of ownParts) {
    await symlink(join(project, 'host', file), join(root, 'host', file));
  }
  await writeFile(
    join(root, 'netlify/functions/slow.mjs'),
    `export default async () => { await new Promise((resolve) => setTimeout(resolve, 500)); return new Response('finished'); };
     export const config = { path: '/api/slow' };`,
  );
});

afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  await rm(root, { recursive: true, force: true });
});

test('A build depends on every part of the host that it uses', async () => {
  const modules = [
    'precompress.ts',
    'without-slash.ts',
    'rendering/command.ts',
    'rendering/entry.ts',
    'rendering/thread.ts',
  ];
  const entryPoints = ['astro.config.mjs', ...modules.map((name) => `host/${name}`)];
  const { metafile } = await build({
    entryPoints: entryPoints.map((name) => join(project, name)),
    absWorkingDir: project,
    outdir: root,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
  });
  const used = Object.keys(metafile.inputs).filter((name) => name.startsWith('host/'));
  expect(used.map((name) => name.slice('host/'.length)).sort()).toEqual(ownParts);
});

interface Started {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly output: () => string;
  readonly ready: () => Promise<string>;
  readonly ended: Promise<number | null>;
}

function start(variables: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [join(project, 'host/main.ts')], {
    cwd: root,
    env: commandEnvironment({ PORT: '0', ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const host: Started = {
    child,
    output: () => output,
    ready: async () => {
      await vi.waitFor(() => expect(output).toMatch(/^Sign in.*\n/m), { timeout: 50_000, interval: 50 });
      return /^Ready: (\S+)$/m.exec(output)?.[1] ?? '';
    },
    ended: new Promise((resolve) => child.once('close', resolve)),
  };
  started.push(host);
  return host;
}

async function stop({ child, ended }: Started): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
}

test('the first start builds the site, shows a password once, and serves compressed pages', async () => {
  const host = start();
  const url = await host.ready();
  expect(host.output()).toMatch(/Site: built \(\d/);
  expect(host.output()).toMatch(/Sign in at http:\S+\/admin as admin@localhost with the password [a-z2-9-]{23} /);
  const page = await fetch(url);
  expect(page.headers.get('content-encoding')).toBe('gzip');
  expect(await page.text()).toContain('<title>first</title>');
  expect(((await stat(join(root, '.data/site.db'))).mode & 0o777).toString(8)).toBe('600');
  await stop(host);

  const again = start();
  await again.ready();
  expect(again.output()).toContain('Site: up to date');
  expect(again.output()).not.toMatch(/with the password [a-z2-9-]{23}/);
  await stop(again);
  expect(await readFile(join(root, 'runs'), 'utf8')).toBe('1');
});

test('a start after a change builds again, and so does a start with a different SITE_URL', async () => {
  await stop(await readied(start()));
  await writeFile(join(root, 'src/page.txt'), 'second');
  await writeFile(join(root, 'src/page.test.ts'), 'tests are no part of a build');
  const host = await readied(start());
  expect(await (await fetch(await host.ready())).text()).toContain('<title>second</title>');
  await stop(host);
  await stop(await readied(start({ SITE_URL: 'http://localhost:1234' })));
  await stop(await readied(start({ SITE_URL: 'http://localhost:1234' })));
  expect(await readFile(join(root, 'runs'), 'utf8')).toBe('3');
});

async function readied(host: Started): Promise<Started> {
  await host.ready();
  return host;
}

test('a failed build stops the start, and the next start tries again', async () => {
  await writeFile(join(root, 'src/page.txt'), 'broken');
  const host = start();
  expect(await host.ended).toBe(1);
  expect(host.output()).toMatch(/page\.txt is broken[\s\S]*could not be built/);
  expect(host.output()).not.toMatch(/^ {4}at /m);
  await writeFile(join(root, 'src/page.txt'), 'mended');
  await stop(await readied(start()));
});

test('a build ahead neither changes nor slows down the running site, and the next start uses it without another build', async () => {
  const host = await readied(start({ SITE_URL: 'http://localhost:1234' }));
  const url = await host.ready();
  await writeFile(join(root, 'src/page.txt'), 'second');
  await writeFile(join(root, '.env'), 'SITE_URL=http://localhost:1234\n');
  const build = spawn(process.execPath, [join(project, 'host/build.ts'), '--ahead'], {
    cwd: root,
    env: commandEnvironment(),
    stdio: 'ignore',
  });
  expect(await new Promise((resolve) => build.once('close', resolve))).toBe(0);
  expect(Number(await readFile(join(root, 'priority'), 'utf8'))).toBeGreaterThanOrEqual(10);
  expect(await (await fetch(url)).text()).toContain('<title>first</title>');
  await stop(host);
  const again = await readied(start());
  expect(again.output()).toContain('Site: up to date');
  expect(await (await fetch(await again.ready())).text()).toContain('<title>second</title>');
  await stop(again);
  expect(await readFile(join(root, 'runs'), 'utf8')).toBe('2');
});

test('after a failed build, the earlier build still starts with the earlier sources', async () => {
  await stop(await readied(start()));
  await writeFile(join(root, 'src/page.txt'), 'broken');
  expect(await start().ended).toBe(1);
  expect(await readFile(join(root, 'dist/index.html'), 'utf8')).toContain('<title>first</title>');
});

test('a second machine on one database server is refused, until the first one stops', async () => {
  const server = await startHranaServer({ path: join(root, 'remote.db') });
  const first = await readied(start({ LIBSQL_URL: server.url, DATA_DIR: 'first' }));
  const second = start({ LIBSQL_URL: server.url, DATA_DIR: 'second' });
  expect(await second.ended).toBe(1);
  expect(second.output()).toMatch(/Another machine uses the database in LIBSQL_URL/);
  expect(second.output()).not.toMatch(/^ {4}at /m);
  await stop(await readied(start({ LIBSQL_URL: server.url, DATA_DIR: 'second', SHARED_DATABASE: 'on' })));
  await stop(first);
  await stop(await readied(start({ LIBSQL_URL: server.url, DATA_DIR: 'second' })));
  await server.close();
});

test('a start with the production database on a developer’s machine is refused with an explanation', async () => {
  const server = await startHranaServer({ path: join(root, 'remote.db') });
  const production = {
    CONTEXT: 'production',
    SESSION_SECRET: 'x'.repeat(32),
    ADMIN_EMAIL: 'owner@firm.example',
    ADMIN_PASSWORD: 'correct horse battery',
    LIBSQL_URL: server.url,
  };
  await stop(await readied(start(production)));
  const own = start({ LIBSQL_URL: server.url });
  expect(await own.ended).toBe(1);
  expect(own.output()).toContain('is not the production site, but it is connected to the production database');
  expect(own.output()).not.toMatch(/^ {4}at /m);
  await server.close();
});

test('an invalid variable is named without a stack trace', async () => {
  const host = start({ PORT: 'eighty', SESSION_SECRET: 'short', CONTEXT: 'production' });
  expect(await host.ended).toBe(1);
  expect(host.output()).toMatch(/PORT must be a port number/);
  expect(host.output()).toMatch(/SESSION_SECRET must have at least 32 characters/);
  expect(host.output()).not.toMatch(/^ {4}at /m);
});

test('a .env file is read, and environment variables override it', async () => {
  await writeFile(join(root, '.env'), 'PORT=eighty\nADMIN_EMAIL=owner@example.com\n');
  const host = await readied(start());
  expect(host.output()).toContain('as owner@example.com');
  await stop(host);
});

test.for(['prod', 'productoin'])('CONTEXT=%s stops the start instead of running without secrets', async (CONTEXT) => {
  const host = start({ CONTEXT });
  expect(await host.ended).toBe(1);
  expect(host.output()).toContain('CONTEXT must be production on a machine that serves the public');
});

test('CONTEXT=Production requires every secret of production', async () => {
  const host = start({ CONTEXT: 'Production' });
  expect(await host.ended).toBe(1);
  expect(host.output()).toContain('SESSION_SECRET is missing: it is required in production');
});

test('a server that other machines can reach explains how to trust a proxy', async () => {
  const open = await readied(start({ HOST: '0.0.0.0' }));
  expect(open.output()).toMatch(/HOST=0\.0\.0\.0 accepts connections from other machines[^\n]*TRUSTED_PROXIES/);
  await stop(open);
  const local = await readied(start());
  expect(local.output()).not.toContain('accepts connections from other machines');
  await stop(local);
});

test('a value in .env that is cut off at a # is named but not printed', async () => {
  await writeFile(join(root, '.env'), 'ADMIN_EMAIL=owner@example.com\nADMIN_PASSWORD=correct horse#battery\n');
  const host = await readied(start());
  expect(host.output()).toContain('the value of ADMIN_PASSWORD ends at the # sign');
  expect(host.output()).not.toMatch(/horse|battery/);
  expect(host.output()).toContain('as owner@example.com with your password');
  await stop(host);
});

test('invalid firm details stop the start, and the error names the key and the expected value', async () => {
  await writeFile(join(root, 'site.json'), JSON.stringify({ emial: 'hello@firm.example', phone: '12' }));
  const host = start();
  expect(await host.ended).toBe(1);
  expect(host.output()).toMatch(
    /- phone must be a US number with 10 digits[\s\S]*- emial is unknown; the keys are name/,
  );
  expect(host.output()).not.toMatch(/^ {4}at /m);
  await expect(access(join(root, 'runs'))).rejects.toThrow('ENOENT');
});

test('a port that is in use is reported before anything is built or created', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const host = start({ PORT: String(port) });
  expect(await host.ended).toBe(1);
  expect(host.output()).toContain(`Another program uses port ${port} of 127.0.0.1.`);
  await expect(access(join(root, '.data'))).rejects.toThrow('ENOENT');
  await expect(access(join(root, 'runs'))).rejects.toThrow('ENOENT');
  other.close();
});

test('Ctrl-C, which npm sends twice, lets a running request finish', async () => {
  const host = start();
  const url = await host.ready();
  const running = fetch(`${url}/api/slow`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  host.child.kill('SIGINT');
  host.child.kill('SIGINT');
  expect(await (await running).text()).toBe('finished');
  expect(await host.ended).toBe(0);
});

test('a later second signal stops the host immediately', async () => {
  await writeFile(
    join(root, 'netlify/functions/stuck.mjs'),
    `export default () => new Promise(() => {}); export const config = { path: '/api/stuck' };`,
  );
  const host = start();
  const url = await host.ready();
  fetch(`${url}/api/stuck`).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 200));
  host.child.kill('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(host.child.exitCode).toBeNull();
  host.child.kill('SIGTERM');
  expect(await host.ended).toBe(1);
});

test('a common ADMIN_PASSWORD stops the first start in production, and causes a warning elsewhere', async () => {
  const variables = { ADMIN_EMAIL: 'owner@firm.example', ADMIN_PASSWORD: 'passwordpassword' };
  const refused = start({
    ...variables,
    CONTEXT: 'production',
    SESSION_SECRET: 'x'.repeat(40),
    SITE_URL: 'https://a.example',
  });
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain(
    'ADMIN_PASSWORD is not safe enough for production. This password is too easy to guess.',
  );
  const warned = start(variables);
  await warned.ready();
  expect(warned.output()).toContain('Warning: ADMIN_PASSWORD: This password is too easy to guess.');
  await stop(warned);
});

test('if ADMIN_EMAIL is not an admin, the start prints the command that adds one', async () => {
  const first = start({ ADMIN_EMAIL: 'first@firm.example' });
  await first.ready();
  expect(first.output()).not.toContain('Warning: ADMIN_EMAIL');
  await stop(first);
  const second = start({ ADMIN_EMAIL: 'second@firm.example' });
  await second.ready();
  expect(second.output()).toContain('To add this admin, run: npm run admin -- create second@firm.example');
  await stop(second);
});
