import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { databaseName } from './sqlite.ts';

/**
 * Returns the commands that move a data folder aside, so that a backup can be restored in its place. A restore finds the
 * folder again by its name, and reads the erasures and the waiting submissions in it.
 */
export function moveAsideCommands(dataDirectory: string): string {
  const taken = existsSync(`${dataDirectory}.old`);
  const aside = taken ? `${dataDirectory}.old-${new Date().toISOString().slice(0, 10)}` : `${dataDirectory}.old`;
  const parent = dirname(resolve(dataDirectory));
  if (statSync(dataDirectory).dev !== statSync(parent).dev) {
    // A mounted disk cannot be renamed, and its `lost+found` folder belongs to root.
    return `${newFolderCommand(aside)}\n  mv ${dataDirectory}/* ${aside}/     (as root)`;
  }
  try {
    accessSync(parent, constants.W_OK);
    return `  mv ${dataDirectory} ${aside}`;
  } catch {
    // For example /var/lib/site: the account owns the folder, and root owns /var/lib.
    return `  mv ${dataDirectory} ${aside}     (as root, because this account may not write to ${parent})\n${newFolderCommand(dataDirectory)}`;
  }
}

/** Returns the command with which root creates a folder for this account. */
export function newFolderCommand(dataDirectory: string): string {
  return `  install -d -m 700 -o ${userInfo().username} ${dataDirectory}     (as root)`;
}

/**
 * Returns the paths of the former data folders next to a data folder, whose names begin with its name and a dot. The
 * folder whose database changed last comes first. Fails if this account may not read one of the folders, because a
 * restore would miss the erasures in it.
 */
export async function foldersAside(dataDirectory: string): Promise<string[]> {
  const own = resolve(dataDirectory);
  const names = await readdir(dirname(own)).catch(() => []);
  const paths = names.filter((one) => one.startsWith(`${basename(own)}.`)).map((name) => join(dirname(own), name));
  const found = paths.filter((path) =>
    ['blobs', databaseName].some((name) => statSync(join(path, name), { throwIfNoEntry: false })),
  );
  return found.sort((a, b) => lastChangeOf(b) - lastChangeOf(a));
}

/** Returns the time of the last change to the database in a data folder, in milliseconds. */
function lastChangeOf(dataDirectory: string): number {
  const files = [databaseName, `${databaseName}-wal`].map((name) => join(dataDirectory, name));
  return Math.max(...files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}
