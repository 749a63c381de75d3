import { logError } from './log.ts';
import { within } from './within.ts';
import type { Services } from './services.ts';

export type Job = () => Promise<unknown>;

/** Jobs that are still running. A process runs only one instance of each job at a time. */
const unfinished = new WeakMap<Services, Map<string, Promise<unknown>>>();

/**
 * Runs jobs in parallel, each with a time limit, so a job that hangs does not delay the others. A job that exceeds the
 * limit continues, and the next run waits for that job instead of starting it again.
 * @returns the name of each job, and whether it succeeded in time.
 */
export async function runJobs(
  jobs: Readonly<Record<string, Job>>,
  services: Services,
  withinMs: number,
): Promise<{ name: string; succeeded: boolean }[]> {
  const running = unfinished.get(services) ?? new Map<string, Promise<unknown>>();
  unfinished.set(services, running);
  return await Promise.all(
    Object.entries(jobs).map(async ([name, job]) => {
      const work = running.get(name) ?? (async () => await job())().finally(() => running.delete(name));
      running.set(name, work);
      const succeeded = await within(work, withinMs).then(
        () => true,
        (error: unknown) => {
          logError(`could not ${name}`, {}, error);
          return false;
        },
      );
      return { name, succeeded };
    }),
  );
}
