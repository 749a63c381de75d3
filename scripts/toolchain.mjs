// Installs the packages, including Node 24. Runs on any Node 20 or newer, before any package is installed.
import { spawn } from 'node:child_process';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const packages = join(root, 'node_modules');
/** npm writes this file when an installation is complete. */
const record = join(packages, '.package-lock.json');
/** Exists while `npm install` changes a complete installation, and afterward if the change was interrupted. */
const unfinished = join(packages, '.unfinished');

/**
 * Installs the packages that are missing or differ from package-lock.json, and prints its progress.
 * @param {{ development?: boolean }} [options] `development` also installs the packages for tests, checks and benches.
 * Once these packages are installed, calls without `development` also keep them up to date.
 */
export async function installPackages({ development = false } = {}) {
  const [wanted, installed] = await Promise.all([packagesOf(join(root, 'package-lock.json')), installedPackages()]);
  const inFolder = Object.entries(installed ?? {}).filter(([path]) => path.startsWith('node_modules/'));
  const all = development || inFolder.some(([, { dev }]) => dev);
  if (installed !== null && isCurrent(wanted, installed, all)) {
    console.log('Packages: up to date');
    return;
  }
  console.log(`Packages: installing (${all ? 'a minute or two' : 'half a minute'} the first time)`);
  const began = Date.now();
  const still = setInterval(() => console.log(`Packages: still installing (${seconds(began)})`), 15_000);
  // `--include=dev` installs the development packages even if NODE_ENV is `production`.
  const options = [all ? '--include=dev' : '--omit=dev', '--loglevel=error'];
  try {
    if (installed === null) {
      await rm(record, { force: true });
      await npm('ci', ...options);
    } else {
      // `npm ci` would first delete all packages, including packages that a running site loads later.
      await writeFile(unfinished, '');
      // If the installation fails, npm restores the former packages.
      await npm('install', '--no-save', ...options).finally(() => rm(unfinished));
    }
  } catch (error) {
    console.error(`Packages: could not be installed. ${error.message}`);
    process.exit(1);
  } finally {
    clearInterval(still);
  }
  console.log(`Packages: installed (${seconds(began)})`);
}

/** Returns the path of the Node that runs all other code: the installed package, or this Node if it is new enough. */
export async function projectNode() {
  const installed = join(packages, '.bin/node');
  if (await exists(installed)) return installed;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  // A release (scripts/release.ts) has Node in a separate folder, for a server without Node 24.
  const own = join(root, 'node');
  const fetched = join(own, 'node_modules/.bin/node');
  if ((await exists(join(own, 'package.json'))) && !(await exists(fetched))) {
    console.log('Packages: fetching Node 24');
    await npm('ci', '--prefix', own, '--loglevel=error');
  }
  if (await exists(fetched)) return fetched;
  console.error(
    `Node 24 is missing, and this is Node ${process.versions.node}. \`npm start\` installs Node 24 on Linux and macOS. On another ` +
      'system, install Node 24 or newer first.',
  );
  return process.exit(1);
}

/** Runs the npm that started this process, or else `npm` from the PATH. */
export async function npm(...args) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) await run(process.execPath, [cli, ...args]);
  else await run('npm', args, { shell: process.platform === 'win32' });
}

/** Runs a program in the project's folder, with output to this terminal. Rejects if the program fails. */
export async function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`This command failed with exit code ${code}: ${[command, ...args].join(' ')}`);
}

/** Returns the seconds since a time, as text. */
export function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}

export async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Returns npm's record of the installed packages, or null if the installation is missing or incomplete. */
async function installedPackages() {
  return (await exists(unfinished)) ? null : packagesOf(record).catch(() => null);
}

function isCurrent(wanted, installed, all) {
  return Object.entries(wanted).every(([path, entry]) => {
    // A linked package has two entries in package-lock.json: the link and its folder. Only the entry of the folder says
    // whether the package is for development.
    const { dev, optional, peer } = entry.link ? wanted[entry.resolved] : entry;
    if (path === '' || (dev && !all)) return true;
    const found = installed[path];
    // npm does not record an optional package that this machine does not need.
    return found === undefined ? Boolean(optional || peer) : found.version === entry.version;
  });
}

async function packagesOf(lockFile) {
  return JSON.parse(await readFile(lockFile, 'utf8')).packages;
}
