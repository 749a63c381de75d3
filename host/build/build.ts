import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBuildEnv } from '../../netlify/server/env.ts';
import { takeLock } from '../data/lock.ts';
import { loadEnvFile } from '../environment.ts';
import { CommandError, failStart } from '../errors.ts';
import { compressFiles } from './compress.ts';

/**
 * The folder for a new build. The build replaces `dist` only when complete, so a failed build does not change `dist`.
 */
const next = 'dist.next';
/** A build depends on the files in these folders, except tests, and on the files whose names match `sourceFiles`. */
const sourceFolders = ['src', 'content', 'public', 'netlify', 'host/build'];
const sourceFiles = /^(package|package-lock|tsconfig|site)\.json$|\.config\.[cm]?[jt]s$/;
const noSource = /\.test\.ts$|^\.DS_Store$/;

/** The build failed and has already printed its error. */
export class BuildError extends CommandError {}

/** Returns whether there is a complete build in `dist`. */
export async function hasBuild(root: string): Promise<boolean> {
  return (await stampOf(join(root, 'dist'))) !== '';
}

/**
 * Builds the site into `dist` and compresses the files, if a source has changed since the last build. Waits for a build
 * that another process runs in the same folder.
 * @param ahead true to leave the new build in `dist.next`, because a running host serves `dist`. The next start of the
 * host then only renames the folder.
 * @returns true if this call built the site.
 * @throws {BuildError}
 */
export async function buildWhenChanged(root: string, { ahead = false } = {}): Promise<boolean> {
  const [dist, built] = [join(root, 'dist'), join(root, next)];
  const stamp = hashOfSources(root);
  if ((await stampOf(dist)) === stamp) return false;
  const unlock = await lockBuild(join(root, '.cache/build'));
  try {
    // The other process may have built the same sources.
    if ((await stampOf(dist)) === stamp) return false;
    const builds = (await stampOf(built)) !== stamp;
    if (builds) {
      await rm(built, { recursive: true, force: true });
      await runAstro(root);
      await compressFiles(built);
      // The adapter writes the server function and the header rules to `.netlify`. Other Astro commands (dev, check)
      // delete them there, so the host reads a copy that belongs to the build.
      await cp(join(root, '.netlify/v1'), join(built, '.netlify/v1'), { recursive: true });
      // The stamp is written last, so an interrupted build has none.
      await writeFile(join(built, '.build-stamp'), stamp);
    }
    if (!ahead) {
      await rm(dist, { recursive: true, force: true });
      await rename(built, dist);
    }
    return builds;
  } finally {
    unlock();
  }
}

async function lockBuild(folder: string): Promise<() => void> {
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    throw new BuildError(
      'The sources or SITE_URL have changed, but this folder cannot be written. Build the site again.',
    );
  }
  let unlock = takeLock(folder);
  if (!unlock) console.log('Site: another process builds in this folder; waiting until it has finished');
  while (!unlock) {
    await sleep(500);
    unlock = takeLock(folder);
  }
  return unlock;
}

/** Returns the hash of the sources of a build, or an empty text if there is no complete build. */
async function stampOf(folder: string): Promise<string> {
  return await readFile(join(folder, '.build-stamp'), 'utf8').catch(() => '');
}

/**
 * Returns a hash of everything that a build depends on, except the content of the database. Reads synchronously, which
 * takes a third of the time for a thousand small files.
 */
function hashOfSources(root: string): string {
  const files = readdirSync(root).filter((name) => sourceFiles.test(name));
  for (const folder of sourceFolders.map((name) => join(root, name)).filter((path) => existsSync(path))) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && !noSource.test(entry.name)) files.push(relative(root, join(entry.parentPath, entry.name)));
    }
  }
  const hash = createHash('sha256').update(`${readBuildEnv(process.env).SITE_URL}\0`);
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file))).update('\0'); // prettier-ignore
  return hash.digest('hex');
}

async function runAstro(root: string): Promise<void> {
  const astro = join(root, 'node_modules/astro/bin/astro.mjs');
  const build = spawn(process.execPath, [astro, 'build', '--outDir', next], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' },
  });
  const abandon = (signal: NodeJS.Signals): void => {
    build.kill(signal);
    process.exit(1);
  };
  process.on('SIGTERM', abandon).on('SIGINT', abandon);
  const [code] = (await once(build, 'close')) as [number | null];
  process.off('SIGTERM', abandon).off('SIGINT', abandon);
  if (code !== 0) throw new BuildError('The site could not be built. The error is printed above.');
}

async function main(): Promise<void> {
  const ahead = process.argv.includes('--ahead');
  // A build ahead runs while the site serves visitors, who go first.
  if (ahead) setPriority(10);
  loadEnvFile();
  const built = await buildWhenChanged(process.cwd(), { ahead });
  if (!built) console.log('The site is up to date: no source has changed since the last build.');
  else if (ahead) console.log(`Built into ${next}. Restart the site to serve it.`);
}

if (import.meta.main) await main().catch(failStart);
