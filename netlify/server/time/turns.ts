import { Refusal } from '../refusal.ts';

/**
 * Runs work now, or later from a queue. The queue takes one call of each waiting visitor in rotation.
 * @param who identifies the visitor, for example by IP address.
 * @throws {Refusal} `unavailable` if the queue is full.
 */
export type InTurn = <T>(work: () => Promise<T>, who?: string) => Promise<T>;

interface Turns {
  /** The most calls that run at the same time. */
  readonly atOnce: number;
  /** The most calls that wait in the queue. Each visitor's calls run in the order in which they arrived. */
  readonly waiting: number;
  /** The most waiting calls of one visitor. By default equal to `waiting`. */
  readonly waitingEach?: number;
  /** The message of the refusal, shown to the visitor. */
  readonly busy: string;
}

/** The `Retry-After` header of a refusal, in seconds. */
const retryAfter = 5;

/**
 * Creates a short queue for expensive work, such as password hashes, exports and images, so one kind of request cannot
 * use up the processor or the memory. If the queue is full, the last call of the visitor with the most waiting calls is
 * refused.
 */
export function turns({ atOnce, waiting, waitingEach = waiting, busy }: Turns): InTurn {
  /** The waiting calls of each visitor. The first visitor is the next one. */
  const queue = new Map<string, PromiseWithResolvers<void>[]>();
  let running = 0;
  const refusal = () => new Refusal('unavailable', busy, { headers: { 'retry-after': String(retryAfter) } });

  const waitInQueue = (who: string): Promise<void> => {
    const own = queue.get(who) ?? [];
    const longest = [...queue.values()].reduce((one, other) => (other.length > one.length ? other : one), own);
    const isFull = [...queue.values()].flat().length >= waiting;
    if (own.length >= waitingEach || (isFull && longest.length <= own.length + 1)) throw refusal();
    if (isFull) longest.pop()?.reject(refusal());
    const turn = Promise.withResolvers<void>();
    queue.set(who, [...own, turn]);
    return turn.promise;
  };

  return async (work, who = '') => {
    if (running < atOnce) running += 1;
    else await waitInQueue(who);
    try {
      return await work();
    } finally {
      // A finished call starts the next waiting call directly and leaves `running` unchanged. If it lowered `running`, a
      // call that arrives at that moment could start before the waiting calls.
      const [visitor = '', [next, ...others] = []] = [...queue][0] ?? [];
      queue.delete(visitor);
      // The visitor's other calls wait until each of the other visitors had a turn.
      if (others.length > 0) queue.set(visitor, others);
      if (next) next.resolve();
      else running -= 1;
    }
  };
}
