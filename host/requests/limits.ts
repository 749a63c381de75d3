import type { Config } from '@netlify/functions';
import { LRUCache } from 'lru-cache';
import { networkOf, wideNetworkOf } from '../../netlify/server/http/network.ts';

type RateLimit = Pick<NonNullable<Config['rateLimit']>, 'windowLimit' | 'windowSize'>;

/**
 * Counts one request from an IP address.
 * @returns the seconds until the next request is allowed, or null if this request is allowed.
 */
export type Limit = (address: string) => number | null;

/**
 * Default limits, in requests per minute from one network: an IPv4 address or an IPv6 /64 ({@link networkOf}). They are
 * high because a page loads a dozen files, and an office of a hundred people may share one IP address.
 */
export const classLimits = {
  /** Static files, pictures, redirects and the 404 page. */
  files: { windowLimit: 6_000, windowSize: 60 },
  /** The API, and the pages and feeds that are rendered on request. */
  reads: { windowLimit: 600, windowSize: 60 },
  writes: { windowLimit: 120, windowSize: 60 },
} as const satisfies Record<string, RateLimit>;

/**
 * Maximum number of counters, which take about 5 MB. Beyond this number, the least recently used counters are deleted.
 */
const mostCounters = 20_000;
/**
 * The limit of an IPv6 /48 network, as a multiple of the limit of one /64. The owner of a /48 can send from 65,536 /64
 * networks.
 */
const wideFactor = 16;

export type RateLimiter = ReturnType<typeof rateLimiter>;

/** Creates rate limits with a maximum number of counters in memory. */
export function rateLimiter() {
  const windows = new LRUCache<string, { count: number; readonly endsAt: number }>({ max: mostCounters });
  const count = (key: string, limit: number, windowMs: number, now: number): number | null => {
    let window = windows.get(key);
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + windowMs };
      windows.set(key, window);
    }
    window.count += 1;
    return window.count > limit ? Math.max(1, Math.ceil((window.endsAt - now) / 1000)) : null;
  };
  /**
   * Creates the limit of one class of requests, whose requests share its counters: `windowLimit` requests in `windowSize`
   * seconds from one network, and {@link wideFactor} times as many from one IPv6 /48.
   */
  return (name: string, { windowLimit, windowSize = 60 }: RateLimit): Limit => {
    const windowMs = windowSize * 1000;
    return (address) => {
      // A monotonic clock, because the time of day may jump during a window.
      const now = performance.now();
      const own = count(`${name} ${networkOf(address)}`, windowLimit, windowMs, now);
      const wide = wideNetworkOf(address);
      return own ?? (wide === null ? null : count(`${name} ${wide}`, windowLimit * wideFactor, windowMs, now));
    };
  };
}
