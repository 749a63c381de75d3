import './short-pauses.ts';
import process from 'node:process';
import { FastResponse } from 'srvx';
import { joinDatabase, prepare } from '../netlify/server/start.ts';
import packageJson from '../package.json' with { type: 'json' };
import { logError, logInfo, structureConsole } from '../netlify/server/log.ts';
import { checkSiteDetails } from '../netlify/server/site-details.ts';
import { emailWarnings } from './email-warnings.ts';
import { listenWarning, openable, signInHint } from './announce.ts';
import { buildWhenChanged } from './build.ts';
import { ownEnvironment } from './environment.ts';
import { checkPort, failStart, stopOnSignals } from './process.ts';
import { machineId } from './platform.ts';
import { startHost } from './server.ts';

// A Response that becomes an answer of node:http without a detour over a web stream: functions answer twice as many
// requests a second with it.
globalThis.Response = FastResponse;

/** `npm start`, once the packages are there: builds what has changed, prepares the data, and serves. */
async function main(): Promise<void> {
  const env = ownEnvironment();
  checkSiteDetails();
  const warning = listenWarning(env);
  if (warning !== null) console.warn(warning);
  await checkPort(env);

  const root = process.cwd();
  const began = Date.now();
  console.log('Site: looking for changes');
  const built = await buildWhenChanged(root, env);
  console.log(`Site: ${built ? 'built' : 'up to date'} (${secondsSince(began)})`);

  // Only this account may read what visitors wrote, even in a folder that others may read.
  process.umask(0o077);
  const preparing = Date.now();
  let admin: Awaited<ReturnType<typeof prepare>> | undefined;
  let leave = async (): Promise<void> => undefined;
  const host = await startHost({
    env,
    root,
    prepare: async (completed) => {
      leave = await joinDatabase(completed, await machineId(env.DATA_DIR));
      admin = await prepare(completed);
    },
  });
  stopOnSignals({ ...host, close: async () => void (await Promise.all([leave(), host.close()])) });
  process.on('unhandledRejection', (error) => logError('unhandled rejection', {}, error));
  const place = env.LIBSQL_URL === undefined ? env.DATA_DIR : 'the database of LIBSQL_URL';
  console.log(`Data: ready in ${place} (${secondsSince(preparing)})`);
  console.log(`Ready: ${openable(host.url)}`);
  for (const warning of admin?.warnings ?? []) console.log(`Warning: ${warning}`);
  if (admin) console.log(signInHint(openable(host.url), admin));
  for (const warning of await emailWarnings(env)) console.warn(warning);
  // The lines above are for the person at the terminal; those after them are for a collector of logs.
  if (env.production) {
    structureConsole();
    logInfo('site started', { version: packageJson.version });
  }
}

function secondsSince(time: number): string {
  return `${((Date.now() - time) / 1000).toFixed(1)} s`;
}

await main().catch(failStart);
