import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { commandEnvironment } from './command.ts';
import { freePort } from './ports.ts';

/** False on a machine without systemd, such as macOS. */
export const hasSystemd = spawnSync('systemd-socket-activate', ['--version']).status === 0;

export interface Service {
  readonly url: string;
  /** Everything that the starts of the site have printed. */
  readonly output: () => string;
  /** Returns the id of the process that uses the data folder. */
  pid(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Runs the site as docs/deploy/site.socket and site.service do: the socket stays open, and the site starts again whenever it
 * ends. As in systemd, the first connection starts it.
 * @param script the path of `host/start.ts`, which is resolved at each start.
 */
export async function startService(
  folder: string,
  data: string,
  script: string,
  variables: Record<string, string> = {},
): Promise<Service> {
  const port = await freePort();
  const environment = commandEnvironment({ DATA_DIR: data, PORT: String(port), ...variables });
  const passed = Object.entries(environment).map(([name, value]) => `--setenv=${name}=${value}`);
  const loop = `while :; do cd ${folder} && ${process.execPath} ${script}; sleep 0.2; done`;
  const service = spawn('systemd-socket-activate', [`--listen=127.0.0.1:${port}`, ...passed, 'sh', '-c', loop], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [service.stdout, service.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  await vi.waitFor(() => {
    if (!output.includes('Listening on')) throw new Error('systemd does not listen yet.');
  });
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    pid: async () => Number(/process (\d+)/.exec(await readFile(join(data, 'lock.txt'), 'utf8'))?.[1]),
    async stop() {
      const closed = once(service, 'close');
      process.kill(-service.pid!, 'SIGKILL');
      await closed;
    },
  };
}
