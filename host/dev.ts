import process from 'node:process';
import { dev } from 'astro';
import { prepare } from '../netlify/server/start.ts';
import { ownEnvironment } from './environment.ts';
import { failStart } from './errors.ts';
import { startHost } from './http/server.ts';
import { signInHint, stopOnSignals } from './serve.ts';

/**
 * Runs `npm run dev`: Astro's development server for the pages, and the API behind it on another port of this process.
 * Both reload changed files: the pages in the browser, and the API because `node --watch` starts this process again.
 */
async function main(): Promise<void> {
  const env = ownEnvironment();
  process.umask(0o077);
  process.env['NETLIFY_DEV'] = '1';
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  let hint = '';
  const api = await startHost({
    env: { ...env, HOST: '127.0.0.1', PORT: 0 },
    root: process.cwd(),
    apiOnly: true,
    prepare: async (completed) => {
      hint = signInHint(`http://${env.HOST}:${env.PORT}`, await prepare(completed));
    },
  });
  // With a plain string as proxy target, Vite would put the host name of the API into the `Host` header, and the API
  // would reject every form as cross-site.
  const target = { target: api.url };
  const pages = await dev({
    root: process.cwd(),
    server: { port: env.PORT, host: env.HOST },
    // Turns the Content-Security-Policy off, because it would forbid the inline styles that Vite adds in development.
    security: { csp: false },
    vite: {
      server: { strictPort: true, proxy: { '/api': target, '/.netlify/': target, '^/uploads/(?!logo[.]svg)': target } },
    },
  });
  stopOnSignals({ close: async () => void (await Promise.all([pages.stop(), api.close()])) });
  console.log(`API: ready. ${hint}`);
}

await main().catch(failStart);
