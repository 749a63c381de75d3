import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Env } from '../netlify/server/env.ts';
import type { Platform } from '../netlify/server/platform.ts';
import { openBlobs } from './blobs.ts';
import { type DatabaseFile, openDatabaseFile } from './database-file.ts';
import { noteData, refuseLostData } from './lost-data.ts';

export interface OwnPlatform extends Platform {
  /** Closes the database. */
  close(): Promise<void>;
}

/**
 * Makes what this machine lends to the functions, all of it under `DATA_DIR`, which only the owner may read: the
 * database (where `LIBSQL_URL` names no server), the blobs, and a session secret where the environment gives none.
 */
export async function openPlatform(env: Env): Promise<OwnPlatform> {
  await mkdir(env.DATA_DIR, { recursive: true, mode: 0o700 });
  // An existing folder keeps its permissions.
  await chmod(env.DATA_DIR, 0o700).catch(() => undefined);
  const completed = { ...env, SESSION_SECRET: env.SESSION_SECRET ?? (await keptSecret(env.DATA_DIR)) };
  const file = databaseFileOf(env);
  const blobs = join(env.DATA_DIR, 'blobs');
  let opened: Promise<DatabaseFile> | undefined;
  return {
    env: completed,
    // The functions and the pages' bundle share one: threads and caches are made once.
    ...(file !== null && {
      openEmbeddedDatabase: () =>
        (opened ??= openKnown({ file, blobs }, env.EMPTY_DATA === 'accept').catch((error: unknown) => {
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

async function openKnown(places: Parameters<typeof noteData>[0], emptyAccepted: boolean): Promise<DatabaseFile> {
  await refuseLostData(places, emptyAccepted);
  const database = await openDatabaseFile(places.file);
  await noteData(places);
  return database;
}

/** The file of the embedded database; null where the environment names a server. */
function databaseFileOf({ LIBSQL_URL, DATA_DIR }: Env): string | null {
  if (LIBSQL_URL === undefined) return resolve(DATA_DIR, 'site.db');
  if (!LIBSQL_URL.startsWith('file:')) return null;
  // `file:site.db` is a path, although no URL of the standard.
  return /^file:\/\//.test(LIBSQL_URL) ? fileURLToPath(LIBSQL_URL) : resolve(LIBSQL_URL.slice('file:'.length));
}

/** The secret that an earlier start made, else a new one. Two starts at once agree on the one that was first. */
function keptSecret(folder: string): Promise<string> {
  return keptWord(join(folder, 'session-secret'));
}

/** By which a database server tells this machine's files from those of another. */
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
