import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as tar from 'tar';
import { sql } from '../../netlify/server/db/database.ts';
import { removeDeletedWords } from '../../netlify/server/db/search-index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { writeArchive } from '../backups/encryption.ts';
import { ownEnvironment } from '../environment.ts';
import { CommandError, failStart } from '../errors.ts';
import {
  databaseName,
  linkAll,
  type Manifest,
  manifestName,
  ownDataDirectory,
  removeStaging,
  verify,
  withDatabase,
  withStaging,
} from './archive.ts';
import { readArguments } from './command.ts';
import { saveErasures } from './erasures.ts';

const usage = `Backs up everything that the site stores on this machine, in one file. The file .env is not included.

  npm run backup                              writes backup-<date>-<time>.tar.gz; the site can keep running
  npm run backup -- <file.tar.gz>             writes this file
  npm run backup -- <folder>                  writes a new file in this folder, which is created if necessary
  npm run backup -- --keep 14 <folder>        then deletes all but the 14 newest backups in the folder
  npm run backup -- --erasures <folder>       only adds new erasures to the folder, which takes a moment`;

/** A staging folder or an unfinished file that has not changed for this many milliseconds was left by a killed command. */
const abandonedMs = 24 * 60 * 60_000;

/**
 * Writes the site's data into one compressed archive: the database and the blobs. The session secret is not included, so
 * a stolen backup does not open a session. The site may be running. Copies the database first, so the archive has every
 * file that the database refers to. Checks the finished archive as a restore would, before it reports success.
 * @param archive the path of the new file, which appears only when the archive is complete.
 * @param key `BACKUP_KEY`. If given, encrypts the archive.
 * @throws {CommandError} if the database is missing, the file exists, or the archive could not be restored.
 */
export async function backUp(dataDirectory: string, archive: string, now = new Date(), key?: string): Promise<void> {
  const database = join(dataDirectory, databaseName);
  if (!existsSync(database)) throw new CommandError(`There is no database in ${dataDirectory}.`);
  if (existsSync(archive)) throw new CommandError(`${archive} already exists. Name another file.`);
  await removeStaging(dataDirectory, abandonedMs);
  await mkdir(dirname(resolve(archive)), { recursive: true });
  const unfinished = archive + unfinishedEnding;
  try {
    await withStaging(dataDirectory, async (staging) => {
      const copy = join(staging, databaseName);
      await withDatabase(database, (live) => live.read(sql`VACUUM INTO ${copy}`));
      // Removes the words of deleted rows from the copy.
      await withDatabase(copy, removeDeletedWords);
      await linkAll(join(dataDirectory, 'blobs'), join(staging, 'blobs'));
      const facts: Manifest = { format: 1, createdAt: now.toISOString(), version: packageJson.version };
      await writeFile(join(staging, manifestName), JSON.stringify(facts));
      const packed: unknown = tar.create({ gzip: true, cwd: staging, portable: true }, ['.']);
      await writeArchive(packed as AsyncIterable<Uint8Array>, unfinished, key);
      await verify(unfinished, dataDirectory, key);
      await saveErasures(dataDirectory, dirname(resolve(archive)), now);
      await rename(unfinished, archive);
    });
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Matches the names of new backups, which contain the time in UTC. Sorting the names sorts the backups by time. */
const backupNames = /^backup-\d{4}-\d{2}-\d{2}-\d{6}\.tar\.gz(?:\.age)?$/;
const unfinishedEnding = '.unfinished';
const endingOf = (key: string | undefined) => (key === undefined ? '.tar.gz' : '.tar.gz.age');
const stemOf = (now: Date) => `backup-${now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')}`;

/**
 * Returns the names of the backups in a folder, oldest first. Leaves out names that a wrong clock has put into the future:
 * they would count as the newest backups.
 */
async function backupsIn(folder: string, now: Date): Promise<string[]> {
  const latest = stemOf(now);
  const isPast = (name: string) => backupNames.test(name) && name.slice(0, latest.length) <= latest;
  return (await readdir(folder)).filter(isPast).sort();
}

/** Returns the time of the newest backup in a folder, from its name, or null if there is none. */
export async function newestBackup(folder: string, now = new Date()): Promise<Date | null> {
  const name = (await backupsIn(folder, now)).at(-1);
  const [, date, hours, minutes, seconds] = /^backup-(.{10})-(..)(..)(..)/.exec(name ?? '') ?? [];
  return date === undefined ? null : new Date(`${date}T${hours}:${minutes}:${seconds}Z`);
}

/**
 * Deletes the oldest backups of a folder until `keep` backups are left, and what a killed backup has left there. Ignores
 * files with other names.
 * @returns the names of the deleted backups.
 */
export async function prune(folder: string, keep: number, now = new Date()): Promise<string[]> {
  const found = await backupsIn(folder, now);
  const old = found.slice(0, Math.max(0, found.length - keep));
  for (const name of old) await rm(join(folder, name));
  for (const name of await readdir(folder)) {
    if (!name.endsWith(unfinishedEnding) || !backupNames.test(name.slice(0, -unfinishedEnding.length))) continue;
    const file = join(folder, name);
    if (now.getTime() - (await stat(file)).mtimeMs >= abandonedMs) await rm(file);
  }
  return old;
}

async function main(): Promise<void> {
  const options = { keep: { type: 'string' }, erasures: { type: 'boolean' } } as const;
  const { values, positionals } = readArguments({ options, allowPositionals: true }, usage);
  const [given, ...rest] = positionals;
  const keep = values.keep === undefined ? null : Number(values.keep);
  const namesFile = given !== undefined && /\.(tar\.gz|tgz)(\.age)?$/.test(given);
  const needsFolder = keep !== null || values.erasures;
  const isNumber = keep === null || (Number.isSafeInteger(keep) && keep > 0);
  if (rest.length > 0 || !isNumber || (needsFolder && (given === undefined || namesFile)))
    throw new CommandError(usage);
  const env = ownEnvironment();
  const { BACKUP_KEY } = env;
  const dataDirectory = ownDataDirectory(env);
  const folder = resolve(namesFile ? dirname(given) : (given ?? '.'));
  await mkdir(folder, { recursive: true });
  if (values.erasures) {
    const count = await saveErasures(dataDirectory, folder);
    console.log(`${given} has all erasures until now: ${count} ${count === 1 ? 'erasure' : 'erasures'}.`);
    return;
  }
  const now = new Date();
  const target = namesFile ? given : join(given ?? '.', stemOf(now) + endingOf(BACKUP_KEY));
  if (target.endsWith('.age') !== (BACKUP_KEY !== undefined)) {
    throw new CommandError(
      `With BACKUP_KEY, a backup is encrypted and its name ends in .age; without, it does not. Name a file that ends in ${endingOf(BACKUP_KEY)}.`,
    );
  }
  await backUp(dataDirectory, target, now, BACKUP_KEY);
  console.log(`${target} is complete. The backup was read back and can be restored.`);
  if (BACKUP_KEY === undefined) {
    console.log('The backup contains personal data and is not encrypted: keep it where only you can read it.');
  }
  console.log('Keep a copy of .env too, which is not in the backup.');
  if ((await stat(folder)).dev === (await stat(dataDirectory)).dev) {
    console.warn(`Warning: ${folder} is on the same disk as the data. If that disk fails, both are lost.`);
  }
  for (const name of keep === null ? [] : await prune(folder, keep, now))
    console.log(`Deleted the old backup ${name}.`);
}

if (import.meta.main) await main().catch(failStart);
