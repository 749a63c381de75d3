// The pages' half of `npm run dev`: port, host name and the API's port are its arguments.
import process from 'node:process';
import { dev } from 'astro';

const [port, hostname, apiPort] = process.argv.slice(2);
const api = `http://127.0.0.1:${apiPort}`;
await dev({
  server: { port: Number(port), host: hostname },
  // Vite puts styles into the page as it goes, which the policy of a built page forbids.
  security: { csp: false },
  vite: { server: { strictPort: true, proxy: { '/api': api, '/.netlify/': api, '^/uploads/(?!logo[.]svg)': api } } },
});
