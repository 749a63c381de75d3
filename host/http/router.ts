import type { Context } from '@netlify/functions';
import { securityHeaders } from '../../src/domain/security-headers.ts';
import { Refusal, onlyReads } from '../../netlify/server/runtime/refusal.ts';
import { functionPolicy } from '../../netlify/server/http/respond.ts';
import type { Exchange } from '../requests/listen.ts';
import type { Limit } from '../requests/limits.ts';
import type { FunctionMatch, Functions } from './api.ts';
import type { ResponseCache } from './cache.ts';
import { canonicalPath } from './canonical-path.ts';
import { compressed } from './compress.ts';
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
  /** The limits for requests that do not call a function; undefined if rate limits are off. */
  readonly limits: { readonly files: Limit; readonly images: Limit } | undefined;
}

/** A file, function or other target of a path, with the canonical spelling of the path. */
type Target =
  | { readonly kind: 'pictures' | 'file' | 'nothing'; readonly path: string }
  | (FunctionMatch & { readonly kind: 'function' });

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Responds to a request that the host makes to itself, without rate limits.
 * @returns null if nothing is served at exactly this path.
 */
export async function answerInternally(site: Site, request: Request): Promise<Response | null> {
  const { pathname, searchParams } = new URL(request.url);
  const target = targetOf(site, pathname);
  if (canonicalPath(pathname) !== pathname || target.path !== pathname) return null;
  if (target.kind === 'file') return await site.files.answer(request, pathname);
  if (target.kind !== 'function') return null;
  const exchange = { request, requestId: crypto.randomUUID(), address: '', receiveBody: async () => undefined };
  return await call(site, exchange, target, searchParams);
}

/**
 * Responds to a visitor's request with the picture, file or function at the path, or else with the 404 page, within the
 * rate limits. A path in another spelling is redirected to its canonical spelling, so caches and limits need to handle
 * only one spelling. Every response has the site's security headers.
 * @throws {Refusal} if the request is refused.
 */
export async function route(site: Site, exchange: Exchange): Promise<Response> {
  const { request, address } = exchange;
  const url = request._url ?? new URL(request.url);
  const path = canonicalPath(url.pathname);
  const target: Target = path === null ? { kind: 'nothing', path: '' } : targetOf(site, path);

  const wait =
    target.kind === 'function'
      ? target.fn.limit(request.method, target.path, address)
      : (site.limits?.[target.kind === 'pictures' ? 'images' : 'files'](address) ?? null);
  if (wait !== null) throw tooMany(wait);

  if (target.kind === 'nothing') {
    const moved = site.redirects.get(target.path);
    if (moved === undefined) return await notFound(site, request, target.path);
    return secured(new Response(null, { status: 301, headers: { location: moved + url.search } }));
  }
  if (target.path !== url.pathname) {
    const headers = { location: target.path + url.search, 'cache-control': 'public, max-age=3600' };
    // Status 308 keeps the method and the body.
    return secured(new Response(null, { status: isRead(request.method) ? 301 : 308, headers }));
  }
  if (target.kind === 'function') return await call(site, exchange, target, url.searchParams);
  if (!isRead(request.method)) throw onlyReads();
  if (target.kind === 'pictures') return secured(await site.pictures(request, url, address));
  return (await site.files.answer(request, target.path)) ?? (await notFound(site, request, target.path));
}

/** @param path the path, as `canonicalPath` spells it. */
function targetOf({ functions, files }: Site, path: string): Target {
  const file = files.find(path);
  if (file !== null) return { kind: 'file', path: file };
  if (path.toLowerCase() === picturePath) return { kind: 'pictures', path: picturePath };
  const match = functions.match(path);
  return match ? { kind: 'function', ...match } : { kind: 'nothing', path };
}

/** Responds with the 404 page. Unknown services have a page of their own. netlify.toml has the same redirect. */
async function notFound({ files }: Site, request: Request, path: string): Promise<Response> {
  const page = /^\/services\/[^/]+$/.test(path) ? '/service-not-found' : '/404';
  const plain = { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } };
  return (await files.answer(request, page, 404)) ?? secured(new Response('Not found', plain));
}

async function call(
  site: Site,
  exchange: Exchange,
  { fn, path, queryKeys }: FunctionMatch,
  query: URLSearchParams,
): Promise<Response> {
  const { request, requestId, address } = exchange;
  const { method } = request;
  const reads = isRead(method);
  // Pages and feeds accept only GET and HEAD. Astro would log a warning for other methods.
  if (fn.isGenerated && !reads) throw onlyReads();
  if (!reads) {
    const limit = fn.bodyLimit(request, path);
    if (limit > 0) await exchange.receiveBody(limit);
  }
  const key = path + declaredQuery(query, queryKeys);
  // Renders the whole page for HEAD too, so the response can be cached for GET.
  const asGet = method === 'GET' || (method === 'HEAD' && fn.isGenerated && !request.headers.has('range'));
  const ask = async (): Promise<Response> => {
    const asked = reads ? plainRequest(request, key, asGet) : request;
    // The code of pages may need a native `Request` instead of the `NodeRequest` of the server.
    const given = fn.isGenerated ? ((asked as { _request?: Request })._request ?? asked) : asked;
    const response: unknown = await fn.handler(given, { ...site.context, ip: address, requestId } as Context);
    if (!(response instanceof Response)) throw new TypeError(`The function ${fn.name} returned no Response.`);
    // Adds the security headers before the response is cached, so these headers are cached too.
    return secured(response);
  };
  if (!asGet) return await compressed(request, await ask());
  const response = await site.cache.answer(key, request, ask);
  if (method === 'GET') return response;
  await response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
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
 * Request headers that are removed before a function is called. The function then returns the whole response, which can
 * be cached for all clients.
 */
const conditions = ['if-none-match', 'if-modified-since'] as const;

/**
 * Returns the request to pass to the function: a GET or HEAD request for `target`, the canonical path with the query
 * parameters that the function declares.
 */
function plainRequest(request: Exchange['request'], target: string, asGet: boolean): Request {
  const url = request._url ?? new URL(request.url);
  const isConditional = asGet && conditions.some((name) => request.headers.has(name));
  if (!isConditional && url.pathname + url.search === target && (request.method === 'GET') === asGet) return request;
  const headers = new Headers(request.headers);
  if (asGet && !headers.has('range')) for (const name of conditions) headers.delete(name);
  return new Request(new URL(target, url.href), { method: asGet ? 'GET' : request.method, headers });
}

function tooMany(wait: number): Refusal {
  const seconds = wait === 1 ? '1 second' : `${wait} seconds`;
  return new Refusal('too_many_requests', `Too many requests. Please try again in ${seconds}.`, {
    headers: { 'retry-after': String(wait) },
  });
}

/** Adds the security headers that are missing in a response. */
function secured(response: Response): Response {
  const missing = Object.entries({ ...securityHeaders, 'Content-Security-Policy': functionPolicy }).filter(
    ([name]) => !response.headers.has(name),
  );
  if (missing.length === 0) return response;
  try {
    for (const [name, value] of missing) response.headers.set(name, value);
    return response;
  } catch {
    // The headers of some responses, such as from `Response.redirect`, cannot be changed.
    const headers = new Headers([...response.headers, ...missing]);
    return new Response(response.body, { status: response.status, headers });
  }
}
