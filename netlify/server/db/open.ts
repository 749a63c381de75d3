import type { Context } from '@netlify/functions';
import { type Env, readEnv } from '../env.ts';
import { oncePerPlatform } from '../platform.ts';
import { connect } from './connect.ts';
import type { Database } from './database.ts';
import { claimDatabase } from './deployment.ts';
import { migrate } from './migrate.ts';

interface Opened {
  readonly env: Env;
  readonly database: Database;
}

/**
 * Returns the environment and the database of this process. The first call opens them. A self-hosted server provides
 * both. On Netlify, they come from the deploy's environment variables.
 * @throws {EnvError} if a variable is missing or invalid.
 */
export const openDatabase = oncePerPlatform(async (context: Pick<Context, 'deploy'>, platform): Promise<Opened> => {
  const env = platform?.env ?? readEnv(process.env, context.deploy.context);
  // Netlify has no step that updates the schema after a deploy, so the functions run the migrations. They run before
  // the first query and not here, so a function can store an inquiry in the blob store while the database is down.
  const database = await connect(env);
  const { deployment } = env;
  const prepare = async (): Promise<void> => {
    // A developer's own database file needs no record of the deploy that owns it (db/deployment.ts).
    if (deployment === 'local' && platform?.openEmbeddedDatabase) await migrate(database);
    else await claimDatabase(database, deployment, () => migrate(database));
  };
  // A preview must claim its database before anything else runs. Otherwise a preview that is not allowed to use its
  // database could still store an inquiry in the blob store.
  if (deployment === 'preview') await prepare();
  return { env, database: preparedOnUse(database, prepare) };
});

function preparedOnUse(database: Database, prepare: () => Promise<void>): Database {
  let ready: Promise<void> | undefined;
  const prepared = async (): Promise<Database> => {
    ready ??= prepare().catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    await ready;
    return database;
  };
  return {
    read: async (statement) => await (await prepared()).read(statement),
    write: async (...statements) => await (await prepared()).write(...statements),
    apply: async (statements) => await (await prepared()).apply(statements),
    check: async () => await (await prepared()).check(),
    close: () => database.close(),
  };
}
