import { LRUCache } from 'lru-cache';
import { type Answer, answerOf, send, sendOnce } from './answers.ts';

/** Maximum bytes of all cached responses. A response larger than a sixteenth of this number is not cached. */
const capacity = 32 * 1024 * 1024;

interface Cached {
  readonly answer: Answer;
  readonly tags: readonly string[];
}

export interface ResponseCache {
  /**
   * Returns the cached response to a GET request. If there is none, calls `ask`, and caches the response if its
   * `Netlify-CDN-Cache-Control` allows caching.
   * @param key the path with the query parameters that the function declares.
   * @param ask returns the complete response, even if the client already has it.
   */
  answer(key: string, request: Request, ask: () => Promise<Response>): Promise<Response>;
  /**
   * Removes every cached response that has one of the tags (`Netlify-Cache-Tag`). Responses that are being generated at
   * this time are not cached, because they may contain the old text.
   */
  purge(tags: readonly string[]): void;
}

/**
 * Caches responses as Netlify's CDN does: a response that allows caching is stored until its maximum age is reached or
 * one of its tags is purged. The database is then queried once for a published text, instead of once for each visitor.
 */
export function responseCache(maxSize = capacity): ResponseCache {
  const cache = new LRUCache<string, Cached>({
    maxSize,
    maxEntrySize: maxSize / 16,
    sizeCalculation: ({ answer: { forms } }, key) =>
      Object.values(forms).reduce((sum, { bytes }) => sum + bytes.byteLength, key.length + 2_000),
  });
  /** The number of purges so far. A response whose generation began before a purge may be outdated. */
  let purges = 0;

  return {
    async answer(key, request, ask) {
      // The function handles range requests itself, so they are not cached.
      const isCacheable = !request.headers.has('range');
      const found = isCacheable ? cache.get(key) : undefined;
      if (found) return send(found.answer, request);
      const began = purges;
      const response = await ask();
      const ttl = maxAgeOf(response) * 1_000;
      if (!isCacheable || ttl === 0 || Number(response.headers.get('content-length') ?? 0) > maxSize / 16) {
        return await sendOnce(response, request);
      }
      const answer = await answerOf(response, ['br', 'gzip']);
      const tags = (response.headers.get('netlify-cache-tag') ?? '').split(',').map((tag) => tag.trim());
      if (began === purges) cache.set(key, { answer, tags }, { ttl });
      return send(answer, request);
    },

    purge(tags) {
      purges += 1;
      for (const [key, entry] of cache.entries()) if (entry.tags.some((tag) => tags.includes(tag))) cache.delete(key);
    },
  };
}

/**
 * Returns the number of seconds for which a shared cache may reuse a response; 0 for partial and private responses and
 * errors.
 */
function maxAgeOf(response: Response): number {
  if (![200, 301, 410].includes(response.status) || response.headers.has('set-cookie')) return 0;
  const control = response.headers.get('netlify-cdn-cache-control') ?? '';
  if (/private|no-store|no-cache/.test(control)) return 0;
  return Number(/(?:s-maxage|max-age)=(\d+)/.exec(control)?.[1] ?? 0);
}
