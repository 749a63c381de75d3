import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';

/**
 * The longest that one request may delay all others in a test, in milliseconds. Higher than the limit of 100 ms in
 * bench/pressure.ts, because the tests share the machine.
 */
export const longestStall = 250;

/**
 * Garbage collection happens at random times, so the best of several attempts counts. Input that really blocks does so
 * in every attempt.
 */
const tries = 3;

/** Returns the processor time of this thread in milliseconds, which excludes other processes and other tests. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Runs some work, and measures the longest time that the work blocks the event loop. Runs the work again, up to
 * {@link tries} times, while this time is at least {@link longestStall}.
 * @returns the result, and the processor time of the longest block in milliseconds, both from the best attempt.
 */
export async function stallOf<T>(work: () => Promise<T> | T): Promise<{ stall: number; result: T }> {
  let best: { stall: number; result: T } | undefined;
  for (let attempt = 0; attempt < tries && (best?.stall ?? Infinity) >= longestStall; attempt += 1) {
    let stall = 0;
    let running = true;
    let since = used();
    const watch = (): void => {
      const now = used();
      stall = Math.max(stall, now - since);
      since = now;
      if (running) setImmediate(watch);
    };
    setImmediate(watch);
    const result = await work();
    // Waits for two turns of the event loop, so `watch` also measures the last block of the work.
    await turn();
    await turn();
    running = false;
    if (!best || stall < best.stall) best = { stall, result };
  }
  if (!best) throw new Error('no try was made');
  return best;
}

/** Returns the processor time of synchronous work in milliseconds, as the lowest of several runs. */
export function timeOf(work: () => unknown, runs = 5): number {
  let least = Infinity;
  for (let run = 0; run < runs && least > 0.1; run += 1) {
    const from = used();
    work();
    least = Math.min(least, used() - from);
  }
  return least;
}

/**
 * Returns how much longer work takes for an input of eight times the size: about 8 if the time is linear, and 64 if it
 * is quadratic. Runs of less than a millisecond count as one millisecond, because the clock and the compiler affect
 * short runs more than the size does. The lowest of several attempts counts.
 */
export function growthOf<T>(make: (size: number) => T, work: (input: T) => unknown, size: number): number {
  const [small, large] = [make(size), make(8 * size)];
  let least = Infinity;
  for (let attempt = 0; attempt < tries && least >= superLinear; attempt += 1) {
    const short = Math.max(
      1,
      timeOf(() => work(small)),
    );
    least = Math.min(least, timeOf(() => work(large)) / short);
  }
  return least;
}

/** A growth above this factor means more than linear time, with a margin for a busy machine. */
export const superLinear = 30;
