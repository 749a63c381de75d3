import { Refusal } from './refusal.ts';

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

interface Waiting {
  readonly who: string;
  /** The round in which the call runs. A round has one call of each visitor. */
  readonly round: number;
  begin(): void;
  refuse(error: Refusal): void;
}

/** The `Retry-After` header of a refusal, in seconds. */
const retryAfter = 5;

/**
 * Creates a short queue for expensive work, such as password hashes, exports and images, so one kind of request cannot
 * use up the processor or the memory. If the queue is full, the last call of the visitor with the most waiting calls is
 * refused.
 */
export function turns({ atOnce, waiting, waitingEach = waiting, busy }: Turns): InTurn {
  /** Sorted by round, and by arrival within a round. */
  const queue: Waiting[] = [];
  let running = 0;
  let round = 0;
  const refusal = () => new Refusal('unavailable', busy, { headers: { 'retry-after': String(retryAfter) } });

  const waitInQueue = (who: string): Promise<void> => {
    const own = queue.filter((call) => call.who === who);
    const mine = (own.at(-1)?.round ?? round) + 1;
    const isFull = queue.length >= waiting;
    if (own.length >= waitingEach || (isFull && (queue.at(-1)?.round ?? 0) <= mine)) throw refusal();
    if (isFull) queue.pop()?.refuse(refusal());
    return new Promise((begin, refuse) => {
      const position = queue.findLastIndex((call) => call.round <= mine) + 1;
      queue.splice(position, 0, { who, round: mine, begin, refuse });
    });
  };

  return async (work, who = '') => {
    if (running < atOnce) running += 1;
    else await waitInQueue(who);
    try {
      return await work();
    } finally {
      // A finished call starts the next waiting call directly and leaves `running` unchanged. If it lowered `running`, a
      // call that arrives at that moment could start before the waiting calls.
      const next = queue.shift();
      if (next) {
        round = next.round;
        next.begin();
      } else running -= 1;
    }
  };
}
