import process from 'node:process';
import { FastResponse } from 'srvx';
import { joinDatabase, prepare } from '../netlify/server/start.ts';
import packageJson from '../package.json' with { type: 'json' };
import type { Env } from '../netlify/server/runtime/env.ts';
import { logError, logInfo, structureConsole } from '../netlify/server/runtime/log.ts';
import { emailWarnings } from './email-warnings.ts';
import { openable, signInHint } from './announce.ts';
import { machineId, type OwnPlatform } from './data/platform.ts';
import { stopOnSignals } from './process.ts';
import { secondsSince } from './seconds-since.ts';
import { startHost } from './http/server.ts';

// node:http can send a FastResponse without a web stream. Functions then answer twice as many requests per second.
globalThis.Response = FastResponse;

/** Migrates the database, and serves the built site in the working folder. */
export async function run(env: Env, platform: Promise<OwnPlatform>): Promise<void> {
  const preparing = Date.now();
  let admin: Awaited<ReturnType<typeof prepare>> | undefined;
  let leave = async (): Promise<void> => undefined;
  const host = await startHost({
    env,
    platform,
    root: process.cwd(),
    prepare: async (completed) => {
      leave = await joinDatabase(completed, await machineId(env.DATA_DIR));
      admin = await prepare(completed);
    },
  });
  stopOnSignals({ ...host, close: async () => void (await Promise.all([leave(), host.close()])) });
  process.on('unhandledRejection', (error) => logError('unhandled rejection', {}, error));
  const place = env.LIBSQL_URL === undefined ? env.DATA_DIR : 'the database in LIBSQL_URL';
  console.log(`Data: ready in ${place} (${secondsSince(preparing)})`);
  console.log(`Ready: ${openable(host.url)}`);
  for (const warning of admin?.warnings ?? []) console.log(`Warning: ${warning}`);
  if (admin) console.log(signInHint(openable(host.url), admin));
  for (const warning of await emailWarnings(env)) console.warn(warning);
  // The output above is for the person at the terminal. From here on, the output is for a log collector.
  if (env.production) {
    structureConsole();
    logInfo('site started', { version: packageJson.version });
  }
}
