import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client, Config } from '@libsql/client/http';
import { type Database, remoteDatabase } from './db/database.ts';
import { readBuildEnv } from './env.ts';
import { logError } from './log.ts';

const timeoutMs = 5_000;

/**
 * What the database holds while the site is built. A build never needs a database.
 * @param source usually `process.env`.
 * @param read asks the stores.
 * @returns null without a database, or where it does not answer.
 */
export async function readAtBuild<T>(
  source: Record<string, string | undefined>,
  read: (database: Database) => Promise<T>,
): Promise<T | null> {
  const { DATA_DIR, LIBSQL_URL, LIBSQL_AUTH_TOKEN: authToken } = readBuildEnv(source);
  const file = join(DATA_DIR, 'site.db');
  const url = LIBSQL_URL ?? ((await exists(file)) ? pathToFileURL(file).href : null);
  if (url === null) return null;
  // By a name that bundlers do not follow: the native library must not come into a page that is rendered on request.
  const library = '@libsql/client';
  const { createClient } = (await import(/* @vite-ignore */ library)) as { createClient: (config: Config) => Client };
  const fetchInTime = (request: Request) => fetch(request, { signal: AbortSignal.timeout(timeoutMs) });
  const client = createClient({ url, ...(authToken && { authToken }), fetch: fetchInTime, timeout: timeoutMs });
  try {
    return await read(remoteDatabase(client));
  } catch (error) {
    // A database that no server has migrated yet has no such table; nothing is wrong with that.
    if (!(error instanceof Error && error.message.includes('no such table'))) {
      logError('the database did not answer the build; first texts are used', {}, error);
    }
    return null;
  } finally {
    client.close();
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
