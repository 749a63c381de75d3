import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandEnvironment } from '../../support/host/command.ts';
import { project } from '../../support/host/start.ts';

// The tests run the real npm, which takes seconds, so all of them use one project. The packages are local folders, so
// npm needs no network.

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolchain-'));
  await mkdir(join(root, 'scripts'));
  await cp('scripts/node24.mjs', join(root, 'scripts/node24.mjs'));
  for (const name of ['serving', 'testing', 'later']) {
    await mkdir(join(root, name));
    await writeFile(join(root, name, 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
  }
  // Copies the packages instead of linking them, as for packages from a registry.
  await writeFile(join(root, '.npmrc'), 'install-links=true');
  await ask(['serving'], ['testing']);
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Writes package.json and package-lock.json with these packages. Creates the lock file in a separate folder. */
async function ask(serving: string[], development: string[]): Promise<void> {
  const folders = (names: string[]) => Object.fromEntries(names.map((name) => [name, `file:${name}`]));
  const other = await mkdtemp(join(tmpdir(), 'toolchain-other-'));
  for (const name of ['.npmrc', ...serving, ...development])
    await cp(join(root, name), join(other, name), { recursive: true });
  const wanted = { dependencies: folders(serving), devDependencies: folders(development) };
  await writeFile(join(other, 'package.json'), JSON.stringify({ name: 'site', version: '1.0.0', ...wanted }));
  execFileSync('npm', ['install', '--package-lock-only', '--offline', '--loglevel=error'], {
    cwd: other,
    stdio: 'pipe',
  });
  for (const file of ['package.json', 'package-lock.json']) await cp(join(other, file), join(root, file));
  await rm(other, { recursive: true });
}

/** Runs the first step of the project's commands. @returns the printed output. */
function installPackages(options: { development?: boolean } = {}, variables: NodeJS.ProcessEnv = {}): string {
  const toolchain = pathToFileURL(join(root, 'scripts/node24.mjs')).href;
  const code = `const { installPackages } = await import('${toolchain}'); await installPackages(${JSON.stringify(options)});`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, npm_config_offline: 'true', ...variables },
  });
}

const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8');

const has = (path: string): Promise<boolean> =>
  stat(join(root, 'node_modules', path)).then(
    () => true,
    () => false,
  );

test('npm start installs only the packages for serving, npm test adds the others, and an update changes only what differs', async () => {
  expect(installPackages()).toContain('Packages: installed');
  expect([await has('serving'), await has('testing')]).toEqual([true, false]);
  expect(installPackages()).toBe('Packages: up to date\n');
  expect(installPackages({ development: true }, { NODE_ENV: 'production' })).toContain('Packages: installed');
  expect([await has('serving'), await has('testing')]).toEqual([true, true]);
  expect(installPackages()).toBe('Packages: up to date\n');

  // A running site still has to load some of its packages, so an update must not replace them.
  await writeFile(join(root, 'node_modules/serving/kept'), '');
  await ask(['serving', 'later'], ['testing']);
  expect(installPackages()).toContain('Packages: installed');
  expect([await has('later'), await has('testing'), await has('serving/kept')]).toEqual([true, true, true]);

  // Simulates a power failure during an update. The packages are then installed from the beginning.
  await writeFile(join(root, 'node_modules/.unfinished'), '');
  expect(installPackages()).toContain('Packages: installed');
  expect([await has('serving'), await has('serving/kept')]).toEqual([true, false]);
});

test('A failed update leaves the previous packages, and the previous version starts with them', async () => {
  installPackages();
  const [packageJson, lockFile] = await Promise.all(['package.json', 'package-lock.json'].map((file) => read(file)));
  const dependencies = { serving: 'file:serving', unreachable: '1.0.0' };
  const lock = JSON.parse(lockFile ?? '') as { packages: Record<string, object> };
  lock.packages[''] = { ...lock.packages[''], dependencies };
  lock.packages['node_modules/unreachable'] = { version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` };
  await writeFile(join(root, 'package.json'), JSON.stringify({ ...JSON.parse(packageJson ?? ''), dependencies }));
  await writeFile(join(root, 'package-lock.json'), JSON.stringify(lock));
  expect(() => installPackages()).toThrow('Packages: could not be installed.');

  await writeFile(join(root, 'package.json'), packageJson ?? '');
  await writeFile(join(root, 'package-lock.json'), lockFile ?? '');
  expect(installPackages()).toBe('Packages: up to date\n');
  expect(await has('serving')).toBe(true);
});

test('A machine with Node 20 runs the Node that npm installed, also without the link to it, which npm 9 removes', async () => {
  const node = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  await mkdir(dirname(node), { recursive: true });
  await writeFile(node, '');
  const code = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.2' } });
    const { projectNode } = await import('${pathToFileURL(join(root, 'scripts/node24.mjs')).href}');
    console.log(projectNode());`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
  expect(printed.trim()).toBe(node);
});

test('npm 9, whose default is to copy a linked package, links it, because each start would install the copy again', async () => {
  const defaults = join(root, 'npmrc-of-npm-9');
  await writeFile(defaults, 'install-links=true');
  const options = {
    cwd: project,
    encoding: 'utf8',
    env: commandEnvironment({ npm_config_userconfig: defaults }),
  } as const;
  expect(execFileSync('npm', ['config', 'get', 'install-links'], options)).toBe('false\n');
});

test('Certificates from NODE_EXTRA_CA_CERTS in .env are trusted, although Node reads the variable before any code runs', async () => {
  installPackages();
  await writeFile(join(root, 'own.pem'), getCACertificates('bundled')[0] ?? '');
  await writeFile(join(root, '.env'), `NODE_EXTRA_CA_CERTS=${join(root, 'own.pem')}\n`);
  await writeFile(
    join(root, 'program.mjs'),
    `import { getCACertificates } from 'node:tls'; console.log(getCACertificates('extra').length);`,
  );
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: undefined };
  const printed = execFileSync(process.execPath, ['scripts/node24.mjs', 'program.mjs'], { cwd: root, env });
  expect(printed.toString().trim()).toBe('1');
});
