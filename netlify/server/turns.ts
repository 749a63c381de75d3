import { Refusal } from './http/refusal.ts';

/** Runs work when its turn comes. @throws {Refusal} `unavailable` where too much work waits already. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

interface Turns {
  /** How many pieces of work run at the same time. */
  readonly atOnce: number;
  /** How many more wait for their turn, first come, first served; one more than that is refused. */
  readonly waiting: number;
  /** The refusal's message, for the person whose request it is. */
  readonly busy: string;
}

/** Seconds after which a refused client tries again. */
const retryAfter = 5;

/**
 * Makes a short queue for expensive work, such as passwords, exports and pictures. It keeps one kind of request from
 * taking the processor or the memory of all others.
 */
export function turns({ atOnce, waiting, busy }: Turns): InTurn {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) {
      running += 1;
    } else {
      if (queue.length >= waiting) {
        throw new Refusal('unavailable', busy, { headers: { 'retry-after': String(retryAfter) } });
      }
      // Whoever finishes hands over its turn, so `running` stays as it is and no later call can slip in.
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
