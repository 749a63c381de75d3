import { LRUCache } from 'lru-cache';
import { knowsAnswer } from '../netlify/server/http/respond.ts';

/** What all kept answers may weigh together, in bytes; a larger single one than a sixteenth of it is not kept. */
const capacity = 64 * 1024 * 1024;

interface Kept {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly tags: readonly string[];
}

export interface ResponseCache {
  /**
   * The kept answer to a GET, else the one that `ask` gives, which is kept where its `Netlify-CDN-Cache-Control` allows.
   * @param key the address with its query: what Netlify's CDN tells answers apart by.
   */
  answer(key: string, request: Request, ask: () => Promise<Response>): Promise<Response>;
  /** Forgets every answer that carries one of the tags (`Netlify-Cache-Tag`), those still being made included. */
  purge(tags: readonly string[]): void;
}

/**
 * What Netlify's CDN is before the functions, this is on one machine: an answer that says so is given again until one of
 * its tags is purged. So a published text costs the database one question, not one a visitor.
 */
export function responseCache(): ResponseCache {
  const kept = new LRUCache<string, Kept>({
    maxSize: capacity,
    maxEntrySize: capacity / 16,
    sizeCalculation: ({ body }, key) => body.byteLength + key.length + 1_000,
  });
  /** Grows with every purge: an answer that was begun before one may hold what was changed. */
  let purges = 0;

  return {
    async answer(key, request, ask) {
      // A part of a file is the function's to cut.
      if (request.headers.has('range')) return await ask();
      const found = kept.get(key);
      if (found) return again(found, request);
      const before = purges;
      const response = await ask();
      const maxAge = maxAgeOf(response);
      if (maxAge === 0 || before !== purges) return response;
      const entry: Kept = {
        status: response.status,
        headers: new Headers(response.headers),
        body: new Uint8Array(await response.arrayBuffer()),
        tags: (response.headers.get('netlify-cache-tag') ?? '').split(',').map((tag) => tag.trim()),
      };
      entry.headers.delete('x-request-id');
      if (before === purges) kept.set(key, entry, { ttl: maxAge * 1000 });
      return new Response(entry.body, { status: entry.status, headers: response.headers });
    },

    purge(tags) {
      purges += 1;
      for (const [key, entry] of kept.entries()) if (entry.tags.some((tag) => tags.includes(tag))) kept.delete(key);
    },
  };
}

function again({ status, headers, body }: Kept, request: Request): Response {
  const etag = headers.get('etag');
  const unchanged = etag !== null && knowsAnswer(request, etag);
  return unchanged ? new Response(null, { status: 304, headers }) : new Response(body, { status, headers });
}

/** For how many seconds a shared cache may give an answer again; 0 where it may not, or where it is a part or a fault. */
function maxAgeOf(response: Response): number {
  if (![200, 301, 404, 410].includes(response.status) || response.headers.has('set-cookie')) return 0;
  const control = response.headers.get('netlify-cdn-cache-control') ?? '';
  if (/private|no-store|no-cache/.test(control)) return 0;
  return Number(/(?:s-maxage|max-age)=(\d+)/.exec(control)?.[1] ?? 0);
}
