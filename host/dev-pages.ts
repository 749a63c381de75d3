import process from 'node:process';
import { dev } from 'astro';
import { lendPlatform } from '../netlify/server/platform.ts';
import { ownEnvironment } from './environment.ts';
import { openPlatform } from './platform.ts';
import { failStart } from './process.ts';

/**
 * The pages' half of `npm run dev`: Astro's own server. Its arguments are its port and host name, and the API's port.
 * Pages that are rendered on request read the same database as the API, from a connection of this process.
 */
async function main([port, hostname, apiPort]: string[]): Promise<void> {
  process.umask(0o077);
  lendPlatform(await openPlatform(ownEnvironment()));
  // As a plain address it would be asked under its own name, and see every form come from another site.
  const api = { target: `http://127.0.0.1:${apiPort}` };
  await dev({
    root: process.cwd(),
    server: { port: Number(port), host: hostname },
    // Vite puts styles into the page as it goes, which the policy of a built page forbids.
    security: { csp: false },
    vite: { server: { strictPort: true, proxy: { '/api': api, '/.netlify/': api, '^/uploads/(?!logo[.]svg)': api } } },
  });
}

await main(process.argv.slice(2)).catch(failStart);
