import process from 'node:process';
import { prepare } from '../netlify/server/start.ts';
import { signInHint } from './announce.ts';
import { ownEnvironment } from './environment.ts';
import { failStart, stopOnSignals } from './process.ts';
import { startHost } from './http/server.ts';

/**
 * Serves the API for `npm run dev`, which restarts this process when a file of the API changes. Astro's server serves
 * the pages and forwards API requests to this process. The first argument is the port of the API, and the second is the
 * URL of Astro's server.
 */
async function main([port = '0', site = '']: string[]): Promise<void> {
  const env = { ...ownEnvironment(), HOST: '127.0.0.1', PORT: Number(port) };
  process.umask(0o077);
  let hint: string | undefined;
  const host = await startHost({
    env,
    root: process.cwd(),
    apiOnly: true,
    prepare: async (completed) => {
      hint = signInHint(site, await prepare(completed));
    },
  });
  stopOnSignals(host);
  console.log(`API: ready. ${hint ?? ''}`);
}

await main(process.argv.slice(2)).catch(failStart);
