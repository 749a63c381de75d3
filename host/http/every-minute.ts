import { logError } from '../../netlify/server/runtime/log.ts';

const minuteMs = 60_000;

/**
 * Runs work at the start of every minute. If a run is still in progress at the next minute, that minute is skipped. A
 * failed run is logged, and the next one starts on time.
 * @returns a function that starts no further runs, and waits for the run in progress.
 */
export function everyMinute(name: string, work: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<unknown> | null = null;
  let timer: NodeJS.Timeout;
  const plan = (): void => {
    // At most a minute, so a clock that changes delays no run.
    timer = setTimeout(run, minuteMs - (Date.now() % minuteMs));
  };
  const run = (): void => {
    plan();
    running ??= work()
      .catch((error: unknown) => logError('scheduled function failed', { function: name }, error))
      .finally(() => (running = null));
  };
  plan();
  return async () => {
    clearTimeout(timer);
    await running;
  };
}
