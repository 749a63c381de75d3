// Runs `npm run dev`: starts Astro's dev server at PORT for the pages, and a second process for the API. Both reload
// changed files. Does not use Netlify's emulator from the adapter, which answers only a few requests per second.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { installPackages, projectNode, root } from './toolchain.mjs';

await installPackages();
const node = await projectNode();
try {
  process.loadEnvFile(join(root, '.env'));
} catch (error) {
  if (error.code !== 'ENOENT') throw error;
}
const hostname = process.env.HOST || '127.0.0.1';
const port = Number(process.env.PORT || 8888);
const site = `http://${hostname}:${port}`;
const apiPort = await freePort();

const env = { ...process.env, NETLIFY_DEV: '1', ASTRO_TELEMETRY_DISABLED: '1' };
const children = [
  spawn(node, ['--watch', '--watch-preserve-output', join(root, 'host/dev.ts'), String(apiPort), site], {
    cwd: root,
    stdio: 'inherit',
    env,
  }),
  spawn(node, [join(root, 'host/dev-pages.ts'), String(port), hostname, String(apiPort)], {
    cwd: root,
    stdio: 'inherit',
    env,
  }),
];
const stop = (signal) => children.forEach((child) => child.kill(signal));
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop(signal));
for (const child of children) {
  child.on('exit', (code) => {
    process.exitCode ||= code ?? 0;
    stop('SIGTERM');
  });
}

/** Returns a port that no program uses. */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}
