import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Env } from '../../netlify/server/env.ts';
import type { Platform } from '../../netlify/server/platform.ts';
import { openBlobs } from './blobs.ts';
import { type DatabaseFile, type DatabaseFileOptions, openDatabaseFile } from './database.ts';
import { type DataPaths, noteData, refuseLostData } from './lost-data.ts';

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
  const paths = dataPaths(env);
  const open = async (known: DataPaths): Promise<DatabaseFile> => {
    if (env.EMPTY_DATA !== 'accept') await refuseLostData(known);
    const database = await openDatabaseFile(known.file, options);
    await noteData(known);
    return database;
  };
  let opened: Promise<DatabaseFile> | undefined;
  return {
    env: completed,
    // Opens the database only once, so the functions and the pages share its threads and caches.
    ...(paths !== null && {
      openEmbeddedDatabase: () =>
        (opened ??= open(paths).catch((error: unknown) => {
          opened = undefined;
          throw error;
        })),
    }),
    freeBytes: () => freeBytesOf(env.DATA_DIR),
    openBlobStore: await openBlobs(join(env.DATA_DIR, 'blobs')),
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

/** Returns where the data of this machine is, or null if the environment names a database server. */
export function dataPaths({ LIBSQL_URL, DATA_DIR }: Env): DataPaths | null {
  return LIBSQL_URL === undefined ? { file: resolve(DATA_DIR, 'site.db'), blobs: join(DATA_DIR, 'blobs') } : null;
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
