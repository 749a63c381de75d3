import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { commandEnvironment } from '../support/command.ts';
import { startHranaServer } from '../support/hrana-server.ts';

const project = join(import.meta.dirname, '../..');

// This script replaces Astro, so that a build takes a second. The script counts its runs, and fails if the source file
// contains `broken`.
const builder = `
import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { getPriority } from 'node:os';
const source = readFileSync('src/page.txt', 'utf8');
if (source === 'slow') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
if (source === 'broken') { console.error('page.txt is broken'); process.exit(1); }
const runs = existsSync('runs') ? Number(readFileSync('runs', 'utf8')) + 1 : 1;
writeFileSync('runs', String(runs));
writeFileSync('priority', String(getPriority()));
mkdirSync('dist.next', { recursive: true });
mkdirSync('.netlify/v1', { recursive: true });
writeFileSync('dist.next/index.html', '<!doctype html><title>' + source + '</title>' + ' '.repeat(1000));
`;

// Most tests start the site several times, and each start loads the whole server in a new process.
vi.setConfig({ testTimeout: 300_000 });

let root: string;
/** The data folder in `root`. Each test has its own, because a start without its earlier data is refused. */
let data = '.data';
let tests = 0;
const folders: string[] = [];
const started: Started[] = [];

/** Creates a project whose build takes no time. */
async function makeProject(): Promise<string> {
  root = await mkdtemp(join(tmpdir(), 'start-'));
  folders.push(root);
  await mkdir(join(root, 'node_modules/astro/bin'), { recursive: true });
  await mkdir(join(root, 'src'));
  await mkdir(join(root, 'content/services'), { recursive: true });
  await mkdir(join(root, 'netlify/functions'), { recursive: true });
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
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

interface Started {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly output: () => string;
  readonly ready: () => Promise<string>;
  readonly ended: Promise<number | null>;
}

function start(variables: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [join(project, 'host/start.ts')], {
    cwd: root,
    env: commandEnvironment({ PORT: '0', DATA_DIR: data, ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const host: Started = {
    child,
    output: () => output,
    ready: async () => {
      await vi.waitFor(() => expect(output).toMatch(/^Sign in.*\n/m), { timeout: 200_000, interval: 50 });
      return /^Ready: (\S+)$/m.exec(output)?.[1] ?? '';
    },
    ended: new Promise((resolve) => child.once('close', resolve)),
  };
  started.push(host);
  return host;
}

/** Returns what the health report says about the pages. */
async function buildFaultOf(url: string): Promise<string> {
  return ((await (await fetch(`${url}/api/health`)).json()) as { pages: string }).pages;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

async function stop({ child, ended }: Started): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
}

async function readied(host: Started): Promise<Started> {
  await host.ready();
  return host;
}

describe('A build', () => {
  beforeEach(makeProject);

  test('the first start builds the site, shows a password once, and serves compressed pages', async () => {
    const host = start();
    const url = await host.ready();
    expect(host.output()).toMatch(/Site: built \(\d/);
    expect(host.output()).toMatch(/Sign in at http:\S+\/admin as admin@localhost with the password [a-z2-9-]{23} /);
    const page = await fetch(url);
    expect(page.headers.get('content-encoding')).toBe('gzip');
    expect(await page.text()).toContain('<title>first</title>');
    expect(((await stat(join(root, '.data/site.db'))).mode & 0o777).toString(8)).toBe('600');
    expect(host.output()).not.toContain('accepts connections from other machines');
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

  test('if a build fails, the start serves the last good build, and the health report says so until a build succeeds', async () => {
    await writeFile(join(root, 'src/page.txt'), 'broken');
    const never = start();
    expect(await never.ended).toBe(1);
    expect(never.output()).toMatch(/page\.txt is broken[\s\S]*could not be built/);
    await writeFile(join(root, 'src/page.txt'), 'first');
    await stop(await readied(start()));

    await writeFile(join(root, 'src/page.txt'), 'broken');
    const broken = start();
    const url = await broken.ready();
    expect(broken.output()).toMatch(/page\.txt is broken[\s\S]*The site serves its last good build/);
    expect(broken.output()).not.toMatch(/^ {4}at /m);
    expect(await (await fetch(url)).text()).toContain('<title>first</title>');
    expect((await fetch(`${url}/api/slow`)).status).toBe(200);
    expect(await buildFaultOf(url)).toContain('the build failed');
    await stop(broken);

    await writeFile(join(root, 'src/page.txt'), 'third');
    const mended = start();
    expect(await (await fetch(await mended.ready())).text()).toContain('<title>third</title>');
    expect(await buildFaultOf(await mended.ready())).toBe('ok');
    await stop(mended);
  });

  test('two starts in one folder at the same time build once, and both serve the build', async () => {
    await writeFile(join(root, 'src/page.txt'), 'slow');
    const hosts = [start({ DATA_DIR: '.data-one' }), start({ DATA_DIR: '.data-two' })];
    for (const host of hosts) {
      expect(await (await fetch(await host.ready())).text()).toContain('<title>slow</title>');
    }
    expect(hosts.map((host) => host.output()).join()).toContain('another process builds in this folder');
    expect(await readFile(join(root, 'runs'), 'utf8')).toBe('1');
  });

  test('a build ahead neither changes nor slows down the running site, and the next start uses it without another build', async () => {
    const host = await readied(start({ SITE_URL: 'http://localhost:1234' }));
    const url = await host.ready();
    await writeFile(join(root, 'src/page.txt'), 'second');
    await writeFile(join(root, '.env'), 'SITE_URL=http://localhost:1234\n');
    const build = spawn(process.execPath, [join(project, 'host/build/build.ts'), '--ahead'], {
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
});

describe('A start', () => {
  let built: string;
  beforeAll(async () => {
    built = await makeProject();
    await stop(await readied(start()));
  }, 300_000);
  beforeEach(async () => {
    root = built;
    data = `data-${(tests += 1)}`;
    for (const left of ['.env', 'site.json', 'asked']) {
      await rm(join(root, left), { recursive: true, force: true });
    }
  });

  test('a second machine on one database server is refused, until the first one stops', async () => {
    const server = await startHranaServer({ path: join(root, 'shared.db') });
    const first = await readied(start({ LIBSQL_URL: server.url, DATA_DIR: `${data}-first` }));
    const second = start({ LIBSQL_URL: server.url, DATA_DIR: `${data}-second` });
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/Another machine uses the database in LIBSQL_URL/);
    expect(second.output()).not.toMatch(/^ {4}at /m);
    await stop(await readied(start({ LIBSQL_URL: server.url, DATA_DIR: `${data}-second`, SHARED_DATABASE: 'on' })));
    await stop(first);
    await stop(await readied(start({ LIBSQL_URL: server.url, DATA_DIR: `${data}-second` })));
    await server.close();
  });

  test('a start with the production database on a developer’s machine is refused with an explanation', async () => {
    const server = await startHranaServer({ path: join(root, 'production.db') });
    const production = {
      CONTEXT: 'production',
      SESSION_SECRET: 'x'.repeat(32),
      ADMIN_EMAIL: 'owner@firm.example',
      ADMIN_PASSWORD: 'correct horse battery',
      LIBSQL_URL: server.url,
    };
    await stop(await readied(start({ ...production, DATA_DIR: `${data}-first` })));
    const own = start({ LIBSQL_URL: server.url, DATA_DIR: `${data}-second` });
    expect(await own.ended).toBe(1);
    expect(own.output()).toContain('is not the production site, but it is connected to the production database');
    expect(own.output()).not.toMatch(/^ {4}at /m);
    await server.close();
  });

  test('a start that is refused answers no visitor, so the proxy shows its own page', async () => {
    await mkdir(join(root, data), { mode: 0o700 });
    await writeFile(join(root, data, 'site.db'), Buffer.alloc(8192, 'damaged'));
    const port = await freePort();
    const host = start({ PORT: String(port) });
    let ended = false;
    void host.ended.then(() => (ended = true));
    const answers: number[] = [];
    while (!ended) {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => setTimeout(20));
      if (answer instanceof Response) answers.push(answer.status);
    }
    expect(await host.ended).toBe(1);
    expect(host.output()).toMatch(/The error is about the file site\.db in data-\d+/);
    expect(host.output()).not.toMatch(/^ {4}at /m);
    expect(answers).toEqual([]);
  });

  test('an invalid variable is named without a stack trace', async () => {
    const host = start({ PORT: 'eighty', SESSION_SECRET: 'short', CONTEXT: 'production' });
    expect(await host.ended).toBe(1);
    expect(host.output()).toMatch(/PORT must be a port number/);
    expect(host.output()).toMatch(/SESSION_SECRET must have at least 32 characters/);
    expect(host.output()).not.toMatch(/^ {4}at /m);
  });

  test('a .env file is read, environment variables override it, and a value that is cut off at a # is named but not printed', async () => {
    await writeFile(
      join(root, '.env'),
      'PORT=eighty\nADMIN_EMAIL=owner@example.com\nADMIN_PASSWORD=correct horse#battery\n',
    );
    const host = await readied(start({ HOST: '0.0.0.0' }));
    expect(host.output()).toContain('the value of ADMIN_PASSWORD ends at the # sign');
    expect(host.output()).not.toMatch(/horse|battery/);
    expect(host.output()).toContain('as owner@example.com with your password');
    // A server that other machines can reach explains how to trust a proxy.
    expect(host.output()).toMatch(/HOST=0\.0\.0\.0 accepts connections from other machines[^\n]*TRUSTED_PROXIES/);
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
    expect(host.output()).not.toContain('Site: ');
    await writeFile(join(root, 'site.json'), '{\n  "name": "Firm",\n}');
    const broken = start();
    expect(await broken.ended).toBe(1);
    expect(broken.output()).toMatch(/^site\.json is not valid JSON: .*line 3[^\n]*\n$/);
  });

  test('a port that is in use is reported before anything is built or created', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const host = start({ PORT: String(port) });
    expect(await host.ended).toBe(1);
    expect(host.output()).toContain(`Another program uses port ${port} of 127.0.0.1.`);
    await expect(access(join(root, data))).rejects.toThrow('ENOENT');
    expect(host.output()).not.toContain('Site: ');
    other.close();
  });

  test('Ctrl-C, which npm sends twice, lets a running request finish', async () => {
    const host = start();
    const url = await host.ready();
    const running = fetch(`${url}/api/slow`);
    await vi.waitFor(() => access(join(root, 'asked')), 20_000);
    host.child.kill('SIGINT');
    host.child.kill('SIGINT');
    expect(await (await running).text()).toBe('finished');
    expect(await host.ended).toBe(0);
  });

  test('a later second signal stops the host immediately', async () => {
    const host = start();
    const url = await host.ready();
    fetch(`${url}/api/stuck`).catch(() => undefined);
    await vi.waitFor(() => access(join(root, 'asked')), 20_000);
    host.child.kill('SIGTERM');
    // A second signal within a second counts as the same Ctrl-C.
    await setTimeout(1_200);
    expect(host.child.exitCode).toBeNull();
    host.child.kill('SIGTERM');
    expect(await host.ended).toBe(1);
  });

  test('a common ADMIN_PASSWORD stops the first start in production, and causes a warning elsewhere', async () => {
    const variables = { ADMIN_EMAIL: 'first@firm.example', ADMIN_PASSWORD: 'passwordpassword' };
    const production = { CONTEXT: 'production', SESSION_SECRET: 'x'.repeat(40), SITE_URL: 'https://a.example' };
    const refused = start({ ...variables, ...production, DATA_DIR: `${data}-refused` });
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain(
      'ADMIN_PASSWORD is not safe enough for production. This password is too easy to guess.',
    );
    expect(refused.output()).not.toContain('"level":"error"');
    const warned = await readied(start(variables));
    expect(warned.output()).toContain('Warning: ADMIN_PASSWORD: This password is too easy to guess.');
    expect(warned.output()).not.toContain('Warning: ADMIN_EMAIL');
    await stop(warned);
    // If ADMIN_EMAIL is not an admin, the start prints the command that adds one.
    const other = await readied(start({ ADMIN_EMAIL: 'second@firm.example' }));
    expect(other.output()).toContain('To add this admin, run: npm run admin -- create second@firm.example');
    await stop(other);
  });
});
