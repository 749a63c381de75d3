import { LRUCache } from 'lru-cache';
import { type Answer, answerOf, send, sendOnce } from './answers.ts';

/** Maximum bytes of all cached responses. A response larger than a sixteenth of this number is not cached. */
const capacity = 32 * 1024 * 1024;

export type ResponseCache = ReturnType<typeof responseCache>;

/**
 * Caches responses as Netlify's CDN does: a response that allows caching is stored until its maximum age is reached or
 * one of its tags is purged. The database is then queried once for a published text, instead of once for each visitor.
 */
export function responseCache(maxSize = capacity) {
  const cache = new LRUCache<string, { readonly answer: Answer; readonly tags: readonly string[] }>({
    maxSize,
    maxEntrySize: maxSize / 16,
    sizeCalculation: ({ answer: { forms } }, key) =>
      Object.values(forms).reduce((sum, { bytes }) => sum + bytes.byteLength, key.length + 2_000),
  });
  /** The number of purges so far. A response whose generation began before a purge may be outdated. */
  let purges = 0;
  /** The pages that are being rendered. */
  const running = new Map<string, Promise<Answer | Response>>();

  /** @returns an answer for every client, or a response for only the client that asked. */
  const generate = async (key: string, ask: () => Promise<Response>, isPage: boolean): Promise<Answer | Response> => {
    const began = purges;
    const response = await ask();
    const ttl = maxAgeOf(response) * 1_000;
    const isLarge = Number(response.headers.get('content-length') ?? 0) > maxSize / 16;
    if (isLarge || (ttl === 0 && (!isPage || isPrivate(response)))) return response;
    const answer = await answerOf(response);
    const tags = (response.headers.get('netlify-cache-tag') ?? '').split(',').map((tag) => tag.trim());
    if (ttl > 0 && began === purges) cache.set(key, { answer, tags }, { ttl });
    return answer;
  };

  return {
    /**
     * Returns the cached response to a GET request. If there is none, calls `ask`, and caches the response if its
     * `Netlify-CDN-Cache-Control` allows caching.
     * @param key the path with the query parameters that the function declares.
     * @param ask returns the complete response, even if the client already has it.
     * @param isPage true if requests at the same time share one response, unless the response is private. A crowd that
     * requests a page that is not cached yet then causes one rendering.
     */
    async answer(key: string, request: Request, ask: () => Promise<Response>, isPage = false): Promise<Response> {
      // The function handles range requests itself, so they are not cached.
      if (request.headers.has('range')) return await sendOnce(await ask(), request);
      const rendering = running.get(key);
      const found = cache.get(key)?.answer ?? (rendering && (await rendering));
      if (found && !(found instanceof Response)) return send(found, request);
      const made = generate(key, ask, isPage);
      if (isPage && !found) {
        running.set(key, made);
        const done = () => running.get(key) === made && running.delete(key);
        made.then(done, done);
      }
      const answer = await made;
      return answer instanceof Response ? await sendOnce(answer, request) : send(answer, request);
    },

    /**
     * Removes every cached response that has one of the tags (`Netlify-Cache-Tag`). Responses that are being generated at
     * this time are not cached, because they may contain the old text.
     */
    purge(tags: readonly string[]): void {
      purges += 1;
      running.clear();
      for (const [key, entry] of cache.entries()) if (entry.tags.some((tag) => tags.includes(tag))) cache.delete(key);
    },
  };
}

function isPrivate({ headers }: Response): boolean {
  return headers.has('set-cookie') || /private/.test(headers.get('cache-control') ?? '');
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
