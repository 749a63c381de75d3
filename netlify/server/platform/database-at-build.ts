import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client, Config } from '@libsql/client/http';
import { type Database, remoteDatabase } from '../db/database.ts';
import { readBuildEnv } from '../runtime/env.ts';
import { logError } from '../runtime/log.ts';

const timeoutMs = 5_000;

/**
 * Reads the database while the site is built. A build also works without a database.
 * @param source usually `process.env`.
 * @param read runs the queries.
 * @returns null if no database is configured, or if the database fails.
 */
export async function readAtBuild<T>(
  source: Record<string, string | undefined>,
  read: (database: Database) => Promise<T>,
): Promise<T | null> {
  const { DATA_DIR, LIBSQL_URL, LIBSQL_AUTH_TOKEN: authToken } = readBuildEnv(source);
  const file = join(DATA_DIR, 'site.db');
  const url = LIBSQL_URL ?? ((await exists(file)) ? pathToFileURL(file).href : null);
  if (url === null) return null;
  // Bundlers do not follow an import whose path is a variable. The bundle of the pages that are rendered on request
  // therefore does not contain this native library.
  const library = '@libsql/client';
  const { createClient } = (await import(/* @vite-ignore */ library)) as { createClient: (config: Config) => Client };
  const fetchInTime = (request: Request) => fetch(request, { signal: AbortSignal.timeout(timeoutMs) });
  const client = createClient({ url, ...(authToken && { authToken }), fetch: fetchInTime, timeout: timeoutMs });
  try {
    return await read(remoteDatabase(client));
  } catch (error) {
    // A new database has no tables until a server runs the migrations, so this error is expected.
    if (!(error instanceof Error && error.message.includes('no such table'))) {
      logError('database not reached by the build; default texts are used', {}, error);
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
