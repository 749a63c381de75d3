// Runs a file of this project with Node 24, on a machine with any Node from 20 on:
//
//   node scripts/node24.mjs [--install] [NODE OPTIONS] FILE [ARGUMENTS]
//
// Installs the packages first if there are none. With `--install`, also brings them up to date with package-lock.json.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
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
 * Node options of the server. Sizes are in MB.
 * - The heap limit: V8 collects garbage earlier if the limit is low. The site has 45 MB of JavaScript objects. V8
 *   collects garbage at 65 MB with this limit, and at 130 MB with the default limit of several gigabytes.
 * - The size of a semi-space: the memory for new objects is three times as large, so 24 MB instead of 48 MB. A flood of
 *   requests takes less memory, and each collection of new objects is shorter.
 * - The growth of a semi-space: none. Otherwise, each collection of new objects blocks all visitors for 5 to 15 ms. With
 *   16 connections in bench/contact.ts, the 99th percentile of the response time is 16 ms instead of 31 ms.
 */
export const hostOptions = ['--max-old-space-size=512', '--max-semi-space-size=8', '--semi-space-growth-factor=1'];

/**
 * Completes an environment with variables that must be set before Node starts. The owner's own values take precedence.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
export function hostEnvironment(environment) {
  return {
    // By default, Linux's allocator (glibc) keeps freed memory for later. With these values, it immediately returns
    // freed blocks of files and request bodies (64 KB each) to the system. After a flood of requests, the allocator
    // holds 64 MB instead of 153 MB. A lower threshold would include the blocks of V8's compiler (32 KB), and a start
    // would take 30 ms longer.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TRIM_THRESHOLD_: '131072',
    // Caches compiled code, so the next start does not compile the same code again.
    NODE_COMPILE_CACHE: join(root, '.cache/node'),
    ...environment,
  };
}

/**
 * Installs the packages that are missing or differ from package-lock.json, and prints its progress.
 * @param {{ development?: boolean, update?: boolean }} [options] `development` also installs the packages for tests,
 * checks and benches. Once these packages are installed, calls without `development` also keep them up to date. With
 * `update: false`, an earlier installation stays as it is.
 */
export async function installPackages({ development = false, update = true } = {}) {
  const installed = existsSync(unfinished) ? null : packagesOf(record);
  if (installed !== null && !update) return;
  const all = development || Object.values(installed ?? {}).some(({ dev, link }) => dev && !link);
  if (installed !== null && isCurrent(installed, all)) {
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
      rmSync(record, { force: true });
      await npm('ci', ...options);
    } else {
      // `npm ci` would first delete all packages, including packages that a running site loads later. If `npm install`
      // fails, npm restores the former packages.
      writeFileSync(unfinished, '');
      await npm('install', '--no-save', ...options).finally(() => rmSync(unfinished));
    }
  } catch (error) {
    console.error(`Packages: could not be installed. ${error.message}`);
    process.exit(1);
  } finally {
    clearInterval(still);
  }
  console.log(`Packages: installed (${seconds(began)})`);
}

/** Returns npm's list of packages from a lock file, or null if there is none. */
function packagesOf(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : null;
}

function isCurrent(installed, all) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
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

/** Returns the path of the Node that runs all other code: this Node if it is new enough, or else the installed package. */
export function projectNode() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const system = `${process.platform}-${process.arch}`;
  // npm 9 removes the link `.bin/node` together with the packages for other systems.
  const node = ['node', 'node-bin'].map((name) => join(packages, `${name}-${system}`, 'bin/node')).find(existsSync);
  if (node !== undefined) return node;
  console.error(
    `This is Node ${process.versions.node}, and the site needs Node 24. npm has no package with Node 24 for this system. Install ` +
      'Node 24 or newer from https://nodejs.org.',
  );
  return process.exit(1);
}

/** Runs the npm that started this process, or else `npm` from the PATH. */
async function npm(...args) {
  const cli = process.env.npm_execpath;
  const options = { env: { ...process.env } };
  // The account of a service often has no home folder, where npm would keep its downloads.
  if (!isWritable(homedir())) options.env.npm_config_cache = join(root, '.cache/npm');
  if (cli?.endsWith('.js')) await run(process.execPath, [cli, ...args], options);
  else await run('npm', args, { ...options, shell: process.platform === 'win32' });
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs a program in the project's folder, with output to this terminal. Rejects if the program fails. */
export async function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`This command failed with exit code ${code}: ${[command, ...args].join(' ')}`);
}

/**
 * Returns the seconds since a time in milliseconds, as text.
 * @param {number} since
 */
export function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}

async function main([first, ...rest]) {
  const update = first === '--install';
  await installPackages({ update });
  // Node reads NODE_EXTRA_CA_CERTS before it runs any code, so the file must be loaded before the other Node starts.
  if (existsSync(join(root, '.env'))) process.loadEnvFile?.(join(root, '.env'));
  const args = update ? rest : [first, ...rest];
  const options = args[0] === 'host/start.ts' ? hostOptions : [];
  // Node passes no socket to its children by itself. This one is systemd's (docs/deploy/site.socket).
  const sockets = Number(process.env.LISTEN_PID) === process.pid ? [3] : [];
  const child = spawn(projectNode(), [...options, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', ...sockets],
    env: hostEnvironment(process.env),
  });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 1));
}

const [, started = ''] = process.argv;
if (existsSync(started) && realpathSync(started) === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
