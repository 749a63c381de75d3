import { constants } from 'node:fs';
import { access, copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isDatabaseFault } from '../../netlify/server/db/fault.ts';
import { newFolderCommand } from '../data/set-aside.ts';

/** The error message is for the person at the terminal. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Names of the temporary folders that a backup or a restore makes inside the data folder. */
const stagingNames = /^\.(?:backup|restore)-\w{6}$/;
/** A staging folder that has not changed for this many milliseconds was left by a killed command. */
const abandonedMs = 24 * 60 * 60_000;

/**
 * Hard-links a file, or the files of a folder. Links are safe because blobs are never changed in place. Copies the
 * files instead if the disk does not support hard links.
 */
export async function linkAll(from: string, to: string): Promise<void> {
  if (!(await stat(from)).isDirectory()) return await linkOne(from, to);
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(to, relative(from, entry.parentPath), entry.name);
    await mkdir(entry.isDirectory() ? path : dirname(path), { recursive: true });
    if (entry.isFile()) await linkOne(join(entry.parentPath, entry.name), path);
  }
}

export async function linkOne(from: string, to: string): Promise<void> {
  try {
    await link(from, to).catch(() => copyFile(from, to));
  } catch (error) {
    // The running site may delete a blob during the backup. The backup then skips the blob.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Removes staging folders that killed commands left. With `all`, removes every staging folder. */
export async function removeStaging(folder: string, all = false): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => stagingNames.test(one))) {
    const changed = await stat(join(folder, name)).catch(() => null);
    if (all || (changed && Date.now() - changed.mtimeMs > abandonedMs)) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'This account has no permission to write',
  EPERM: 'This account has no permission to write',
  ENOENT: 'This folder or file does not exist',
  EROFS: 'The disk is read-only',
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk quota is used up',
  ENOTDIR: 'Part of the path is not a folder',
  EBUSY: 'Another program is using the folder',
  corrupt: 'The database is damaged: restore the last good backup (docs/operate.md)',
  full: 'The disk is full',
  locked: 'Another program has locked the database. Close it and try again',
};

/** Explains an error of the disk or of SQLite to the person at the terminal. Returns undefined for any other error. */
export function reasonOf(error: unknown): string | undefined {
  return reasons[isDatabaseFault(error) ? error.fault : ((error as NodeJS.ErrnoException).code ?? '')];
}

/**
 * Runs `work`, and replaces errors of the disk and of SQLite with errors that explain the cause.
 * @param newFolder a folder that `work` creates if it does not exist.
 * @throws {BackupError}
 */
export async function plainly<T>(work: () => Promise<T>, newFolder?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = reasonOf(error);
    if (!reason || error instanceof BackupError) throw error;
    const { path, code, syscall } = error as NodeJS.ErrnoException;
    const named = path ? `: ${path.replace(/(\.[0-9a-f-]{36})?\.unfinished$/, '')}` : '';
    const how =
      newFolder && code === 'EACCES' && syscall === 'mkdir'
        ? ` Create the folder for this account:\n${newFolderCommand(newFolder)}`
        : '';
    throw new BackupError(`${reason}${named}. Nothing was changed.${how}`, { cause: error });
  }
}

export async function requireReadable(archive: string): Promise<void> {
  if (!(await exists(archive))) throw new BackupError(`The file ${archive} does not exist.`);
  await access(archive, constants.R_OK).catch((error: unknown) => {
    throw new BackupError(`This account has no permission to read ${archive}.`, { cause: error });
  });
}

export async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
