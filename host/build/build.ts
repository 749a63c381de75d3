import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { EnvError, readBuildEnv } from '../../netlify/server/runtime/env.ts';
import { loadEnvFile } from '../environment.ts';
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
export class BuildError extends Error {
  override readonly name = 'BuildError';
}

/** Returns whether there is a complete build in `dist`. */
export async function hasBuild(root: string): Promise<boolean> {
  return (await stampOf(join(root, 'dist'))) !== '';
}

/**
 * Builds the site into `dist` and compresses the files, if a source has changed since the last build.
 * @param ahead true to leave the new build in `dist.next`, because a running host serves `dist`. The next start of the
 * host then only renames the folder.
 * @returns true if this call built the site.
 * @throws {BuildError}
 */
export async function buildWhenChanged(root: string, { ahead = false } = {}): Promise<boolean> {
  const [dist, built] = [join(root, 'dist'), join(root, next)];
  const stamp = await hashOfSources(root);
  if ((await stampOf(dist)) === stamp) return false;
  const builds = (await stampOf(built)) !== stamp;
  if (builds) {
    await rm(built, { recursive: true, force: true });
    await runAstro(root);
    await compressFiles(built);
    // The adapter writes the server function and the header rules to `.netlify`. Other Astro commands (dev, check) delete
    // them there, so the host reads a copy that belongs to the build.
    await cp(join(root, '.netlify/v1'), join(built, '.netlify/v1'), { recursive: true });
    // The stamp is written last, so an interrupted build has none.
    await writeFile(join(built, '.build-stamp'), stamp);
  }
  if (!ahead) {
    await rm(dist, { recursive: true, force: true });
    await rename(built, dist);
  }
  return builds;
}

/** Returns the hash of the sources of a build, or an empty text if there is no complete build. */
async function stampOf(folder: string): Promise<string> {
  return await readFile(join(folder, '.build-stamp'), 'utf8').catch(() => '');
}

/** Returns a hash of everything that a build depends on, except the content of the database. */
async function hashOfSources(root: string): Promise<string> {
  const files = (await readdir(root)).filter((name) => sourceFiles.test(name));
  for (const folder of sourceFolders) {
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])) {
      if (entry.isFile() && !noSource.test(entry.name)) files.push(relative(root, join(entry.parentPath, entry.name)));
    }
  }
  const hash = createHash('sha256').update(`${readBuildEnv(process.env).SITE_URL}\0`);
  for (const file of files.sort()) hash.update(`${file}\0`).update(await readFile(join(root, file))).update('\0'); // prettier-ignore
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

if (import.meta.main) {
  const ahead = process.argv.includes('--ahead');
  // A build ahead runs while the site serves visitors, who go first.
  if (ahead) setPriority(10);
  try {
    loadEnvFile();
    const built = await buildWhenChanged(process.cwd(), { ahead });
    if (!built) console.log('The site is up to date: no source has changed since the last build.');
    else if (ahead) console.log(`Built into ${next}. Restart the site to serve it.`);
  } catch (error) {
    if (!(error instanceof BuildError || error instanceof EnvError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
