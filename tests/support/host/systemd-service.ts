import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { commandEnvironment } from './command.ts';

export type Service = Awaited<ReturnType<typeof startService>>;

/** Listens on a port, and runs a shell with this socket as its file 3. While the shell runs, connections wait. */
const socketUnit = `
const [port, ...shell] = process.argv.slice(1);
const server = require('node:net').createServer().listen(port, '127.0.0.1', () => {
  console.log('Listening.');
  require('node:child_process').spawnSync('sh', shell, { stdio: [0, 1, 2, server._handle.fd] });
});`;

/** Starts the site again whenever it ends. As systemd does, names the process of each start before its program begins. */
const serviceUnit = `
while :; do
  cd "$1" && sh -c 'LISTEN_PID=$$ exec "$0" scripts/node24.mjs host/start.ts' "$2"
  sleep 0.2
done`;

/**
 * Runs the site as docs/deploy/site.socket and site.service do: the socket stays open, and the site starts again whenever it
 * ends.
 * @param folder the folder of the project, which can be a link.
 */
export async function startService(folder: string, data: string, port: number, variables: Record<string, string> = {}) {
  const environment = { DATA_DIR: data, PORT: String(port), LISTEN_FDS: '1', ...variables };
  const shell = ['-c', serviceUnit, 'sh', folder, process.execPath];
  const service = spawn(process.execPath, ['--eval', socketUnit, '--', String(port), ...shell], {
    detached: true,
    env: commandEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [service.stdout, service.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  await vi.waitFor(() => expect(output).toContain('Listening.'), { timeout: 60_000 });
  return {
    url: `http://127.0.0.1:${port}`,
    /** Everything that the starts of the site have printed. */
    output: () => output,
    /** Waits until a process uses the data folder. @returns its id. */
    pid: () =>
      vi.waitFor(async () => Number(/process (\d+)/.exec(await readFile(join(data, 'lock.txt'), 'utf8'))![1]), 60_000),
    async stop() {
      const closed = once(service, 'close');
      process.kill(-service.pid!, 'SIGKILL');
      await closed;
    },
  };
}
