import { createClient } from '@libsql/client/http';
import type { Env } from '../env.ts';
import { lentPlatform } from '../platform.ts';
import { type Database, remoteDatabase } from './database.ts';

/** A silent server must not hold a visitor for longer than this; the client itself has no limit. */
const networkTimeoutMs = 8_000;

/** No database can be opened: the message says which variable is missing. */
class NoDatabaseError extends Error {
  override readonly name = 'NoDatabaseError';
}

/**
 * Opens the database that the environment names: a libSQL server by `LIBSQL_URL`, else the file that the host lends.
 * @throws {NoDatabaseError} where there is neither.
 */
export async function connect(env: Env): Promise<Database> {
  const open = lentPlatform()?.openEmbeddedDatabase;
  if (open) return await open();
  if (!env.LIBSQL_URL || env.LIBSQL_URL.startsWith('file:')) {
    throw new NoDatabaseError('LIBSQL_URL is missing: functions need a libSQL server (libsql:// or https://).');
  }
  return remoteDatabase(
    createClient({
      url: env.LIBSQL_URL,
      ...(env.LIBSQL_AUTH_TOKEN && { authToken: env.LIBSQL_AUTH_TOKEN }),
      fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(networkTimeoutMs) }),
    }),
  );
}
