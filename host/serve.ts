import './short-pauses.ts';
import process from 'node:process';
import type { Env } from '../netlify/server/runtime/env.ts';
import { checkSiteDetails } from '../netlify/server/publishing/site-details.ts';
import { listenWarning } from './announce.ts';
import { ownEnvironment } from './environment.ts';
import { openPlatform } from './data/platform.ts';
import { checkPort, failStart } from './process.ts';

/**
 * Returns the environment for a start. Rejects if the environment is invalid, the firm's details are incomplete, or the
 * port is in use.
 */
export async function checkedEnvironment(): Promise<Env> {
  const env = ownEnvironment();
  checkSiteDetails();
  const warning = listenWarning(env);
  if (warning !== null) console.warn(warning);
  await checkPort(env);
  return env;
}

/** Starts the database threads. Meanwhile, this thread loads the rest of the code, which takes about as long. */
export async function serve(env: Env): Promise<void> {
  // Only this account may read the visitors' submissions, even in a folder that others may read.
  process.umask(0o077);
  const platform = openPlatform(env, { inspect: true });
  // `run` reports a failure.
  platform.then(({ openEmbeddedDatabase }) => openEmbeddedDatabase?.()).catch(() => undefined);
  const { run } = await import('./run.ts');
  await run(env, platform);
}

// In a release, `npm start` runs this file instead of host/main.ts, because a release contains the built site.
if (import.meta.main) await checkedEnvironment().then(serve).catch(failStart);
