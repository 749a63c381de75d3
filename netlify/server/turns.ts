import { Refusal } from './http/refusal.ts';

/**
 * Runs work when its turn comes.
 * @param who the visitor, such as an address. Visitors who wait take turns.
 * @throws {Refusal} `unavailable` if too much work waits already.
 */
export type InTurn = <T>(work: () => Promise<T>, who?: string) => Promise<T>;

interface Turns {
  /** How many pieces of work run at the same time. */
  readonly atOnce: number;
  /** How many more may wait. Each visitor's own work runs in the order in which it came. */
  readonly waiting: number;
  /** How many of them one visitor may have. Default: all. */
  readonly waitingEach?: number;
  /** The refusal's message, for the person whose request it is. */
  readonly busy: string;
}

interface Waiting {
  begin(): void;
  refuse(error: Refusal): void;
}

/** Seconds after which a refused client tries again. */
const retryAfter = 5;

/**
 * Makes a short queue for expensive work, such as passwords, exports and pictures. One kind of request then cannot use up the
 * processor or the memory. If the queue is full, the visitor with the most work in it loses the last piece.
 */
export function turns({ atOnce, waiting, waitingEach = waiting, busy }: Turns): InTurn {
  /** In the order of their next turns. */
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
      // Finished work passes its turn on directly, so `running` does not change and a later call cannot overtake.
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
