import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { cp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBuildEnv } from '../../netlify/server/env.ts';
import { holderOf, takeLock } from '../data/lock.ts';
import { loadEnvFile } from '../environment.ts';
import { CommandError, failStart } from '../errors.ts';
import { compressFiles } from './compress.ts';
import { hashOfSources, stampOf } from './stamp.ts';

/**
 * The folder for a new build. The build replaces `dist` only when complete, so a failed build does not change `dist`.
 */
const next = 'dist.next';

/** The build failed and has already printed its error. */
export class BuildError extends CommandError {}

/**
 * Builds the site into `dist` and compresses the files, if a source has changed since the last build. Waits for a build
 * that another process runs in the same folder.
 * @returns true if this call built the site.
 * @throws {BuildError}
 */
export async function buildWhenChanged(root: string): Promise<boolean> {
  const [dist, built] = [join(root, 'dist'), join(root, next)];
  const stamp = hashOfSources(root);
  if (stampOf(dist) === stamp) return false;
  const unlock = await lockBuild(root);
  try {
    // The other process may have built the same sources.
    if (stampOf(dist) === stamp) return false;
    await rm(built, { recursive: true, force: true });
    await runAstro(root);
    await compressFiles(built);
    // The adapter writes the server function and the header rules to `.netlify`. Other Astro commands (dev, check)
    // delete them there, so the host reads a copy that belongs to the build.
    await cp(join(root, '.netlify/v1'), join(built, '.netlify/v1'), { recursive: true });
    // The stamp is written last, so an interrupted build has none.
    await writeFile(join(built, '.build-stamp'), stamp);
    await rm(dist, { recursive: true, force: true });
    await rename(built, dist);
    return true;
  } finally {
    unlock();
  }
}

async function lockBuild(root: string): Promise<() => void> {
  const folder = join(root, '.cache/build');
  try {
    // For a read-only disk, `mkdirSync` reports that the folder does not exist.
    accessSync(root, constants.W_OK);
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const advice = ['EACCES', 'EROFS'].includes(code)
      ? '. In a container, build the image again, with the SITE_URL of .env: docker compose up --detach --build'
      : '';
    throw new BuildError(
      `The sources or SITE_URL have changed since the build, and no build can start: ${message}${advice}`,
    );
  }
  let unlock = takeLock(folder);
  if (!unlock) console.log('Site: another process is building in this folder; waiting until it has finished');
  while (!unlock) {
    await sleep(500);
    unlock = takeLock(folder);
  }
  return unlock;
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
  if (code !== 0)
    throw new BuildError('The build failed. Fix the error that the log shows, then start or build the site again');
}

async function main(): Promise<void> {
  loadEnvFile();
  const holder = await holderOf(readBuildEnv(process.env).DATA_DIR);
  if (holder?.startsWith(`the site in ${process.cwd()} on`)) {
    throw new BuildError(
      'The site is running in this folder, and a build would replace the files that visitors load. Restart the site to build ' +
        'and serve the changes, or run: npm run upgrade -- .',
    );
  }
  const built = await buildWhenChanged(process.cwd());
  if (!built) console.log('The site is up to date: no source has changed since the last build.');
}

if (import.meta.main) await main().catch(failStart);
