import { existsSync, realpathSync } from 'node:fs';
import { rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Env } from '../netlify/server/env.ts';
import { checkPort, healthAt, ownerWarning, ownUrl } from './checks.ts';
import { ownDataDirectory } from './backups/archive.ts';
import { holderOf, readHolder, takeLock } from './data/lock.ts';
import { ownEnvironment } from './environment.ts';
import { CommandError } from './errors.ts';

/*
 * An installation is a folder with `versions/NAME`, one folder for each version with its packages and its build, and the
 * links `current` and `previous` to two of them. The process manager starts the site in `current`. While a rollback runs, the
 * link `rolling-back` names the newer version, so a rollback that was interrupted can be repeated.
 */

export interface Installation {
  readonly folder: string;
  /** The folder of the current version, in which this command runs. */
  readonly current: string;
  readonly env: Env;
  readonly dataDirectory: string;
  /** Whether a process manager runs the site. */
  readonly runs: boolean;
}

/** The backup in the folder of a version, from before the upgrade to this version. */
export const backupName = 'backup-before-upgrade.tar.gz';

/** The time limit for a version to become ready. */
const readyMs = 60_000;
/** After this number of starts, a version does not become ready. */
const mostStarts = 2;
/** A site stops within ten seconds. */
const stopMs = 30_000;

/**
 * Returns the installation that this command runs in. Until this process ends, no other upgrade or rollback can start.
 * @throws {CommandError} if there is no installation, or if an upgrade or a rollback is running.
 */
export async function ownInstallation(): Promise<Installation> {
  const current = process.cwd();
  const folder = dirname(dirname(current));
  if (basename(dirname(current)) !== 'versions' || targetOf(join(folder, 'current')) !== current) {
    throw new CommandError(
      'Run this command in the folder of the current version, such as /srv/site/current. docs/deploy.md has the steps for ' +
        'an installation with versions. In a container, build another image.',
    );
  }
  const env = ownEnvironment();
  const dataDirectory = resolve(ownDataDirectory(env));
  if (dataDirectory.startsWith(join(folder, 'versions') + sep)) {
    throw new CommandError(`Set DATA_DIR to a folder outside of ${folder}/versions, and move the data there.`);
  }
  const warning = await ownerWarning(env);
  if (warning !== null) throw new CommandError(warning);
  if (!takeLock(join(folder, 'versions'))) {
    throw new CommandError('Another upgrade or rollback is running. Wait until it has finished.');
  }
  // While a site ends at each start, no process uses its data between two starts, but systemd holds its port.
  const isPortFree = await checkPort(env).then(
    () => true,
    () => false,
  );
  return { folder, current, env, dataDirectory, runs: (await holderOf(dataDirectory)) !== null || !isPortFree };
}

/** Returns the folder that a link names, or null if there is no such link. */
export const targetOf = (link: string): string | null => (existsSync(link) ? realpathSync(link) : null);

/** Points a link of the installation to a version, in one step. */
export async function point(
  folder: string,
  link: 'current' | 'previous' | 'rolling-back',
  version: string,
): Promise<void> {
  const unfinished = join(folder, `.${link}`);
  await rm(unfinished, { force: true });
  await symlink(join('versions', basename(version)), unfinished);
  await rename(unfinished, join(folder, link));
}

/**
 * Points `current` to another version, stops the site, and waits until the process manager has started this version. The
 * link changes first, so no later start can be one of the former version.
 * @param change runs while no site uses the data.
 * @returns false if the version does not become ready within a minute.
 */
export async function switchTo(
  { folder, current, dataDirectory, env, runs }: Installation,
  version: string,
  change?: () => Promise<void>,
): Promise<boolean> {
  const former = targetOf(join(folder, 'current')) ?? current;
  await point(folder, 'current', version);
  try {
    const release = await stopSite(dataDirectory);
    await Promise.resolve(change?.()).finally(release);
  } catch (error) {
    await point(folder, 'current', former);
    throw error;
  }
  return !runs || (await becomesReady(env, dataDirectory, version));
}

/** Stops the site, and takes its lock before the process manager starts the site again. @returns the release of the lock. */
export async function stopSite(dataDirectory: string): Promise<() => void> {
  const deadline = performance.now() + stopMs;
  let told = '';
  for (;;) {
    const release = takeLock(dataDirectory);
    if (release) return release;
    const holder = await readHolder(dataDirectory);
    const [, pid = ''] = /^the site in .*, process (\d+),/.exec(holder) ?? [];
    if (pid !== '' && pid !== told) endProcess(Number(pid));
    told = pid;
    if (performance.now() > deadline) throw new CommandError(`${dataDirectory} is in use by ${holder}.`);
    await sleep(10);
  }
}

/** Asks a process to end, unless it has ended already. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Waits until a version answers. A site with failing emails is ready, too. A version that ends at each start is not. */
async function becomesReady(env: Env, dataDirectory: string, version: string): Promise<boolean> {
  const deadline = performance.now() + readyMs;
  const starts = new Set<string>();
  while (performance.now() < deadline && starts.size <= mostStarts) {
    await sleep(200);
    const holder = await readHolder(dataDirectory);
    if (!holder.startsWith(`the site in ${version} on`)) continue;
    starts.add(holder);
    const status = await healthAt(ownUrl(env)).catch(() => undefined);
    if (status === 'ok' || status === 'degraded') return true;
  }
  return false;
}
