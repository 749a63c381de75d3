// What a fresh machine lacks: the packages, and Node 24 among them. Runs on any Node 20 or newer, before anything is installed.
import { spawn } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Installs the packages where they are missing or not those of package-lock.json, and prints what it does. */
export async function installPackages() {
  if (await packagesAreCurrent()) {
    console.log('Packages: up to date');
    return;
  }
  console.log('Packages: installing (a minute or two the first time)');
  const began = Date.now();
  const still = setInterval(() => console.log(`Packages: still installing (${seconds(began)})`), 15_000);
  try {
    // Not `npm ci`: it refuses a lock file that leaves out what only other systems need, and begins by deleting everything.
    // The versions are those of the lock file either way, and it stays as it is. What builds the site is needed here even
    // where NODE_ENV says production.
    await npm('install', '--include=dev', '--no-save', '--no-audit', '--no-fund', '--loglevel=error');
  } catch (error) {
    console.error(`Packages: could not be installed. ${error.message}`);
    process.exit(1);
  } finally {
    clearInterval(still);
  }
  console.log(`Packages: installed (${seconds(began)})`);
}

/** The Node that runs everything else: the one among the packages, else this one where it is new enough. */
export async function projectNode() {
  const installed = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (await exists(installed)) return installed;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  // Where npm was told to run no install scripts, this is the one that cannot be done without.
  console.log('Packages: fetching Node 24');
  await run(process.execPath, ['installArchSpecificPackage.js'], { cwd: join(root, 'node_modules/node') });
  return installed;
}

/** Runs npm as this process was run, or by its name. */
export async function npm(...args) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) await run(process.execPath, [cli, ...args]);
  else await run('npm', args, { shell: process.platform === 'win32' });
}

/** Runs a program in the project's folder, in this terminal. Rejects where it fails. */
export async function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`This failed with code ${code}: ${[command, ...args].join(' ')}`);
}

/** Seconds since a moment, for a person. */
export function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}

export async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** npm itself writes down what it installed; compared with what the lock file asks for. */
async function packagesAreCurrent() {
  const [wanted, installed] = await Promise.all([
    packagesOf(join(root, 'package-lock.json')),
    packagesOf(join(root, 'node_modules/.package-lock.json')),
  ]);
  if (wanted === null || installed === null) return false;
  return Object.entries(wanted).every(([path, { version, optional, peer }]) => {
    if (path === '') return true;
    const found = installed[path];
    // An optional package that this machine has no use for is left out of the record.
    return found === undefined ? Boolean(optional || peer) : found.version === version;
  });
}

async function packagesOf(lockFile) {
  const text = await readFile(lockFile, 'utf8').catch(() => null);
  return text === null ? null : JSON.parse(text).packages;
}
