import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readable } from 'node:stream';

/** Ends a process with everything it started. It must have been started with `detached`. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  const late = new AbortController();
  await Promise.race([ended, sleep(5_000, undefined, { signal: late.signal })]);
  late.abort();
  if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
}

/** Waits until a process has written what matches, for 60 seconds at most. */
export function textFrom(child: ChildProcess, stream: Readable, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    const fail = (reason: string) => reject(new Error(`${child.spawnfile} ${reason}:\n${text}`));
    const timer = setTimeout(() => fail('did not start within 60 seconds'), 60_000);
    child.on('error', reject);
    child.on('exit', (code) => fail(`ended with code ${String(code)}`));
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text = `${text}${chunk}`.slice(-10_000);
      const match = pattern.exec(text);
      if (!match) return;
      clearTimeout(timer);
      resolve(match);
    });
  });
}
