import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readable } from 'node:stream';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) kill(child, 'SIGKILL');
});

/** Starts a process in a new process group. The group is killed when this process exits. */
export function startProcess(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, { ...options, detached: true });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined && !hasEnded(child)) process.kill(-child.pid, signal);
}

/** Ends a process and all processes that it started. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  kill(child, 'SIGTERM');
  const late = new AbortController();
  await Promise.race([ended, sleep(5_000, undefined, { signal: late.signal })]);
  late.abort();
  kill(child, 'SIGKILL');
}

/** Waits until the output of a process matches, for at most 60 seconds. */
export function textFrom(child: ChildProcess, stream: Readable | null, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    const fail = (reason: string) => reject(new Error(`${child.spawnfile} ${reason}:\n${text}`));
    const timer = setTimeout(() => fail('did not start within 60 seconds'), 60_000);
    child.on('error', reject);
    child.on('exit', (code) => fail(`ended with code ${String(code)}`));
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = `${text}${chunk}`.slice(-10_000);
      const match = pattern.exec(text);
      if (!match) return;
      clearTimeout(timer);
      resolve(match);
    });
  });
}
