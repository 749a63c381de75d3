import type { Context } from '@netlify/functions';
import { type Env, readEnv } from '../env.ts';
import { lentPlatform, oncePerPlatform } from '../platform.ts';
import { type Database, remoteDatabase } from './database.ts';
import { claimDatabase } from './installation.ts';
import { migrate } from './migrate.ts';

/** The timeout of a request to the database server, in milliseconds. The libSQL client itself has none. */
const networkTimeoutMs = 8_000;

/**
 * Opens the embedded database of a self-hosted server, or else connects to the libSQL server at `LIBSQL_URL`.
 * @throws {Error} that names the missing variable, if neither is available.
 */
export async function connect({ LIBSQL_URL, LIBSQL_AUTH_TOKEN }: Env): Promise<Database> {
  const open = lentPlatform()?.openEmbeddedDatabase;
  if (open) return await open();
  if (LIBSQL_URL !== undefined) return await connectTo(LIBSQL_URL, LIBSQL_AUTH_TOKEN);
  throw new Error('LIBSQL_URL is missing: functions need a libSQL server (libsql:// or https://).');
}

/** Connects to a libSQL server. */
export async function connectTo(url: string, authToken: string | undefined): Promise<Database> {
  // The client is imported only when it is needed. A server with an embedded database then loads 65 fewer files at
  // start.
  const { createClient } = await import('@libsql/client/http');
  const fetchInTime = (request: Request) => fetch(request, { signal: AbortSignal.timeout(networkTimeoutMs) });
  return remoteDatabase(createClient({ url, ...(authToken && { authToken }), fetch: fetchInTime }));
}

/**
 * Returns the environment and the database of this process. The first call opens them. A self-hosted server provides
 * both. On Netlify, they come from the deploy's environment variables.
 * @throws {EnvError} if a variable is missing or invalid.
 */
export const openDatabase = oncePerPlatform(async (context: Pick<Context, 'deploy'>, platform) => {
  const env = platform?.env ?? readEnv(process.env, context.deploy.context);
  const database = await connect(env);
  const { deployment } = env;
  // Netlify has no step that updates the schema after a deploy, so the functions run the migrations. They run before
  // the first query and not here, so a function can store an inquiry in the blob store while the database is down.
  let ready: Promise<void> | undefined;
  const prepared = async (): Promise<Database> => {
    // A developer's own database file needs no record of the deploy that owns it (db/installation.ts).
    const isOwnFile = deployment === 'local' && platform?.openEmbeddedDatabase !== undefined;
    ready ??= isOwnFile
      ? migrate(database).then(() => undefined)
      : claimDatabase(database, deployment, () => migrate(database));
    await ready.catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    return database;
  };
  // A preview must claim its database before anything else runs. Otherwise a preview that is not allowed to use its
  // database could still store an inquiry in the blob store.
  if (deployment === 'preview') await prepared();
  const onUse: Database = {
    read: async (statement) => await (await prepared()).read(statement),
    write: async (...statements) => await (await prepared()).write(...statements),
    apply: async (statements) => await (await prepared()).apply(statements),
    check: async () => await (await prepared()).check(),
    close: () => database.close(),
  };
  return { env, database: onUse };
});
