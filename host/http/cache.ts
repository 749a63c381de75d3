import { LRUCache } from 'lru-cache';
import { knowsAnswer } from '../../netlify/server/http/respond.ts';
import { acceptedEncodings, compress, compressed, isCompressible } from './compress.ts';

/** Maximum bytes of all cached responses. A response larger than a sixteenth of this number is not cached. */
const capacity = 32 * 1024 * 1024;

interface Form {
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

interface Cached extends Form {
  readonly status: number;
  readonly tags: readonly string[];
  /** The form that most clients accept. Null if the response is not text, or is short. */
  readonly brotli: Form | null;
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
    sizeCalculation: ({ body, brotli }, key) => body.byteLength + (brotli?.body.byteLength ?? 0) + key.length + 2_000,
  });
  /** The number of purges so far. A response whose generation began before a purge may be outdated. */
  let purges = 0;

  return {
    async answer(key, request, ask) {
      // The function handles range requests itself, so they are not cached.
      const isCacheable = !request.headers.has('range');
      const found = isCacheable ? cache.get(key) : undefined;
      if (found) return await sendCached(found, request);
      const began = purges;
      const response = await ask();
      const ttl = maxAgeOf(response) * 1_000;
      if (!isCacheable || ttl === 0 || Number(response.headers.get('content-length') ?? 0) > maxSize / 16) {
        return await compressed(request, await unlessKnown(request, response));
      }
      const cached = await cachedForm(response);
      if (began === purges) cache.set(key, cached, { ttl });
      return await sendCached(cached, request);
    },

    purge(tags) {
      purges += 1;
      for (const [key, entry] of cache.entries()) if (entry.tags.some((tag) => tags.includes(tag))) cache.delete(key);
    },
  };
}

async function cachedForm(response: Response): Promise<Cached> {
  const headers = new Headers(response.headers);
  const body = new Uint8Array(await response.arrayBuffer());
  const tags = (headers.get('netlify-cache-tag') ?? '').split(',').map((tag) => tag.trim());
  headers.delete('x-request-id');
  const isText = isCompressible(response);
  if (isText) headers.append('vary', 'accept-encoding');
  const brotli = isText ? await compress(body, 'br', headers) : null;
  return { status: response.status, headers, body, tags, brotli };
}

async function sendCached({ status, headers, body, brotli }: Cached, request: Request): Promise<Response> {
  const etag = headers.get('etag');
  if (etag !== null && knowsAnswer(request, etag)) return new Response(null, { status: 304, headers });
  const [encoding] = brotli ? acceptedEncodings(request) : [];
  // Only feed readers and some tools accept gzip without Brotli, so this form is not cached.
  const form = encoding === 'gzip' ? await compress(body, 'gzip', headers) : encoding === 'br' ? brotli : null;
  const sent = form ?? { body, headers };
  // Passes the headers as an array, because srvx sends an array without creating a Headers object.
  return new Response(status === 301 ? null : sent.body, { status, headers: [...sent.headers] });
}

/** Returns 304 instead of an uncached response if the client already has that response. */
async function unlessKnown(request: Request, response: Response): Promise<Response> {
  const etag = response.headers.get('etag');
  if (response.status !== 200 || etag === null || !knowsAnswer(request, etag)) return response;
  await response.body?.cancel();
  return new Response(null, { status: 304, headers: response.headers });
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
