import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { sql } from '../../netlify/server/db/database.ts';
import { run } from '../../scripts/node24.mjs';
import { withDatabase, withStaging } from '../backups/archive.ts';
import { filesIn } from '../data/files-in.ts';
import { databaseName } from '../data/sqlite.ts';
import { reasonOf } from '../checks.ts';
import { adviceOn, CommandError, failStart } from '../errors.ts';
import { backupName, type Installation, ownInstallation, point, switchTo, targetOf } from '../versions.ts';
import { backUp } from './backup.ts';
import { readArguments } from './command.ts';
import { rollBack } from './rollback.ts';

const usage = `Installs a version of the site next to the running one, checks it, backs up the data, and switches to it.

  npm run upgrade                      the newest version of the repository
  npm run upgrade -- <tag or branch>   this version of the repository
  npm run upgrade -- <folder>          the version in a folder; a dot installs this version again, with changes to site.json`;

/** Parts of a project's folder that belong to one machine or one installation. */
const ownParts =
  /^(node_modules|\.cache|\.netlify|\.astro|\.env|\.data.*|dist\.next|test-results|erasures|\.backup-\w+|[^/]*\.tar\.gz(\.age)?)$/;

async function main(): Promise<void> {
  const { positionals } = readArguments({ allowPositionals: true }, usage);
  const [source = '', ...rest] = positionals;
  if (rest.length > 0) throw new CommandError(usage);
  const site = await ownInstallation();
  const { folder, current, dataDirectory } = site;
  const previous = join(folder, 'previous');
  if (targetOf(previous) === current && existsSync(join(folder, 'rolling-back'))) {
    throw new CommandError('A rollback was interrupted. To finish the rollback, run: npm run rollback -- --yes');
  }
  // Visitors go first.
  setPriority(5);
  const version = await install(source, site);
  await point(folder, 'previous', current);
  await withStaging(dataDirectory, async (staging) => {
    // The backup is older: the running site has stored submissions since then.
    const copy = join(staging, databaseName);
    const copyDatabase = () =>
      withDatabase(join(dataDirectory, databaseName), async (live) => void (await live.read(sql`VACUUM INTO ${copy}`)));
    if (await switchTo(site, version, copyDatabase)) return;
    const failed = `${basename(version)} did not become ready within a minute.`;
    const kept = await rollBack(site, version, current, undefined, copy).catch((error: unknown) => {
      const advice =
        targetOf(previous) === null
          ? ''
          : `\nFix the problem, then run in ${folder}/current: npm run rollback -- --yes`;
      throw new CommandError(
        `${failed} The rollback failed too: ${adviceOn(error) ?? reasonOf(error)}${advice}\n` +
          `The data from before the upgrade is in ${join(version, backupName)}.`,
      );
    });
    throw new CommandError(`${failed} ${current} is the current version again.${kept}`);
  });
  for (const name of await readdir(join(folder, 'versions'), { withFileTypes: true })) {
    const old = join(folder, 'versions', name.name);
    if (name.isDirectory() && ![version, current].includes(old)) await rm(old, { recursive: true });
  }
  console.log(`${version} is the current version.${site.runs ? '' : ' Start the site.'}`);
  const changed = await changedDeployFiles(current, version);
  if (changed.length > 0) {
    console.log(
      `Changed in docs/deploy: ${changed.join(', ')}. If you use these files, install them again as in docs/deploy.md.`,
    );
  }
  console.log(`To go back to ${basename(current)}, run in ${targetOf(join(folder, 'current'))}: npm run rollback`);
}

/** Returns the names of the examples of units and proxies that are new or different in the new version. */
async function changedDeployFiles(current: string, version: string): Promise<string[]> {
  const files = await filesIn(join(version, 'docs/deploy'));
  const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return files
    .filter((file) => textOf(file) !== textOf(join(current, relative(version, file))))
    .map((file) => basename(file));
}

/** Makes the folder of the new version, and backs up the data into this folder. @throws {CommandError} if a step fails. */
async function install(source: string, { folder, current, dataDirectory }: Installation): Promise<string> {
  let made = join(folder, 'versions', '.unfinished');
  await rm(made, { recursive: true, force: true });
  try {
    if (source !== '' && existsSync(resolve(source, 'package.json'))) {
      const filter = (path: string) => !ownParts.test(relative(resolve(source), path));
      await cp(resolve(source), made, { recursive: true, filter });
    } else await clone(source, current, made);
    const { version } = JSON.parse(await readFile(join(made, 'package.json'), 'utf8')) as { version: string };
    const time = new Date().toISOString().slice(0, 19).replaceAll(/\D/g, '');
    const named = join(folder, 'versions', `${version}-${time}`);
    await rename(made, named);
    made = named;
    for (const own of ['.env', 'site.json']) {
      const file = join(made, own);
      if (existsSync(join(current, own)) && !existsSync(file)) await cp(join(current, own), file);
    }
    // The other version finds its own packages and caches.
    const { NODE_COMPILE_CACHE: _, ...env } = process.env;
    for (const command of [['build'], ['doctor', '--', '--upgrade']]) {
      await run('npm', ['run', '--silent', ...command], { cwd: made, env });
    }
    await backUp(dataDirectory, join(made, backupName));
    return made;
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    const reason = adviceOn(error) ?? (error instanceof Error ? error.message : String(error));
    throw new CommandError(
      `${reason}\nThe upgrade stopped, and changed nothing. ${current} is still the current version.`,
    );
  }
}

/** Clones a version of the repository that the current version comes from. */
async function clone(version: string, current: string, to: string): Promise<void> {
  const git = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd: current })).stdout.trim();
  const changed = await git('status', '--porcelain');
  if (changed !== '') {
    throw new CommandError(
      `These files differ from the repository. Commit and push them first, or discard them:\n${changed}`,
    );
  }
  const branch = version === '' ? [] : [`--branch=${version}`];
  await git('clone', '--quiet', '--depth=1', ...branch, await git('remote', 'get-url', 'origin'), to);
}

if (import.meta.main) await main().catch(failStart);
