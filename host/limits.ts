import type { Config } from '@netlify/functions';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../netlify/server/http/network.ts';

/** Counts one request of an address. @returns seconds until the next one is allowed, or null where this one is. */
export type Limit = (address: string) => Promise<number | null>;

/**
 * The limit that a function's `config.rateLimit` states, as Netlify applies it: `windowLimit` requests of one address in
 * `windowSize` seconds. Counts live in memory and are forgotten when their window ends.
 */
export function limitOf(rateLimit: NonNullable<Config['rateLimit']>): Limit {
  const limiter = new RateLimiterMemory({ points: rateLimit.windowLimit, duration: rateLimit.windowSize });
  return async (address) => {
    try {
      await limiter.consume(networkOf(address));
      return null;
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      throw refused;
    }
  };
}
