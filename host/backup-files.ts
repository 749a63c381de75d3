import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDatabaseFault } from '../netlify/server/db/fault.ts';

/** Names of the temporary folders that a backup or a restore makes inside the data folder. */
const stagingNames = /^\.(?:backup|restore)-\w{6}$/;
/** A staging folder that has not changed for this many milliseconds was left by a killed command. */
const abandonedMs = 24 * 60 * 60_000;

/** The error message is for the person at the terminal. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

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

async function linkOne(from: string, to: string): Promise<void> {
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
    const path = join(folder, name);
    const changedAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      // Another command may have just removed the folder.
      () => null,
    );
    if (changedAt !== null && (all || Date.now() - changedAt > abandonedMs))
      await rm(path, { recursive: true, force: true });
  }
}

/** Returns the SHA-256 of each file of a folder in hex, by path relative to the folder. */
export async function hashes(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: Record<string, string> = {};
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    found[relative(folder, file).replaceAll('\\', '/')] = hash.digest('hex');
  }
  return found;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'This account has no permission to write',
  EPERM: 'This account has no permission to write',
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
  if (isDatabaseFault(error)) return reasons[error.fault];
  return reasons[(error as NodeJS.ErrnoException | undefined)?.code ?? ''];
}

/**
 * Runs `work`, and replaces errors of the disk and of SQLite with errors that explain the cause.
 * @throws {BackupError}
 */
export async function plainly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = reasonOf(error);
    if (!reason || error instanceof BackupError) throw error;
    const { path } = error as NodeJS.ErrnoException;
    throw new BackupError(`${reason}${path ? `: ${path}` : ''}. Nothing was changed.`, { cause: error });
  }
}

export async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
