import type { Config } from '@netlify/functions';
import { LRUCache } from 'lru-cache';
import { networkOf, wideNetworkOf } from '../netlify/server/http/network.ts';

type RateLimit = Pick<NonNullable<Config['rateLimit']>, 'windowLimit' | 'windowSize'>;

/** Counts one request of an address. @returns seconds until the next one is allowed, or null where this one is. */
export type Limit = (address: string) => number | null;

/**
 * Limits of what states none: requests of one address in a minute. A page brings a dozen files, and an office of a hundred
 * people has one address.
 */
export const classLimits = {
  /** Files of the build, redirects and the page for unknown addresses. */
  files: { windowLimit: 6_000, windowSize: 60 },
  /** Pages that are rendered on request. */
  pages: { windowLimit: 600, windowSize: 60 },
  /** Feeds and sitemaps: readers ask a few times an hour. */
  feeds: { windowLimit: 120, windowSize: 60 },
  /** Pictures in other sizes. */
  images: { windowLimit: 1_200, windowSize: 60 },
  reads: { windowLimit: 600, windowSize: 60 },
  writes: { windowLimit: 120, windowSize: 60 },
} as const satisfies Record<string, RateLimit>;

/** Counters that are kept, about 5 MB; beyond that the ones that were used longest ago are forgotten. */
const mostCounters = 20_000;
/** How much more than one address a whole IPv6 /48 may ask: its owner could ask from 65,536 addresses. */
const wideFactor = 16;

interface Window {
  count: number;
  readonly endsAt: number;
}

export interface RateLimiter {
  /**
   * The limit of one class of requests: `windowLimit` requests of one address in `windowSize` seconds, as Netlify applies
   * it, and {@link wideFactor} times as many of an IPv6 /48.
   * @param name of the class, whose requests are counted together.
   */
  limit(name: string, rateLimit: RateLimit): Limit;
  /** How many counters are kept now. */
  readonly counters: number;
}

/** Rate limits with a bounded number of counters in memory. Each is forgotten when its window ends. */
export function rateLimiter(most = mostCounters): RateLimiter {
  const windows = new LRUCache<string, Window>({ max: most });
  const count = (key: string, limit: number, windowMs: number, now: number): number | null => {
    let window = windows.get(key);
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + windowMs };
      windows.set(key, window);
    }
    window.count += 1;
    return window.count > limit ? Math.max(1, Math.ceil((window.endsAt - now) / 1000)) : null;
  };
  return {
    limit: (name, { windowLimit, windowSize = 60 }) => {
      const windowMs = windowSize * 1000;
      return (address) => {
        // Not the time of day, which may be set while a window lasts.
        const now = performance.now();
        const own = count(`${name} ${networkOf(address)}`, windowLimit, windowMs, now);
        const wide = wideNetworkOf(address);
        return own ?? (wide === null ? null : count(`${name} ${wide}`, windowLimit * wideFactor, windowMs, now));
      };
    },
    get counters() {
      return windows.size;
    },
  };
}
