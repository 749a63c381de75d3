import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import process from 'node:process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface RunningHost {
  readonly url: string;
  readonly pid: number;
  readonly dataDirectory: string;
  /** Ends the process at once, as a power cut would. Its data stays. */
  kill(): Promise<void>;
  /** Ends it as `npm start` is ended, and removes its data. */
  stop(): Promise<void>;
}

function environmentOf(dataDirectory: string, variables: Record<string, string>): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PORT: '0',
    DATA_DIR: dataDirectory,
    RATE_LIMITS: 'off',
    CONTEXT: 'dev',
    SITE_URL: '',
    ...variables,
  };
}

/** Starts the host where the start should fail. @returns all that it said. @throws where it gets ready. */
export async function startThatFails(dataDirectory: string, variables: Record<string, string> = {}): Promise<string> {
  const host = spawn(process.execPath, ['host/main.ts'], { env: environmentOf(dataDirectory, variables) });
  let said = '';
  for (const stream of [host.stdout, host.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (said.includes('Ready: ')) host.kill('SIGKILL');
    });
  }
  const [code] = (await once(host, 'close')) as [number | null];
  if (code !== 1) throw new Error(`The host should have ended with code 1, not ${code}. It said:\n${said}`);
  return said;
}

/**
 * Starts the host in a process of its own, with rate limits off.
 * @param given the data folder of an earlier one; an empty one when left out.
 * @param log told of each line that it writes to its standard error, which is shown when left out.
 * @param limits shell commands that limit the process, such as `ulimit -n 64`.
 */
export async function startHostProcess(
  given?: string,
  variables: Record<string, string> = {},
  log?: (line: string) => void,
  limits = ':',
): Promise<RunningHost> {
  const dataDirectory = given ?? (await mkdtemp(join(tmpdir(), 'host-')));
  const host = spawn('/bin/sh', ['-c', `${limits}; exec "$0" host/main.ts`, process.execPath], {
    env: environmentOf(dataDirectory, variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  createInterface(host.stderr).on('line', log ?? ((line) => process.stderr.write(`${line}\n`)));
  const ended = new Promise<void>((resolve) => host.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    host.once('exit', (code) => reject(new Error(`The host ended with code ${code}.`)));
    createInterface(host.stdout).on('line', (line) => {
      const ready = /^Ready: (http\S+)/.exec(line);
      if (ready?.[1]) resolve(ready[1]);
    });
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    host.kill(signal);
    await ended;
  };
  return {
    url,
    pid: host.pid ?? 0,
    dataDirectory,
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM');
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
