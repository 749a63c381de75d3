import { accessSync, constants, existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Returns the commands that move a data folder aside, so that a backup can be restored in its place. A restore finds the
 * folder again by its name, and reads the erasures and the waiting submissions in it.
 */
export function moveAsideCommands(dataDirectory: string): string {
  const taken = existsSync(`${dataDirectory}.old`);
  const aside = taken ? `${dataDirectory}.old-${new Date().toISOString().slice(0, 10)}` : `${dataDirectory}.old`;
  const parent = dirname(resolve(dataDirectory));
  try {
    accessSync(parent, constants.W_OK);
    return `  mv ${dataDirectory} ${aside}`;
  } catch {
    // For example /var/lib/site: the account owns the folder, and root owns /var/lib.
    return `  mv ${dataDirectory} ${aside}     (as root, because this account may not write to ${parent})\n${newFolderCommand(dataDirectory)}`;
  }
}

/** Returns the command with which root creates a data folder for this account. */
export function newFolderCommand(dataDirectory: string): string {
  return `  install -d -m 700 -o ${userInfo().username} ${dataDirectory}     (as root)`;
}

export interface FolderAside {
  readonly path: string;
  /** The last change of the database. */
  readonly until: Date;
}

/** Returns the former data folders next to a data folder, whose names begin with its name and a dot, newest first. */
export async function foldersAside(dataDirectory: string): Promise<FolderAside[]> {
  const own = resolve(dataDirectory);
  const names = await readdir(dirname(own)).catch(() => []);
  const found: FolderAside[] = [];
  for (const name of names.filter((one) => one.startsWith(`${basename(own)}.`))) {
    const path = join(dirname(own), name);
    if (!existsSync(join(path, 'blobs')) && !existsSync(join(path, 'site.db'))) continue;
    found.push({ path, until: await lastChangeOf(path) });
  }
  return found.sort((a, b) => b.until.getTime() - a.until.getTime());
}

/** Returns the time of the last change to the database in a data folder. */
export async function lastChangeOf(dataDirectory: string): Promise<Date> {
  const times = ['site.db', 'site.db-wal'].map((name) =>
    stat(join(dataDirectory, name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ),
  );
  return new Date(Math.max(...(await Promise.all(times))));
}
