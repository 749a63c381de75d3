import './short-pauses.ts';
import process from 'node:process';
import { buildWhenChanged } from './build.ts';
import { failStart } from './process.ts';
import { secondsSince } from './seconds-since.ts';
import { checkedEnvironment, serve } from './serve.ts';

/** Runs `npm start` after the packages are installed: builds changed sources, and serves the site. */
async function main(): Promise<void> {
  const env = await checkedEnvironment();
  const began = Date.now();
  console.log('Site: checking for changes');
  const built = await buildWhenChanged(process.cwd());
  console.log(`Site: ${built ? 'built' : 'up to date'} (${secondsSince(began)})`);
  await serve(env);
}

await main().catch(failStart);
