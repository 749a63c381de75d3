/** A time limit is counted in this many steps. */
const steps = 20;

/**
 * Waits for work up to a time limit. Time in which this process was busy or suspended counts as one step of the limit,
 * because the work could not make progress.
 * @throws if the work takes longer.
 */
export async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    let passed = 0;
    timer = setInterval(
      () => {
        passed += 1;
        if (passed === steps) reject(new Error(`not finished within ${(ms / 1_000).toFixed(1)} s`));
      },
      Math.max(0, ms) / steps,
    );
  });
  // Without this handler, an error after the limit would be an unhandled rejection.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearInterval(timer);
  }
}
