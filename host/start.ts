import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { seconds } from '../scripts/node24.mjs';
import { hashOfSources, stampOf } from './build/stamp.ts';
import { failStart } from './errors.ts';
import { refuseWaiting } from './requests/systemd-socket.ts';
import type * as Server from './serve.ts';

/**
 * Runs `npm start` after the packages are installed. If no source has changed since the last build, runs the bundle of
 * that build, which starts faster than the sources.
 */
async function main(): Promise<void> {
  const root = process.cwd();
  const dist = join(root, 'dist');
  // The build depends on SITE_URL.
  if (existsSync('.env')) process.loadEnvFile('.env');
  if (stampOf(dist) !== hashOfSources(root)) {
    const { start } = await import('./serve.ts');
    return await start(() => build(root), join(root, 'netlify/functions'));
  }
  const bundle = join(dist, '.server');
  const { start } = (await import(pathToFileURL(join(bundle, 'serve.mjs')).href)) as typeof Server;
  await start(
    async () => {
      console.log('Site: up to date');
      return null;
    },
    join(bundle, 'functions'),
  );
}

/**
 * Builds the site. If that fails, the last good build is served, so a mistake in an article does not take the site down.
 * @returns what to tell the owner if the site serves an earlier build; otherwise null.
 */
async function build(root: string): Promise<string | null> {
  const began = Date.now();
  console.log('Site: checking for changes');
  const { BuildError, buildWhenChanged } = await import('./build/build.ts');
  try {
    const built = await buildWhenChanged(root);
    console.log(`Site: ${built ? 'built' : 'up to date'} (${seconds(began)})`);
    return null;
  } catch (error) {
    if (!(error instanceof BuildError) || stampOf(join(root, 'dist')) === '') throw error;
    console.error(`${error.message}. The site serves its last good build.`);
    return `The latest changes are not on the pages. ${error.message}`;
  }
}

await main().catch(async (error: unknown) => {
  await refuseWaiting().catch(() => undefined);
  failStart(error);
});
