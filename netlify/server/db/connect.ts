import type { Env } from '../env.ts';
import { lentPlatform } from '../platform.ts';
import { type Database, remoteDatabase } from './database.ts';

/** The timeout of a request to the database server, in milliseconds. The libSQL client itself has none. */
const networkTimeoutMs = 8_000;

/** No database is configured. The message names the missing variable. */
class NoDatabaseError extends Error {
  override readonly name = 'NoDatabaseError';
}

/**
 * Opens the embedded database of a self-hosted server, or else connects to the libSQL server at `LIBSQL_URL`.
 * @throws {NoDatabaseError} if neither is available.
 */
export async function connect({ LIBSQL_URL, LIBSQL_AUTH_TOKEN }: Env): Promise<Database> {
  const open = lentPlatform()?.openEmbeddedDatabase;
  if (open) return await open();
  if (LIBSQL_URL && !LIBSQL_URL.startsWith('file:')) {
    return await connectTo(LIBSQL_URL, LIBSQL_AUTH_TOKEN, networkTimeoutMs);
  }
  throw new NoDatabaseError('LIBSQL_URL is missing: functions need a libSQL server (libsql:// or https://).');
}

/** Connects to a libSQL server. @param timeoutMs the time limit of each request. */
export async function connectTo(url: string, authToken: string | undefined, timeoutMs: number): Promise<Database> {
  // The client is imported only when it is needed. A server with an embedded database then loads 65 fewer files at
  // start.
  const { createClient } = await import('@libsql/client/http');
  const fetchInTime = (request: Request) => fetch(request, { signal: AbortSignal.timeout(timeoutMs) });
  return remoteDatabase(createClient({ url, ...(authToken && { authToken }), fetch: fetchInTime }));
}
