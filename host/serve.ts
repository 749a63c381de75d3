import process from 'node:process';
import { FastResponse } from 'srvx';
import type { Env } from '../netlify/server/env.ts';
import { logError, logInfo, structureConsole } from '../netlify/server/log.ts';
import { seconds } from '../scripts/node24.mjs';
import packageJson from '../package.json' with { type: 'json' };
import { checkMail, checkWebhook } from './checks.ts';
import { machineId, openPlatform } from './data/platform.ts';
import type { Host } from './http/server.ts';
import type * as Start from '../netlify/server/start.ts';

/**
 * Migrates the database, and serves the built site in the working folder. The database threads start while this thread
 * loads the rest of the code, which takes longer than all other steps. So this file imports only what comes before.
 */
export async function serve(env: Env, buildFault: string | null): Promise<void> {
  const preparing = Date.now();
  const opened = openPlatform(env, { inspect: true });
  opened.then(({ openEmbeddedDatabase }) => openEmbeddedDatabase?.()).catch(() => undefined);
  const [{ startHost }, { joinDatabase, prepare }, { nightlyBackup }] = await Promise.all([
    import('./http/server.ts'),
    import('../netlify/server/start.ts'),
    import('./nightly-backup.ts'),
  ]);
  // node:http can send a FastResponse without a web stream. Functions then answer twice as many requests per second.
  globalThis.Response = FastResponse;
  const backups = (env.BACKUP_DIR ?? env.BACKUP_URL) === undefined ? undefined : nightlyBackup();
  const platform = opened.then((own) => ({ ...own, buildFault, ...(backups && { backups }) }));
  let admin: Admin | undefined;
  let leave = async (): Promise<void> => undefined;
  const host = await startHost({
    env,
    platform,
    root: process.cwd(),
    prepare: async (completed) => {
      leave = await joinDatabase(completed, await machineId(env.DATA_DIR));
      admin = await prepare(completed);
    },
  }).catch((error: unknown) => {
    // The next start would not show the password again.
    if (admin) console.log(signInHint(env.SITE_URL ?? '', admin));
    throw error;
  });
  stopOnSignals({
    close: async () => {
      backups?.stop();
      await Promise.all([leave(), host.close()]);
    },
  });
  process.on('unhandledRejection', (error) => logError('unhandled rejection', {}, error));
  const location = env.LIBSQL_URL === undefined ? env.DATA_DIR : 'the database in LIBSQL_URL';
  console.log(`Data: ready in ${location} (${seconds(preparing)})`);
  console.log(`Ready: ${host.url}`);
  for (const warning of admin?.warnings ?? []) console.warn(`Warning: ${warning}`);
  if (admin) console.log(signInHint(env.SITE_URL ?? host.url, admin));
  for (const [verdict, words] of await Promise.all([checkMail(env), checkWebhook(env)]).then((found) => found.flat())) {
    if (verdict !== 'ok') console.warn(`Warning: ${words}`);
  }
  // The output above is for the person at the terminal. From here on, the output is for a log collector.
  if (env.production) {
    structureConsole();
    logInfo('site started', { version: packageJson.version });
  }
  if (buildFault !== null) logError('build failed', {});
  void backups?.start();
}

type Admin = Awaited<ReturnType<typeof Start.prepare>>;

/**
 * Returns instructions for signing in. Includes a newly generated password, because no later start shows this password.
 */
export function signInHint(site: string, { email, generatedPassword }: Omit<Admin, 'warnings'>): string {
  return generatedPassword === null
    ? `Sign in at ${site}/admin as ${email} with your password. If you lost it, run: npm run admin -- reset ${email}`
    : `Sign in at ${site}/admin as ${email} with the password ${generatedPassword} (generated now and not shown again).`;
}

// Signals within this many milliseconds count as one: Ctrl-C in a terminal sends the signal to this process twice,
// directly and through npm.
const samePressMs = 1_000;

/**
 * On SIGTERM or SIGINT, waits for the running requests and stops the host. A second signal ends the process
 * immediately.
 */
export function stopOnSignals(host: Pick<Host, 'close'>): void {
  let since: number | undefined;
  const stop = (): void => {
    if (since !== undefined) {
      if (Date.now() - since > samePressMs) process.exit(1);
      return;
    }
    since = Date.now();
    console.log('Stopping after the running requests are finished.');
    host.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logError('stopping failed', {}, error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}
