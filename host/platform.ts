import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Client, createClient } from '@libsql/client';
import type { Env } from '../netlify/server/env.ts';
import type { Platform } from '../netlify/server/platform.ts';
import { openBlobs } from './blobs.ts';

/** How long a write waits for another process that holds the database file, in milliseconds. */
const busyTimeout = 5_000;

export interface OwnPlatform extends Platform {
  /** Closes the database. */
  close(): void;
}

/**
 * Makes what this machine lends to the functions, all of it under `DATA_DIR`, which only the owner may read: the
 * database (where `LIBSQL_URL` names no server), the blobs, and a session secret where the environment gives none.
 */
export async function openPlatform(env: Env): Promise<OwnPlatform> {
  await mkdir(env.DATA_DIR, { recursive: true, mode: 0o700 });
  // A folder of somebody else's, given on purpose, stays as it is.
  await chmod(env.DATA_DIR, 0o700).catch(() => undefined);
  const completed = { ...env, SESSION_SECRET: env.SESSION_SECRET ?? (await keptSecret(env.DATA_DIR)) };
  const clients: Client[] = [];
  const url = env.LIBSQL_URL ?? pathToFileURL(join(env.DATA_DIR, 'site.db')).href;
  return {
    env: completed,
    ...(url.startsWith('file:') && {
      openEmbeddedDatabase: () => {
        const client = createClient({ url, concurrency: 1, timeout: busyTimeout });
        clients.push(client);
        return client;
      },
    }),
    openBlobStore: await openBlobs(join(env.DATA_DIR, 'blobs')),
    freeSpace: async () => {
      const { bavail, bsize } = await statfs(env.DATA_DIR);
      return bavail * bsize;
    },
    close: () => {
      for (const client of clients) client.close();
    },
  };
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
