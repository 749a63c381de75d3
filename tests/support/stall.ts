import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds for which a request may hold up all others in a test: `bench/` measures the promise of 50 on an idle machine. */
export const longestStall = 250;

/** Collections of garbage fall where they like, so the best of a few tries counts; input that really blocks always does. */
const tries = 3;

/** Milliseconds of processor time that this thread has used: other processes, and other tests, do not count. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Runs some work and measures how long it keeps the event loop without a pause, in processor time.
 * @returns the longest stretch of the best try, in milliseconds, and what the work of that try gave.
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
    // The stretch in which the work ended is measured, too.
    await turn();
    await turn();
    running = false;
    if (!best || stall < best.stall) best = { stall, result };
  }
  if (!best) throw new Error('no try was made');
  return best;
}

/** The processor time that synchronous work takes, in milliseconds: the least of a few runs. */
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
 * How much longer work takes for input that is eight times as large: about 8 where it is linear, 64 where it is quadratic.
 * Short runs count as one millisecond, since clocks and compilers make more difference there than the size. The
 * least of a few tries counts.
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

/** Growth that only work of more than linear time reaches, with room for a busy machine. */
export const superLinear = 30;
