import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { storeIn } from '../data/blobs.ts';
import { filesIn } from '../data/files-in.ts';
import { lockData, lockFiles, refuseDataInUse } from '../data/lock.ts';
import { databaseName } from '../data/sqlite.ts';
import { foldersAside, moveAsideCommands } from '../data/set-aside.ts';
import { bucket, pastBackups } from '../backups/store.ts';
import type { Env } from '../../netlify/server/env.ts';
import { ownEnvironment } from '../environment.ts';
import { CommandError, failStart } from '../errors.ts';
import {
  endSessions,
  linkAll,
  linkFile,
  manifestName,
  ownDataDirectory,
  removeStaging,
  unpack,
  verify,
  withStaging,
} from '../backups/archive.ts';
import { readArguments } from './command.ts';
import { addErasures, repeatErasuresIn } from '../backups/erasures.ts';

const usage = `Restores a backup of everything that the site stored on this machine.

  npm run restore -- <file>                       restores the backup into an empty DATA_DIR; stop the site first
  npm run restore -- --verify <file>              checks that a backup can be restored, and changes nothing
  npm run restore -- --erasures <folder> <file>   also repeats the erasures in this folder of backups
  npm run restore -- --download <folder> [<name>] downloads the newest backup from BACKUP_URL, or the backup
                                                  with this name, and the erasures`;

/**
 * Restores an archive of the backup command. Unpacks and checks the archive inside the data folder. Adds the submissions
 * that wait in the blob store of the newest former data folder. Then repeats the erasures of personal data that were
 * made after the backup. Finally, moves all files into the data folder.
 * @param given further folders of backups with erasures.
 * @param key `BACKUP_KEY`, for an encrypted archive.
 * @throws {CommandError} if the archive is damaged, or if the data folder contains data, which is never overwritten,
 * or if the site runs.
 */
export async function restore(archive: string, dataDirectory: string, given: readonly string[] = [], key?: string) {
  const aside = await foldersAside(dataDirectory);
  for (const folder of aside) await refuseDataInUse(folder);
  const isNew = !existsSync(dataDirectory);
  const unlock = await lockData(dataDirectory, 'a restore');
  try {
    await removeStaging(dataDirectory, 0);
    await requireEmpty(dataDirectory);
    return await withStaging(dataDirectory, async (staging) => {
      const { createdAt, rows } = await unpack(archive, staging, key);
      const [newest] = aside;
      const addsWaiting = newest !== undefined && (await linkWaiting(newest, staging));
      const named = given.map((folder) => resolve(folder));
      const { lists, until } = await addErasures([dirname(resolve(archive)), ...aside, ...named], staging);
      const unread = named.find((folder) => !lists.some((list) => list.startsWith(folder)));
      if (unread !== undefined)
        throw new CommandError(`There is no folder named erasures in ${unread}. Give its parent folder.`);
      const erasedAgain = lists.length === 0 ? 0 : await repeatErasuresIn(staging);
      await endSessions(join(staging, databaseName));
      // Backups of earlier versions contain the session secret. Anyone with a copy of such a backup could sign in, so
      // the restored site gets a new secret.
      const left = [databaseName, manifestName, 'session-secret'];
      const names = (await readdir(staging)).filter((name) => !left.includes(name));
      // Moves the database last. If the restore is killed, the folder has no database and does not look like a complete
      // site.
      for (const name of [...names, databaseName]) await rename(join(staging, name), join(dataDirectory, name));
      return {
        createdAt,
        /** The numbers of rows when the backup was made. */
        rows,
        /** The number of inquiries and applications that were erased again. */
        erasedAgain,
        /** Paths of the lists of erasures that the restore used. */
        lists,
        /** No list has the erasures after this time. */
        knownUntil: until > createdAt ? until : createdAt,
        /** The former data folder whose waiting submissions were added. */
        waitingFrom: addsWaiting ? newest : null,
      };
    });
  } catch (error) {
    if (isNew) await rm(dataDirectory, { recursive: true, force: true });
    throw error;
  } finally {
    unlock();
  }
}

async function requireEmpty(dataDirectory: string): Promise<void> {
  // The folder may be a mount point, which cannot be replaced by another folder. On ext4, a mount point contains a
  // `lost+found` folder.
  const ignored = ['lost+found', ...lockFiles];
  if ((await readdir(dataDirectory)).every((name) => ignored.includes(name))) return;
  throw new CommandError(
    `${dataDirectory} already holds data, and a restore never overwrites data. Move the data away first:\n` +
      moveAsideCommands(dataDirectory),
  );
}

/** Adds the submissions that wait in the blob store of another data folder, and the resumes of the applications. */
async function linkWaiting(from: string, to: string): Promise<boolean> {
  const inBlobs = (dataDirectory: string, name: string) => storeIn(join(dataDirectory, 'blobs'), name);
  const waiting = await filesIn(inBlobs(from, 'spool'));
  await linkAll(inBlobs(from, 'spool'), inBlobs(to, 'spool'));
  for (const id of waiting.map((file) => basename(file))) {
    await linkFile(join(inBlobs(from, 'resumes'), id), join(inBlobs(to, 'resumes'), id));
  }
  return waiting.length > 0;
}

async function download({ BACKUP_URL, DATA_DIR }: Env, folder: string, name?: string): Promise<void> {
  if (BACKUP_URL === undefined) throw new CommandError('BACKUP_URL is not set. Set BACKUP_URL to the backup bucket.');
  const store = bucket(BACKUP_URL, DATA_DIR);
  const newest = name ?? pastBackups(await store.list(), new Date()).at(-1);
  if (newest === undefined) throw new CommandError(`There is no backup in ${store.name}.`);
  await store.download(newest, folder);
  console.log(`${join(folder, newest)} is complete. Restore it with: npm run restore -- ${join(folder, newest)}`);
}

async function main(): Promise<void> {
  const erasures = { type: 'string', multiple: true } as const;
  const options = { verify: { type: 'boolean' }, erasures, download: { type: 'string' } } as const;
  const { values, positionals } = readArguments({ options, allowPositionals: true }, usage);
  const [file, ...rest] = positionals;
  if (rest.length > 0) throw new CommandError(usage);
  const env = ownEnvironment();
  const dataDirectory = ownDataDirectory(env);
  if (values.download !== undefined) return await download(env, values.download, file);
  if (file === undefined) throw new CommandError(usage);
  if (values.verify) {
    const createdAt = await verify(file, dirname(resolve(file)), env.BACKUP_KEY);
    console.log(`${file}, a backup from ${createdAt}, can be restored. Nothing was changed.`);
    return;
  }
  const { createdAt, erasedAgain, lists, knownUntil, waitingFrom } = await restore(
    file,
    dataDirectory,
    values.erasures,
    env.BACKUP_KEY,
  );
  const erased = `${erasedAgain} ${erasedAgain === 1 ? 'inquiry or application' : 'inquiries and applications'}`;
  console.log(`${dataDirectory} is restored to ${createdAt}.`);
  if (waitingFrom !== null) console.log(`Inquiries and applications that waited in ${waitingFrom} were added.`);
  console.log(
    lists.length === 0 ? 'No erasures were found.' : `Erased again, as listed in ${lists.join(' and ')}: ${erased}.`,
  );
  console.log(
    `The restore knows only the erasures up to ${knownUntil}. If you erased personal data after that time, erase it again in the admin area, or restore again with --erasures.`,
  );
  console.log(
    `Everyone must sign in again. Admins, passwords, passkeys and recovery codes are as they were on ${createdAt}. If you changed a password or removed an admin or a passkey after that time, do it again now.`,
  );
  console.log('The backup does not include .env. Check that .env is in place before you start the site.');
}

if (import.meta.main) await main().catch(failStart);
