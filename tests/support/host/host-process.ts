import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import process from 'node:process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hostEnvironment, hostOptions } from '../../../scripts/node24.mjs';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import { sendJson } from './ask.ts';

/** Node options that load loop-probe.mjs into the host. The probe answers the messages of `longestWork`. */
const probeOptions = ['--import', join(import.meta.dirname, 'loop-probe.mjs')];

export type RunningHost = Awaited<ReturnType<typeof startHostProcess>>;

function environmentOf(dataDirectory: string, variables: Record<string, string>): NodeJS.ProcessEnv {
  return hostEnvironment({
    ...process.env,
    PORT: '0',
    DATA_DIR: dataDirectory,
    RATE_LIMITS: 'off',
    CONTEXT: 'dev',
    SITE_URL: '',
    ...variables,
  });
}

/**
 * Starts the host in a case where the start should fail.
 * @returns the output.
 * @throws if the host becomes ready, or if its output has a stack trace.
 */
export async function startThatFails(dataDirectory: string, variables: Record<string, string> = {}): Promise<string> {
  const host = spawn(process.execPath, ['host/start.ts'], { env: environmentOf(dataDirectory, variables) });
  let said = '';
  for (const stream of [host.stdout, host.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (said.includes('Ready: ')) host.kill('SIGKILL');
    });
  }
  const [code] = (await once(host, 'close')) as [number | null];
  if (code !== 1 || /^\s+at /m.test(said)) {
    throw new Error(
      `The host should have ended with code 1, not ${code}, and without a stack trace. It said:\n${said}`,
    );
  }
  return said;
}

/**
 * Starts the host in a child process, with rate limits off.
 * @param given the data folder of an earlier process; by default a new, empty one.
 * @param log receives each line of the process's standard error; by default the lines are printed.
 * @param limits shell commands that limit the process, such as `ulimit -n 64`.
 */
export async function startHostProcess(
  given?: string,
  variables: Record<string, string> = {},
  log?: (line: string) => void,
  limits = ':',
) {
  const dataDirectory = given ?? (await mkdtemp(join(tmpdir(), 'host-')));
  // A test that sets Node options for the host replaces those of `npm start`.
  const options = 'NODE_OPTIONS' in variables ? [] : hostOptions;
  const command = [process.execPath, ...options, ...probeOptions, 'host/start.ts'];
  const host = spawn('/bin/sh', ['-c', `${limits}; exec "$0" "$@"`, ...command], {
    env: environmentOf(dataDirectory, variables),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { stdout, stderr } = host;
  if (!stdout || !stderr) throw new Error('The host has no output to read.');
  createInterface(stderr).on('line', log ?? ((line) => process.stderr.write(`${line}\n`)));
  const ended = new Promise<void>((resolve) => host.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    host.once('exit', (code) => reject(new Error(`The host ended with code ${code}.`)));
    createInterface(stdout).on('line', (line) => {
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
    /**
     * Returns the longest time for which one piece of work blocked the event loop since the last call, in milliseconds
     * of processor time. The first call starts the measurement.
     */
    async longestWork(): Promise<number> {
      host.send('longest work');
      const [workMs] = (await once(host, 'message')) as [number];
      return workMs;
    },
    /** Kills the process, as a power cut would, and leaves its data. */
    kill: () => end('SIGKILL'),
    /** Stops the process with SIGTERM, as a service manager would, and removes its data. */
    async stop() {
      await end('SIGTERM');
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Signs an admin in. @returns the token for the header `Authorization: Bearer` or the cookie `session`. */
export async function sessionToken(
  { url }: Pick<RunningHost, 'url'>,
  admin: { readonly email: string; readonly password: string },
): Promise<string> {
  const response = await fetch(url + apiPaths.login, sendJson(admin));
  if (!response.ok) throw new Error(`The sign-in was refused: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { token: string }).token;
}
