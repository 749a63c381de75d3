import type { Context } from '@netlify/functions';
import { Refusal, onlyReads, unknownRoute } from '../../netlify/server/refusal.ts';
import type { Exchange } from '../requests/listen.ts';
import type { Limit } from '../requests/limits.ts';
import { sendOnce } from './answers.ts';
import { type FunctionMatch, type Functions, isRead } from './api.ts';
import type { ResponseCache } from './cache.ts';
import { canonicalPath } from './canonical-path.ts';
import type { Files } from './files.ts';
import { type Pictures, picturePath } from './pictures.ts';

export interface Site {
  readonly pictures: Pictures;
  readonly functions: Functions;
  readonly files: Files;
  /** Paths that have changed, with their new paths. */
  readonly redirects: ReadonlyMap<string, string>;
  readonly cache: ResponseCache;
  /** The properties of a function's context that are the same for every call. */
  readonly context: Pick<Context, 'deploy' | 'waitUntil'>;
  /** The limit for requests that do not call a function. */
  readonly limit: Limit;
}

/**
 * Responds to a request that the host makes to itself, without rate limits.
 * @param path a canonical path, with a query.
 * @returns null if no file and no function is at this path.
 */
export async function answerInternally(site: Site, path: string, method: string): Promise<Response | null> {
  const url = new URL(path, 'http://host.invalid');
  const request = new Request(url, { method });
  const { pathname } = url;
  if (site.files.find(pathname) === pathname) return await site.files.answer(request, pathname);
  const match = site.functions.match(pathname);
  if (match?.path !== pathname) return null;
  const exchange = { request, requestId: crypto.randomUUID(), address: '', receiveBody: async () => undefined };
  return await call(site, exchange, match, url);
}

/**
 * Responds to a visitor's request with the picture, file or function at the path, or else with the 404 page, within the
 * rate limits. A path in another spelling is redirected to its canonical spelling, so caches and limits need to handle
 * only one spelling.
 * @throws {Refusal} if the request is refused.
 */
export async function route(site: Site, exchange: Exchange): Promise<Response> {
  const { request, address } = exchange;
  const url = request._url ?? new URL(request.url);
  const path = canonicalPath(url.pathname) ?? '';
  const file = site.files.find(path);
  const match = file === null ? site.functions.match(path) : null;
  const isPicture = path.toLowerCase() === picturePath;

  const wait = match ? match.fn.limit(request.method, address) : site.limit(address);
  if (wait !== null) throw tooMany(wait);

  const target = file ?? match?.path ?? (isPicture ? picturePath : null);
  if (target === null) {
    const moved = site.redirects.get(path);
    return moved === undefined ? await nothingAt(site, request, path) : redirect(301, moved + url.search);
  }
  if (target !== url.pathname) {
    // Status 308 keeps the method and the body.
    return redirect(isRead(request.method) ? 301 : 308, target + url.search, 'public, max-age=3600');
  }
  if (match) return await call(site, exchange, match, url);
  if (!isRead(request.method)) throw onlyReads();
  if (isPicture) return await site.pictures(request, url, address);
  return (await site.files.answer(request, target)) ?? (await nothingAt(site, request, target));
}

function redirect(status: 301 | 308, location: string, cacheControl?: string): Response {
  const headers = { location, ...(cacheControl !== undefined && { 'cache-control': cacheControl }) };
  return new Response(null, { status, headers });
}

/**
 * Responds with the 404 page. Unknown services have a page of their own, and unknown paths of the API get a JSON error,
 * like every API error. netlify.toml has the same redirects.
 */
async function nothingAt({ files }: Site, request: Request, path: string): Promise<Response> {
  if (/^\/api(?:\/|$)/i.test(path)) throw unknownRoute();
  const page = /^\/services\/[^/]+$/.test(path) ? '/service-not-found' : '/404';
  const plain = { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } };
  return (await files.answer(request, page, 404)) ?? new Response('Not found', plain);
}

async function call(site: Site, exchange: Exchange, match: FunctionMatch, url: URL): Promise<Response> {
  const { request, requestId, address } = exchange;
  const { fn, path } = match;
  const reads = isRead(request.method);
  if (fn.rendersPages && !reads) throw onlyReads();
  if (!reads) {
    const limit = fn.bodyLimit(request, path);
    if (limit > 0) await exchange.receiveBody(limit);
  }
  const key = path + declaredQuery(url.searchParams, match.queryKeys);
  // Renders the whole page for HEAD too, so the response can be cached for GET.
  const asGet = request.method === 'GET' || (fn.rendersPages && !request.headers.has('range'));
  const ask = async (): Promise<Response> => {
    const asked = reads ? plainRequest(request, new URL(key, url.origin), asGet) : request;
    // The code of pages may need a native `Request` instead of the `NodeRequest` of the server.
    const given = fn.rendersPages ? ((asked as { _request?: Request })._request ?? asked) : asked;
    const response: unknown = await fn.handler(given, { ...site.context, ip: address, requestId } as Context);
    if (!(response instanceof Response)) throw new TypeError(`The function ${fn.name} returned no Response.`);
    return response;
  };
  return asGet ? await site.cache.answer(key, request, ask, fn.rendersPages) : await sendOnce(await ask(), request);
}

/**
 * Returns the query parameters named in `keys`, without duplicates and in the order of `keys`, so a visitor cannot
 * create further cache entries with other parameters or another order.
 */
function declaredQuery(query: URLSearchParams, keys: readonly string[]): string {
  const declared = new URLSearchParams();
  for (const key of keys) {
    const value = query.getAll(key).at(-1);
    if (value !== undefined) declared.set(key, value);
  }
  return declared.size === 0 ? '' : `?${declared.toString()}`;
}

/**
 * Returns the GET or HEAD request to pass to the function. Removes conditions, so the function returns the whole
 * response, which can be cached for all clients.
 */
function plainRequest(request: Exchange['request'], url: URL, asGet: boolean): Request {
  const conditions = asGet && !request.headers.has('range') ? ['if-none-match', 'if-modified-since'] : [];
  const isPlain = request.url === url.href && (request.method === 'GET') === asGet;
  if (isPlain && !conditions.some((name) => request.headers.has(name))) return request;
  const headers = new Headers(request.headers);
  for (const name of conditions) headers.delete(name);
  return new Request(url, { method: asGet ? 'GET' : request.method, headers });
}

function tooMany(wait: number): Refusal {
  const seconds = wait === 1 ? '1 second' : `${wait} seconds`;
  return new Refusal('too_many_requests', `Too many requests. Please try again in ${seconds}.`, {
    headers: { 'retry-after': String(wait) },
  });
}
