import { Cron } from 'croner';
import { logError } from '../netlify/server/runtime/log.ts';
import type { MountedFunction } from './functions.ts';

export interface Schedules {
  /** Starts no further runs, and waits for runs in progress. */
  stop(): Promise<void>;
}

/**
 * Runs functions on their schedules, in UTC as on Netlify. If a run is still in progress at the time of the next run,
 * that next run is skipped. A failed run is logged, and the schedule continues.
 * @param run calls a function. `nextRun` is the time of the run after this one.
 */
export function startSchedules(
  functions: readonly MountedFunction[],
  run: (fn: MountedFunction, nextRun: Date) => Promise<void>,
): Schedules {
  const running = new Set<Promise<void>>();
  const jobs = functions.map((fn) => {
    const attempt = async (nextRun: Date): Promise<void> => {
      try {
        await run(fn, nextRun);
      } catch (error) {
        logError('scheduled function failed', { function: fn.name }, error);
      }
    };
    return new Cron(fn.schedule ?? '', { timezone: 'UTC', protect: true }, async (job: Cron) => {
      const work = attempt(job.nextRun() ?? new Date());
      running.add(work);
      await work;
      running.delete(work);
    });
  });
  return {
    async stop() {
      for (const job of jobs) job.stop();
      await Promise.all(running);
    },
  };
}
