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
  /** The waiting calls by visitor. The first visitor is served next. */
  const queues = new Map<string, Waiting[]>();
  let running = 0;
  let length = 0;
  const refusal = () => new Refusal('unavailable', busy, { headers: { 'retry-after': String(retryAfter) } });

  const makeRoom = (who: string): void => {
    const own = queues.get(who)?.length ?? 0;
    if (own >= waitingEach) throw refusal();
    if (length < waiting) return;
    const largest = [...queues.values()].reduce<Waiting[]>(
      (most, queue) => (queue.length > most.length ? queue : most),
      [],
    );
    if (largest.length <= own + 1) throw refusal();
    length -= 1;
    largest.pop()?.refuse(refusal());
  };
  const next = (): Waiting | undefined => {
    const [first] = queues;
    if (!first) return undefined;
    const [who, queue] = first;
    const served = queue.shift();
    queues.delete(who);
    if (queue.length > 0) queues.set(who, queue);
    length -= 1;
    return served;
  };

  return async (work, who = '') => {
    if (running < atOnce) {
      running += 1;
    } else {
      makeRoom(who);
      // A finished call starts the next waiting call directly and leaves `running` unchanged. If it lowered `running`,
      // a call that arrives at that moment could start before the waiting calls.
      await new Promise<void>((resolve, reject) => {
        const queue = queues.get(who) ?? [];
        queue.push({ begin: resolve, refuse: reject });
        queues.set(who, queue);
        length += 1;
      });
    }
    try {
      return await work();
    } finally {
      const following = next();
      if (following) following.begin();
      else running -= 1;
    }
  };
}
