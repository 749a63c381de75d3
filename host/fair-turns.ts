import process from 'node:process';

/** How long one round of the event loop starts new work, in milliseconds. */
const roundMs = 5;
/** While several visitors wait, each has so many requests in work. */
const mostAtOnce = 2;
/** A request that waits for something slow, such as a mail server, makes room for the next one after this time. */
const longestHoldMs = 50;
/** What a request costs besides its measured time: reading it, and sending its answer. In milliseconds. */
const basicCostMs = 1;
/** After this time, half of what a visitor used is forgotten. */
const halfLifeMs = 10_000;
/** Visitors that are remembered without a request in work or waiting. */
const mostRemembered = 1_000;

interface Visitor {
  readonly waiting: (() => void)[];
  running: number;
  /** Recent use of the processor in milliseconds, as of {@link usedAt}. */
  used: number;
  usedAt: number;
}

/** Does the work of one request of a visitor when its turn comes. */
export type InFairTurn = <T>(visitor: string, work: () => Promise<T>) => Promise<T>;

/**
 * Lets visitors take turns, the one who used least of late first. Hundreds of requests can arrive in one round of the event
 * loop, and most of them may belong to a few addresses: without turns, everyone waits until all of them are answered.
 * Work starts immediately while no one else waits.
 */
export function fairTurns(): InFairTurn {
  const visitors = new Map<string, Visitor>();
  const queue = new Set<Visitor>();
  let current: Visitor | null = null;
  let startedAt = 0;
  let spentMs = 0;
  let isRoundPlanned = false;

  const visitorOf = (name: string): Visitor => {
    let visitor = visitors.get(name);
    if (visitor) return visitor;
    visitor = { waiting: [], running: 0, used: 0, usedAt: performance.now() };
    visitors.set(name, visitor);
    if (visitors.size > mostRemembered) {
      // The map is in the order of arrival, so this forgets those who came first.
      for (const [old, { running, waiting }] of visitors) {
        if (running > 0 || waiting.length > 0) continue;
        visitors.delete(old);
        break;
      }
    }
    return visitor;
  };

  const usedBy = (visitor: Visitor, now: number): number => visitor.used * 2 ** ((visitor.usedAt - now) / halfLifeMs);

  const planRound = (): void => {
    if (isRoundPlanned) return;
    isRoundPlanned = true;
    setImmediate(() => {
      isRoundPlanned = false;
      spentMs = 0;
      startNext();
    });
  };

  /** Measures the work of a request until it waits for something: all microtasks run before the next tick. */
  const measure = (visitor: Visitor): void => {
    current = visitor;
    startedAt = performance.now();
    visitor.running += 1;
    planRound();
    queueMicrotask(() => process.nextTick(measured));
  };
  const measured = (): void => {
    const now = performance.now();
    if (current) {
      current.used = usedBy(current, now) + now - startedAt + basicCostMs;
      current.usedAt = now;
    }
    current = null;
    spentMs += now - startedAt;
    startNext();
  };

  const nextInQueue = (): Visitor | null => {
    const now = performance.now();
    let next: Visitor | null = null;
    for (const visitor of queue) {
      if (queue.size > 1 && visitor.running >= mostAtOnce) continue;
      if (!next || usedBy(visitor, now) < usedBy(next, now)) next = visitor;
    }
    return next;
  };
  const startNext = (): void => {
    if (current || queue.size === 0) return;
    if (spentMs >= roundMs) return planRound();
    const visitor = nextInQueue();
    if (!visitor) return;
    const start = visitor.waiting.shift();
    if (visitor.waiting.length === 0) queue.delete(visitor);
    measure(visitor);
    start?.();
  };

  return async (name, work) => {
    const visitor = visitorOf(name);
    if (current || queue.size > 0 || spentMs >= roundMs) {
      await new Promise<void>((start) => {
        visitor.waiting.push(start);
        queue.add(visitor);
        planRound();
      });
    } else {
      measure(visitor);
    }
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      visitor.running -= 1;
      startNext();
    };
    const timer = setTimeout(release, longestHoldMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  };
}
