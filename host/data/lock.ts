import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../errors.ts';

/** The files of the lock in a data folder. They stay there, and mean nothing unless a process holds the lock. */
export const lockFiles = ['lock', 'lock.txt'];

const SQLITE_BUSY = 5;

/** The locks of this process. Without a reference, the garbage collector would close a file and release its lock. */
const held = new Set<DatabaseSync>();

/**
 * Locks a data folder for this process, because two hosts would send emails twice and show each other's posts late. The
 * operating system releases the lock when the process ends, even after `kill -9`. SQLite takes the lock, because Node
 * has no call for it.
 * @param what describes this process to the owner, such as `a restore`.
 * @returns a function that releases the lock.
 * @throws {CommandError} if another process holds the lock.
 */
export async function lockData(directory: string, what: string): Promise<() => void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const release = takeLock(directory);
  if (!release) throw inUse(directory, await readHolder(directory));
  const since = new Date().toISOString();
  await writeFile(join(directory, 'lock.txt'), `${what}, process ${process.pid}, since ${since}\n`, { mode: 0o600 });
  return release;
}

/** @throws {CommandError} if a process uses the data folder now. */
export async function refuseDataInUse(directory: string): Promise<void> {
  const holder = await holderOf(directory);
  if (holder !== null) throw inUse(directory, holder);
}

/** Returns which process uses a data folder now, such as `the site in /srv/site on port 8888, …`, or null. */
export async function holderOf(directory: string): Promise<string | null> {
  if (!existsSync(join(directory, 'lock'))) return null;
  const release = takeLock(directory);
  release?.();
  return release ? null : await readHolder(directory);
}

/** Returns which process used a data folder last. */
export async function readHolder(directory: string): Promise<string> {
  return (await readFile(join(directory, 'lock.txt'), 'utf8').catch(() => 'another process')).trim();
}

/**
 * Takes the lock of a folder.
 * @returns a function that releases the lock, or null if another process holds it. Ignores a disk without locks, and a
 * disk that is not writable.
 */
export function takeLock(directory: string): (() => void) | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(directory, 'lock'), { timeout: 0 });
    // Without this setting, SQLite would leave a journal file after `kill -9`.
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    return ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY ? null : () => undefined;
  }
  held.add(database);
  return () => {
    held.delete(database);
    database.close();
  };
}

function inUse(directory: string, holder: string): CommandError {
  return new CommandError(
    `The data in ${directory} is in use by ${holder}.\n` +
      'Stop that process first, or set DATA_DIR to another folder. If systemd runs the site, stop it with: systemctl stop site.socket',
  );
}
