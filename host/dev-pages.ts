import process from 'node:process';
import { dev } from 'astro';
import type { Plugin } from 'vite';
import { lendPlatform } from '../netlify/server/platform/platform.ts';
import { ownEnvironment } from './environment.ts';
import { openPlatform } from './data/platform.ts';
import { failStart } from './process.ts';

/**
 * Serves the pages of `npm run dev` with Astro's server. The arguments are the port, the host name, and the port of the
 * API. The API runs in another process. Pages that are rendered on request read the API's database over their own
 * connection.
 */
async function main([port, hostname, apiPort]: string[]): Promise<void> {
  process.umask(0o077);
  lendPlatform(await openPlatform(ownEnvironment()));
  // With a plain string as proxy target, Vite would put the host name of the API into the `Host` header, and the API
  // would reject every form as cross-site.
  const api = { target: `http://127.0.0.1:${apiPort}` };
  await dev({
    root: process.cwd(),
    server: { port: Number(port), host: hostname },
    // Turns the Content-Security-Policy off, because it would forbid the inline styles that Vite adds in development.
    security: { csp: false },
    vite: {
      plugins: [reloadForArticles],
      server: { strictPort: true, proxy: { '/api': api, '/.netlify/': api, '^/uploads/(?!logo[.]svg)': api } },
    },
  });
}

/**
 * Reloads pages when an article changes. Vite does not track articles, because they are read as files instead of
 * imported (src/data/article-files.ts).
 */
const reloadForArticles: Plugin = {
  name: 'reload-for-articles',
  configureServer({ watcher, ws }) {
    watcher.on('all', (_event, file) => {
      if (file.endsWith('.mdx')) ws.send({ type: 'full-reload' });
    });
  },
};

await main(process.argv.slice(2)).catch(failStart);
