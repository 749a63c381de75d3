import { spawn } from 'node:child_process';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { EnvError } from '../netlify/server/runtime/env.ts';
import { loadEnvFile } from './environment.ts';
import { precompress } from './precompress.ts';
import { keptBundle } from './rendering/bundle.ts';
import { hashOfBuild, hashOfBundle } from './rendering/inputs.ts';

/**
 * The folder for a new build. The build replaces `dist` only when complete, so a failed build does not change `dist`.
 */
const next = 'dist.next';

/** The build failed and has already printed its error. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}

/**
 * Builds the site into `dist` and compresses the files, if an input has changed since the last build.
 * @param ahead true to leave the new build in `dist.next`, because a running host serves `dist`. The next start of the
 * host then only renames the folder.
 * @returns true if this call built the site.
 * @throws {BuildError}
 */
export async function buildWhenChanged(root: string, { ahead = false } = {}): Promise<boolean> {
  const inputs = await hashOfBuild(root, process.env);
  // The file `.build-stamp` in the folder of a build contains the hash of the build's inputs and the names of its
  // functions. It is written last, so an interrupted build has no stamp.
  const stampIn = (folder: string): string => join(root, folder, '.build-stamp');
  const isCurrent = async (folder: string): Promise<boolean> =>
    (await readFile(stampIn(folder), 'utf8').catch(() => '')) === stampOf(inputs, await functionFiles(root));
  if (await isCurrent('dist')) return false;
  const made = await isCurrent(next);
  if (!made) {
    // A build also replaces the functions in .netlify that belong to `dist`, so the stamp of `dist` is invalid from
    // here on.
    await rm(stampIn('dist'), { force: true });
    await buildPages(root);
    await precompress(join(root, next), join(root, '.cache/compressed'));
    await writeFile(stampIn(next), stampOf(inputs, await functionFiles(root)));
  }
  if (!ahead) await takePlace(root);
  return !made;
}

/**
 * Bundles the code if it has changed, and renders all pages. Each of these two steps is a separate process, so its
 * memory is freed at its end.
 */
async function buildPages(root: string): Promise<void> {
  if (!(await keptBundle(root, await hashOfBundle(root, process.env)))) {
    await rm(join(root, next), { recursive: true, force: true });
    await runNode(root, join(root, 'node_modules/astro/bin/astro.mjs'), 'build', '--outDir', next);
  }
  await runNode(root, join(import.meta.dirname, 'rendering/command.ts'), next);
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

/**
 * Lists the function files that the build wrote outside `dist`. Other Astro commands (dev, check) delete these files at
 * start, and the site must then be built again.
 */
async function functionFiles(root: string): Promise<string[]> {
  const folder = join(root, '.netlify/v1/functions');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.mjs') && !name.includes('node_modules')).sort();
}

async function runNode(root: string, ...command: string[]): Promise<void> {
  const build = spawn(process.execPath, command, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' },
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

if (import.meta.main) {
  const ahead = process.argv.includes('--ahead');
  // A build ahead runs while the site serves visitors, who go first.
  if (ahead) setPriority(10);
  try {
    loadEnvFile();
    if (process.argv.includes('--uncompressed')) {
      // For Netlify, which compresses files itself.
      await buildPages(process.cwd());
      await takePlace(process.cwd());
      process.exit();
    }
    const built = await buildWhenChanged(process.cwd(), { ahead });
    if (!built) console.log('The site is up to date: no source has changed since the last build.');
    else if (ahead) console.log(`Built into ${next}. Restart the site to serve it.`);
  } catch (error) {
    if (!(error instanceof BuildError || error instanceof EnvError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
