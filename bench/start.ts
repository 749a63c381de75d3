import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

/**
 * Measures the time from `npm start`, with nothing changed since the last start, to the first response of the home page
 * with status 200. Goal: 0.7 s.
 *
 * npm run bench start
 * npm run bench start -- --rounds 5
 * npm run bench start -- --beside ../before     also measures a second checkout, alternating with this one
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { rounds: { type: 'string', default: '11' }, beside: { type: 'string' } },
});
const port = 4871;
const limitMs = 120_000;
const directories = [process.cwd(), ...(values.beside === undefined ? [] : [resolve(values.beside)])];
const data = await mkdtemp(join(tmpdir(), 'start-'));
const times = new Map<string, number[]>(directories.map((directory) => [directory, []]));

/** Starts and stops the site. @returns the time to the first response, in milliseconds. */
async function startOnce(directory: string, index: number): Promise<number> {
  const began = performance.now();
  const npm = spawn('npm', ['start'], {
    cwd: directory,
    // A group of its own, because npm does not forward a signal to the processes that it starts.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PORT: String(port), DATA_DIR: join(data, String(index)), SITE_URL: '', CONTEXT: 'dev' },
  });
  const ended = once(npm, 'exit');
  try {
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
      await response?.arrayBuffer();
      if (response?.status === 200) return performance.now() - began;
      if (npm.exitCode !== null) throw new Error(`npm start ended with code ${npm.exitCode} in ${directory}.`);
      if (performance.now() - began > limitMs) throw new Error(`npm start did not respond in ${limitMs / 1000} s.`);
      await sleep(2);
    }
  } finally {
    if (npm.exitCode === null && npm.pid !== undefined) process.kill(-npm.pid, 'SIGTERM');
    await ended;
  }
}

try {
  // The first start builds the site and creates the data. The second one fills the compile cache.
  for (const [index, directory] of directories.entries()) {
    for (let run = 0; run < 2; run += 1) await startOnce(directory, index);
  }
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [index, directory] of directories.entries()) {
      times.get(directory)?.push(Math.round(await startOnce(directory, index)));
    }
  }
} finally {
  await rm(data, { recursive: true, force: true });
}
console.table(
  Object.fromEntries(
    [...times].map(([directory, all]) => {
      const sorted = all.sort((one, other) => one - other);
      return [directory, { 'median, ms': sorted[sorted.length >> 1], least: sorted[0], most: sorted.at(-1) }];
    }),
  ),
);
