import process from 'node:process';

/** Milliseconds for which one iteration of the event loop starts new requests. */
const roundMs = 5;
/** Maximum number of one visitor's running requests while several visitors wait. */
const mostAtOnce = 2;
/**
 * A request stops counting toward `mostAtOnce` after this many milliseconds, because it may wait for a slow service,
 * such as a mail server.
 */
const longestHoldMs = 50;
/**
 * Milliseconds that are added to the measured processor time of each request, for reading the request and sending the
 * response.
 */
const basicCostMs = 1;
/** A visitor's recorded processor time is halved after each period of this many milliseconds. */
const halfLifeMs = 10_000;
/** Maximum number of remembered visitors. Beyond this number, the oldest visitor without requests is forgotten. */
const mostRemembered = 1_000;

interface Visitor {
  readonly waiting: (() => void)[];
  running: number;
  /** Recent use of the processor in milliseconds, as of {@link usedAt}. */
  used: number;
  usedAt: number;
}

/** Runs the work of one request when it is the visitor's turn. */
export type InFairTurn = <T>(visitor: string, work: () => Promise<T>) => Promise<T>;

/**
 * Alternates between visitors, beginning with the visitor who recently used the least processor time. Hundreds of
 * requests can arrive in one iteration of the event loop, and most may come from a few IP addresses. Without turns,
 * every visitor would wait until all requests are answered. Work starts immediately while no other visitor waits.
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
      // The map is in order of arrival, so the first visitor without requests is the oldest one.
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

  /**
   * Measures the processor time of a request from its start until the request first waits, for example for the
   * database. The callback of `nextTick` runs after all microtasks, so the request waits or has finished by then.
   */
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
