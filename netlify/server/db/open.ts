import type { Context } from '@netlify/functions';
import { type Env, readEnv } from '../env.ts';
import { lentPlatform } from '../platform.ts';
import { connect } from './connect.ts';
import type { Database } from './database.ts';
import { claimDatabase } from './deployment.ts';
import { migrate } from './migrate.ts';

interface Opened {
  readonly env: Env;
  readonly database: Database;
}

let opened: Promise<Opened> | undefined;

/**
 * The process's environment and database, opened at the first call: as the host lends them, else as Netlify gives them.
 * @throws {EnvError} where the environment is not complete.
 */
export function openDatabase(context: Pick<Context, 'deploy'>): Promise<Opened> {
  opened ??= open(context).catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

async function open(context: Pick<Context, 'deploy'>): Promise<Opened> {
  const env = lentPlatform()?.env ?? readEnv(process.env, context.deploy.context);
  // On Netlify the functions migrate the database themselves, because a deploy may be newer than its schema. Migrations run
  // at the first access, so that inquiries are kept even while the database does not answer.
  const database = await connect(env);
  const { deployment } = env;
  const prepare = async (): Promise<void> => {
    // A developer's own file belongs to no deploy.
    if (deployment === 'local' && lentPlatform()?.openEmbeddedDatabase) await migrate(database);
    else await claimDatabase(database, deployment, () => migrate(database));
  };
  // Nothing of a preview runs before its database is known to be its own: not even the blob store, in which an inquiry
  // would be kept.
  if (deployment === 'preview') await prepare();
  return { env, database: preparedOnUse(database, prepare) };
}

function preparedOnUse(database: Database, prepare: () => Promise<void>): Database {
  let migrated: Promise<unknown> | undefined;
  const ready = (): Promise<unknown> => {
    migrated ??= prepare().catch((error: unknown) => {
      migrated = undefined;
      throw error;
    });
    return migrated;
  };
  return {
    read: async (statement) => {
      await ready();
      return await database.read(statement);
    },
    write: async (...statements) => {
      await ready();
      return await database.write(...statements);
    },
    apply: async (statements) => {
      await ready();
      await database.apply(statements);
    },
    check: async () => {
      await ready();
      await database.check();
    },
    close: () => database.close(),
  };
}
