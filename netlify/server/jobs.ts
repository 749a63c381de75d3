import { logError } from './log.ts';
import type { Services } from './services.ts';

export type Job = () => Promise<unknown>;

/** Jobs that have not ended: each runs once at a time in a process. */
const unfinished = new WeakMap<Services, Map<string, Promise<unknown>>>();

/**
 * Runs jobs together and waits for each of them for a limited time, so one that hangs holds up no other. A job that is left
 * goes on, and until it ends another run waits for it instead of starting it again.
 * @returns which of them succeeded in time.
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

/** @throws when the work has not ended in time. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished within ${(ms / 1_000).toFixed(1)} s`)), ms);
  });
  // An error that comes after the time is over has no one to catch it.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
