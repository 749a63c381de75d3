import { parseArgs, type ParseArgsConfig } from 'node:util';
import { connect } from '../../netlify/server/db/open.ts';
import { migrate } from '../../netlify/server/db/migrate.ts';
import { lendPlatform } from '../../netlify/server/platform.ts';
import type { Env } from '../../netlify/server/env.ts';
import { type Services, servicesOf } from '../../netlify/server/services.ts';
import { openPlatform } from '../data/platform.ts';
import { CommandError } from '../errors.ts';

/** Parses the arguments of a command. @throws {CommandError} with the usage if an option is unknown. */
export function readArguments<const T extends ParseArgsConfig>(config: T, usage: string) {
  try {
    return parseArgs(config);
  } catch {
    throw new CommandError(usage);
  }
}

/** Runs `work` with the stores of the site, after it has migrated the database. The site may be running. */
export async function withServices<T>(env: Env, work: (services: Services) => Promise<T>): Promise<T> {
  const platform = await openPlatform(env);
  lendPlatform(platform);
  const database = await connect(platform.env);
  try {
    await migrate(database);
    return await work(servicesOf(platform.env, database, platform.openBlobStore));
  } finally {
    database.close();
    await platform.close();
  }
}
