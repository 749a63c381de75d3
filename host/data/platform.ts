import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Env } from '../../netlify/server/env.ts';
import type { Platform } from '../../netlify/server/platform.ts';
import { openBlobs } from './blobs.ts';
import { type DatabaseFile, type DatabaseFileOptions, openDatabaseFile } from './database.ts';
import { noteData, refuseLostData } from './lost-data.ts';

export interface OwnPlatform extends Platform {
  readonly openEmbeddedDatabase?: () => Promise<DatabaseFile>;
  /** Closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the resources that this machine provides to the functions: the blobs, the database (unless `LIBSQL_URL` names a
 * server), and a session secret if the environment has none. All of them are in `DATA_DIR`, which only this account can
 * read, unless `LIBSQL_URL` names a database file elsewhere.
 */
export async function openPlatform(env: Env, options: DatabaseFileOptions = {}): Promise<OwnPlatform> {
  await mkdir(env.DATA_DIR, { recursive: true, mode: 0o700 });
  // `mkdir` does not change the permissions of an existing folder.
  await chmod(env.DATA_DIR, 0o700).catch(() => undefined);
  // Earlier versions stored resized pictures here.
  await rm(join(env.DATA_DIR, 'images'), { recursive: true, force: true }).catch(() => undefined);
  const completed = { ...env, SESSION_SECRET: env.SESSION_SECRET ?? (await keptSecret(env.DATA_DIR)) };
  const file = databaseFileOf(env);
  const blobs = join(env.DATA_DIR, 'blobs');
  let opened: Promise<DatabaseFile> | undefined;
  return {
    env: completed,
    // Opens the database only once, so the functions and the pages share its threads and caches.
    ...(file !== null && {
      openEmbeddedDatabase: () =>
        (opened ??= openKnown({ file, blobs }, env.EMPTY_DATA === 'accept', options).catch((error: unknown) => {
          opened = undefined;
          throw error;
        })),
    }),
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(env.DATA_DIR);
      return bavail * bsize;
    },
    openBlobStore: await openBlobs(blobs),
    close: async () => {
      await (await opened?.catch(() => undefined))?.closed();
    },
  };
}

async function openKnown(
  places: Parameters<typeof noteData>[0],
  emptyAccepted: boolean,
  options: DatabaseFileOptions,
): Promise<DatabaseFile> {
  await refuseLostData(places, emptyAccepted);
  const database = await openDatabaseFile(places.file, options);
  await noteData(places);
  return database;
}

/** Returns the path of the embedded database, or null if the environment names a database server. */
function databaseFileOf({ LIBSQL_URL, DATA_DIR }: Env): string | null {
  if (LIBSQL_URL === undefined) return resolve(DATA_DIR, 'site.db');
  if (!LIBSQL_URL.startsWith('file:')) return null;
  // libSQL accepts `file:site.db`, but `fileURLToPath` does not, so only the prefix `file:` is removed.
  return /^file:\/\//.test(LIBSQL_URL) ? fileURLToPath(LIBSQL_URL) : resolve(LIBSQL_URL.slice('file:'.length));
}

/**
 * Returns the session secret of an earlier start, or generates a secret. If two starts run at the same time, both use
 * the secret that was written first.
 */
function keptSecret(folder: string): Promise<string> {
  return keptWord(join(folder, 'session-secret'));
}

/** Returns an id of this machine's data folder, which distinguishes machines that use the same database server. */
export function machineId(folder: string): Promise<string> {
  return keptWord(join(folder, 'machine-id'));
}

async function keptWord(file: string): Promise<string> {
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
