import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import process from 'node:process';
import { type BuildEnv, EnvError, readBuildEnv } from '../netlify/server/env.ts';
import { loadEnvFile } from './environment.ts';
import { precompress } from './precompress.ts';

/** What a build is made of: these folders but for their tests, and the files that are named below. */
const inputFolders = ['src', 'content', 'public', 'netlify'];
/** The parts of the host that work on what Astro makes. */
export const ownParts = ['module-preloads.ts', 'netlify-output.ts', 'precompress.ts'];
const inputFiles = /^(package|package-lock|tsconfig|site)\.json$|\.config\.[cm]?[jt]s$/;
const noInput = /\.test\.ts$|^\.DS_Store$/;

/** Variables that the pages depend on, beside the files. */
export type BuildVariables = Pick<BuildEnv, 'SITE_URL' | 'LIBSQL_URL' | 'production'>;

/** Where a build is made before it takes the place of `dist`: a build that fails or is interrupted leaves `dist` whole. */
const next = 'dist.next';

/** The build stopped with an error, which it printed itself. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}

/**
 * Builds the site into `dist` and compresses it, unless nothing that it is made of has changed since the last time.
 * @param ahead leaves `dist` to the host that serves from it, so that the next start finds its build and takes a second.
 * @returns true where it was built now.
 * @throws {BuildError}
 */
export async function buildWhenChanged(
  root: string,
  variables: BuildVariables,
  { ahead = false } = {},
): Promise<boolean> {
  const inputs = await hashOfInputs(root, variables);
  // Inside the build's own folder, and written last: any other build, or one that was interrupted, leaves none.
  const stampIn = (folder: string): string => join(root, folder, '.build-stamp');
  const isCurrent = async (folder: string): Promise<boolean> =>
    (await readFile(stampIn(folder), 'utf8').catch(() => '')) === stampOf(inputs, await functionFiles(root));
  if (await isCurrent('dist')) return false;
  const made = await isCurrent(next);
  if (!made) {
    // A build also writes beside its folder (.netlify), so what it replaces is no longer complete.
    await rm(stampIn('dist'), { force: true });
    await rm(join(root, next), { recursive: true, force: true });
    await runAstro(root);
    await precompress(join(root, next), join(root, '.cache/compressed'));
    await writeFile(stampIn(next), stampOf(inputs, await functionFiles(root)));
  }
  if (!ahead) await takePlace(root);
  return !made;
}

async function takePlace(root: string): Promise<void> {
  const former = join(root, 'dist.old');
  await rm(former, { recursive: true, force: true });
  await rename(join(root, 'dist'), former).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(join(root, next), join(root, 'dist'));
  await rm(former, { recursive: true, force: true });
}

function stampOf(inputs: string, generated: readonly string[]): string {
  return [inputs, ...generated].join('\n');
}

/** What the build left beside `dist`. Astro's other commands (dev, check) clear it away as they start. */
async function functionFiles(root: string): Promise<string[]> {
  const folder = join(root, '.netlify/v1/functions');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.mjs') && !name.includes('node_modules')).sort();
}

async function runAstro(root: string): Promise<void> {
  const build = spawn(process.execPath, [join(root, 'node_modules/astro/bin/astro.mjs'), 'build', '--outDir', next], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  });
  const abandon = (signal: NodeJS.Signals): void => {
    build.kill(signal);
    process.exit(1);
  };
  process.on('SIGTERM', abandon).on('SIGINT', abandon);
  const code = await new Promise<number | null>((resolve, reject) => build.on('error', reject).on('close', resolve));
  process.off('SIGTERM', abandon).off('SIGINT', abandon);
  if (code !== 0) throw new BuildError('The site could not be built. The error is printed above.');
}

/** One hash over names and contents of all inputs. */
async function hashOfInputs(root: string, variables: BuildVariables): Promise<string> {
  const { SITE_URL, LIBSQL_URL, production } = variables;
  const hash = createHash('sha256').update(JSON.stringify([SITE_URL, LIBSQL_URL, production]));
  const files = ownParts.map((name) => join(root, 'host', name));
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (entry.isFile() && inputFiles.test(entry.name)) files.push(join(root, entry.name));
  }
  for (const folder of inputFolders) {
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])) {
      if (entry.isFile() && !noInput.test(entry.name)) files.push(join(entry.parentPath, entry.name));
    }
  }
  for (const file of files.sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex');
}

if (import.meta.main) {
  const ahead = process.argv.includes('--ahead');
  try {
    loadEnvFile();
    const built = await buildWhenChanged(process.cwd(), readBuildEnv(process.env), { ahead });
    if (!built) console.log('The site is up to date: nothing that it is made of has changed.');
    else if (ahead) console.log(`Built into ${next}. Restart the site to serve it.`);
  } catch (error) {
    if (!(error instanceof BuildError || error instanceof EnvError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
