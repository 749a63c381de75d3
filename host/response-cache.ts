import { LRUCache } from 'lru-cache';
import { knowsAnswer } from '../netlify/server/http/respond.ts';
import { compress, compressed, encodingFor, isCompressible, markCompressed } from './compress.ts';
import { readUpTo } from './read-up-to.ts';

/** Maximum bytes of all cached responses. A response larger than a sixteenth of this number is not cached. */
const capacity = 32 * 1024 * 1024;
/**
 * Simultaneous requests with the same key normally wait for one response and share it. For this many milliseconds after
 * an uncacheable response, requests with its key do not wait.
 */
const passedMs = 10_000;

interface Kept {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly tags: readonly string[];
}

export interface ResponseCache {
  /**
   * Returns the cached response to a GET request. If there is none, calls `ask`, and caches the response if its
   * `Netlify-CDN-Cache-Control` allows caching. Simultaneous requests with the same key share a cacheable response.
   * Compresses text once for each encoding.
   * @param key the path with the query parameters that the function declares.
   * @param ask returns the complete response, even if the client already has it.
   */
  answer(key: string, request: Request, ask: () => Promise<Response>): Promise<Response>;
  /**
   * Removes every cached response that has one of the tags (`Netlify-Cache-Tag`). Responses that are being generated at
   * this time are not cached, because they may contain the old text.
   */
  purge(tags: readonly string[]): void;
  /** Number of cached responses. Each compressed form counts as one. */
  readonly size: number;
  /** Size of all cached responses, in bytes. */
  readonly weight: number;
}

/**
 * Caches responses as Netlify's CDN does: a response that allows caching is stored until its maximum age is reached or
 * one of its tags is purged. The database is then queried once for a published text, instead of once for each visitor.
 */
export function responseCache(maxSize = capacity): ResponseCache {
  const mostBytes = maxSize / 16;
  const kept = new LRUCache<string, Kept>({
    maxSize,
    maxEntrySize: mostBytes + 10_000,
    sizeCalculation: ({ body }, key) => body.byteLength + key.length + 1_000,
  });
  /** Responses that are being generated, by key. A promise resolves to null if its response must not be shared. */
  const making = new Map<string, Promise<Kept | null>>();
  const passed = new LRUCache<string, true>({ max: 1_000, ttl: passedMs });
  /** The number of purges so far. A response whose generation began before a purge may be outdated. */
  let purges = 0;

  /** Runs `make` once for simultaneous requests with the same key. */
  const once = async (key: string, make: () => Promise<Kept | null>): Promise<Kept | null> => {
    const begun = making.get(key);
    if (begun) return await begun;
    const work = make().finally(() => {
      if (making.get(key) === work) making.delete(key);
    });
    making.set(key, work);
    return await work;
  };
  const keep = (key: string, entry: Kept, ttl: number, since: number): void => {
    if (since === purges && ttl > 0) kept.set(key, entry, { ttl });
  };

  const compressedForm = async (key: string, encoding: 'br' | 'gzip', plain: Kept): Promise<Kept> => {
    const since = purges;
    const ttl = kept.get(key) === plain ? kept.getRemainingTTL(key) : 0;
    const body = await compress(plain.body, encoding);
    const headers = new Headers(plain.headers);
    markCompressed(headers, encoding, body.byteLength);
    const entry: Kept = { ...plain, headers, body };
    keep(`${encoding} ${key}`, entry, ttl, since);
    return entry;
  };

  const given = async (key: string, plain: Kept, request: Request): Promise<Response> => {
    const etag = plain.headers.get('etag');
    if (etag !== null && knowsAnswer(request, etag)) {
      return new Response(null, { status: 304, headers: new Headers(plain.headers) });
    }
    const encoding = isCompressible(plain) ? encodingFor(request, plain.body.byteLength) : null;
    if (encoding === null) return again(plain);
    const form = `${encoding} ${key}`;
    return again(kept.get(form) ?? (await once(form, () => compressedForm(key, encoding, plain))) ?? plain);
  };

  return {
    async answer(key, request, ask) {
      const askAlone = async () => await compressed(request, await unlessKnown(request, await ask()));
      // The function handles range requests itself, so they are not cached.
      if (request.headers.has('range') || passed.has(key)) return await askAlone();
      const found = kept.get(key);
      if (found) return await given(key, found, request);

      let own: Response | undefined;
      const made = await once(key, async () => {
        const since = purges;
        const response = await ask();
        const maxAge = maxAgeOf(response);
        const body = maxAge === 0 ? null : await readUpTo(response, mostBytes);
        if (!(body instanceof Uint8Array)) {
          if (response.status < 500) passed.set(key, true);
          own = body ? new Response(body, { status: response.status, headers: response.headers }) : response;
          return null;
        }
        const entry: Kept = {
          status: response.status,
          headers: new Headers(response.headers),
          body,
          tags: (response.headers.get('netlify-cache-tag') ?? '').split(',').map((tag) => tag.trim()),
        };
        entry.headers.delete('x-request-id');
        if (isCompressible(entry)) entry.headers.append('vary', 'accept-encoding');
        keep(key, entry, maxAge * 1000, since);
        return entry;
      });
      if (made) return await given(key, made, request);
      return own ? await compressed(request, await unlessKnown(request, own)) : await askAlone();
    },

    purge(tags) {
      purges += 1;
      // A response that is being generated may contain the old text, so later requests must not share it.
      making.clear();
      for (const [key, entry] of kept.entries()) if (entry.tags.some((tag) => tags.includes(tag))) kept.delete(key);
    },

    get size() {
      return kept.size;
    },
    get weight() {
      return kept.calculatedSize;
    },
  };
}

/** Returns 304 instead of an uncached response if the client already has that response. */
async function unlessKnown(request: Request, response: Response): Promise<Response> {
  const etag = response.headers.get('etag');
  if (response.status !== 200 || etag === null || !knowsAnswer(request, etag)) return response;
  await response.body?.cancel();
  return new Response(null, { status: 304, headers: response.headers });
}

function again({ status, headers, body }: Kept): Response {
  // Passes the headers as an array, because srvx sends an array without creating a Headers object.
  return new Response(status === 301 ? null : body, { status, headers: [...headers] });
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
