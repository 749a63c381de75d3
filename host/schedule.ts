import { Cron } from 'croner';
import { logError } from '../netlify/server/log.ts';
import type { MountedFunction } from './functions.ts';

export interface Schedules {
  /** Starts no more runs, and waits for those that are under way. */
  stop(): Promise<void>;
}

/**
 * Runs functions by the clock, in UTC as Netlify does. A run that takes longer than its interval makes the next one be
 * left out. A failed run is logged, and the next one comes as usual.
 * @param run calls a function with the time of its next run.
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
