import { existsSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { checkSiteDetails } from '../netlify/server/publishing/site-details.ts';
import { seconds } from '../scripts/node24.mjs';
import { BuildError, buildWhenChanged } from './build/build.ts';
import { stampOf } from './build/stamp.ts';
import { checkPort, listenWarning, ownerWarning } from './checks.ts';
import { lockData } from './data/lock.ts';
import { ownEnvironment } from './environment.ts';
import { CommandError, failStart } from './errors.ts';
import { refuseWaiting, systemdSocket } from './requests/systemd-socket.ts';
import { serve } from './serve.ts';

/** Runs `npm start` after the packages are installed: checks the configuration, builds the site, and serves it. */
async function main(): Promise<void> {
  const env = ownEnvironment();
  checkSiteDetails();
  for (const warning of [listenWarning(env), await ownerWarning(env)]) {
    if (warning !== null) console.warn(`Warning: ${warning}`);
  }
  // Before the build, which can take minutes.
  if (systemdSocket() === undefined) await checkPort(env);
  await lockData(env.DATA_DIR, `the site in ${process.cwd()} on port ${env.PORT}`);
  refuseFormerVersion();
  const buildFault = await build(process.cwd());
  // Only this account may read the visitors' submissions, even in a folder that others may read.
  process.umask(0o077);
  await serve(env, buildFault);
}

/**
 * Refuses to start a version that an upgrade or a rollback has replaced. This process may have begun before the link to the
 * current version changed, and would migrate the database of the current version.
 */
function refuseFormerVersion(): void {
  const [version, current] = [process.cwd(), resolve('../../current')];
  if (basename(resolve('..')) !== 'versions' || !existsSync(current) || realpathSync(current) === version) return;
  throw new CommandError(`${version} is not the current version. Start the site in ${current}.`);
}

/**
 * Builds the site if a source has changed. If that fails, the last good build is served, so a mistake in an article does not
 * take the site down.
 * @returns what to tell the owner if the site serves an earlier build; otherwise null.
 */
async function build(root: string): Promise<string | null> {
  const began = Date.now();
  try {
    const built = await buildWhenChanged(root);
    console.log(built ? `Site: built (${seconds(began)})` : 'Site: up to date');
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
