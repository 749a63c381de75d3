import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Env } from '../../netlify/server/env.ts';
import type { Platform } from '../../netlify/server/platform.ts';
import { openBlobs, removeUnfinished } from './blobs.ts';
import { type DatabaseFile, type DatabaseFileOptions, openDatabaseFile } from './database.ts';
import { noteData, refuseLostData } from './lost-data.ts';
import { databaseName } from './sqlite.ts';

export interface OwnPlatform extends Platform {
  readonly openEmbeddedDatabase?: () => Promise<DatabaseFile>;
  /** Closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the resources that this machine provides to the functions: the blobs, the database (unless `LIBSQL_URL` names a
 * server), and a session secret if the environment has none. All of them are in `DATA_DIR`, which only this account can
 * read.
 */
export async function openPlatform(env: Env, options: DatabaseFileOptions = {}): Promise<OwnPlatform> {
  await mkdir(env.DATA_DIR, { recursive: true, mode: 0o700 });
  // `mkdir` does not change the permissions of an existing folder.
  await chmod(env.DATA_DIR, 0o700).catch(() => undefined);
  const completed = {
    ...env,
    SESSION_SECRET: env.SESSION_SECRET ?? (await randomWord(join(env.DATA_DIR, 'session-secret'))),
  };
  const open = async (): Promise<DatabaseFile> => {
    if (env.EMPTY_DATA !== 'accept') await refuseLostData(env.DATA_DIR);
    const database = await openDatabaseFile(resolve(env.DATA_DIR, databaseName), options);
    await noteData(env.DATA_DIR);
    return database;
  };
  const blobs = join(env.DATA_DIR, 'blobs');
  if (options.inspect) await removeUnfinished(blobs);
  let opened: Promise<DatabaseFile> | undefined;
  return {
    env: completed,
    // Opens the database only once, so the functions and the pages share its threads and caches.
    ...(env.LIBSQL_URL === undefined && {
      openEmbeddedDatabase: () =>
        (opened ??= open().catch((error: unknown) => {
          opened = undefined;
          throw error;
        })),
    }),
    freeBytes: () => freeBytesOf(env.DATA_DIR),
    openBlobStore: await openBlobs(blobs),
    close: async () => {
      await (await opened?.catch(() => undefined))?.closed();
    },
  };
}

/** Returns the free space of the disk that has a folder, in bytes. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Returns an id of this machine's data folder, which distinguishes machines that use the same database server. */
export function machineId(folder: string): Promise<string> {
  return randomWord(join(folder, 'machine-id'));
}

/** Returns a random word, which the first call writes to a file. Calls at the same time return the same word. */
async function randomWord(file: string): Promise<string> {
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
