import { securityHeaders } from '../src/domain/security-headers.ts';
import { countRefusal } from '../netlify/server/security/trail.ts';
import { Refusal, onlyReads } from '../netlify/server/runtime/refusal.ts';
import { functionPolicy, refusalResponse } from '../netlify/server/http/respond.ts';
import { canonicalPath } from './canonical-path.ts';
import { compressed } from './compress.ts';
import { FunctionContext, type HostFacts } from './function-context.ts';
import type { FunctionMatch, Functions } from './functions.ts';
import type { Exchange } from './http-server.ts';
import { type ImageHost, imageAddress } from './images.ts';
import { isRead } from './is-read.ts';
import type { Limit } from './limits.ts';
import type { ResponseCache } from './response-cache.ts';
import type { Redirection, Rules } from './rules.ts';
import type { StaticFiles } from './static-files.ts';

export interface Site {
  /** Responds to requests for `/.netlify/images`. */
  readonly images: ImageHost;
  readonly functions: Functions;
  readonly files: StaticFiles;
  readonly rules: Rules;
  readonly facts: HostFacts;
  readonly cache: ResponseCache;
  /** The limits for requests that do not call a function; undefined if rate limits are off. */
  readonly limits: { readonly files: Limit; readonly images: Limit } | undefined;
}

/** A file, function or other target of a path, with the canonical spelling of the path. */
type Resource =
  | { readonly kind: 'images' | 'file' | 'unknown'; readonly path: string }
  | { readonly kind: 'function'; readonly path: string; readonly match: FunctionMatch };

const functionAddress = /^\/\.netlify\/functions\/([^/]+)$/;
/** Responds to a visitor's request, within the rate limits. Every response has the site's security headers. */
export async function route(site: Site, exchange: Exchange): Promise<Response> {
  const { request, requestId } = exchange;
  try {
    return await answer(site, exchange);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return secured(refusalResponse(error, request, requestId));
  }
}

/**
 * Responds to a request that the host makes to itself, without rate limits.
 * @returns null if nothing is served at exactly this path.
 */
export async function answerInternally(site: Site, request: Request): Promise<Response | null> {
  const { pathname, search } = new URL(request.url);
  const resource = resourceAt(site, request.method, pathname);
  if (canonicalPath(pathname) !== pathname || resource.path !== pathname) return null;
  if (resource.kind === 'file') return await site.files.answer(request, pathname);
  if (resource.kind !== 'function') return null;
  const exchange = { request, requestId: crypto.randomUUID(), address: '', receiveBody: async () => undefined };
  return await call(site, exchange, resource.match, pathname, new URLSearchParams(search));
}

/**
 * Responds in Netlify's order: forced redirects, the function that matches the path, a file, redirects, the 404 page. A
 * path in another spelling is redirected to its canonical spelling, so rules and caches need to handle only one
 * spelling.
 */
async function answer(site: Site, exchange: Exchange): Promise<Response> {
  const { request, address } = exchange;
  const url = request._url ?? new URL(request.url);
  const path = canonicalPath(url.pathname);
  const resource = path === null ? null : resourceAt(site, request.method, path);

  if (site.limits) {
    const wait =
      resource?.kind === 'function'
        ? (resource.match.fn.limit?.(request.method, resource.path, address) ?? null)
        : site.limits[resource?.kind === 'images' ? 'images' : 'files'](address);
    if (wait !== null) {
      countRefusal('tooMany', resource?.kind === 'function' ? `function ${resource.match.fn.name}` : 'pages and files');
      throw tooMany(wait);
    }
  }
  if (!resource) return secured(await site.files.notFound(request));

  const forced = site.rules.hasForced ? site.rules.redirectionOf(request, url, resource.path) : null;
  if (forced?.force) return await follow(site, exchange, forced);

  if (resource.kind !== 'unknown' && resource.path !== url.pathname) {
    const headers = { location: resource.path + url.search, 'cache-control': 'public, max-age=3600' };
    // Status 308 keeps the method and the body.
    return secured(new Response(null, { status: isRead(request.method) ? 301 : 308, headers }));
  }
  switch (resource.kind) {
    case 'images':
      return secured(await site.images(request, url, address));
    case 'function':
      return await call(site, exchange, resource.match, resource.path, url.searchParams);
    case 'file':
      return (await site.files.answer(request, resource.path)) ?? secured(await site.files.notFound(request));
    case 'unknown': {
      const redirection = forced ?? site.rules.redirectionOf(request, url, resource.path);
      return redirection ? await follow(site, exchange, redirection) : secured(await site.files.notFound(request));
    }
  }
}

/** @param path the path, as `canonicalPath` spells it. */
function resourceAt({ functions, files }: Site, method: string, path: string): Resource {
  if (path.toLowerCase() === imageAddress) return { kind: 'images', path: imageAddress };
  const file = files.canonical(path);
  const match = functionAt(functions, method, path);
  if (match && !(match.fn.preferStatic && file !== null)) return { kind: 'function', path: match.path, match };
  return file === null ? { kind: 'unknown', path } : { kind: 'file', path: file };
}

function functionAt(functions: Functions, method: string, path: string): FunctionMatch | null {
  const claimed = functions.match(method, path);
  if (claimed) return claimed;
  const name = functionAddress.exec(path)?.[1];
  const fn = name === undefined ? null : functions.named(name);
  return fn && { fn, params: {}, path, queryKeys: [] };
}

async function follow(site: Site, exchange: Exchange, { status, target }: Redirection): Promise<Response> {
  if (status >= 300 && status < 400) return secured(new Response(null, { status, headers: { location: target } }));
  const { request } = exchange;
  const url = new URL(target, request.url);
  const resource = resourceAt(site, request.method, url.pathname);
  if (resource.kind === 'function') {
    return await call(site, exchange, resource.match, resource.path, url.searchParams);
  }
  return secured((await site.files.answer(request, resource.path, status)) ?? (await site.files.notFound(request)));
}

async function call(
  site: Site,
  exchange: Exchange,
  { fn, params, queryKeys }: FunctionMatch,
  path: string,
  query: URLSearchParams,
): Promise<Response> {
  const { request, requestId, address } = exchange;
  const reads = isRead(request.method);
  // Pages and feeds accept only GET and HEAD. Astro would log a warning for other methods.
  if (fn.generated && !reads) throw onlyReads();
  if (!reads) {
    const limit = fn.bodyLimit(request, path);
    if (limit > 0) await exchange.receiveBody(limit);
  }
  const key = path + declaredQuery(query, queryKeys);
  // Renders the whole page for HEAD too, so the response can be cached for GET.
  const asGet =
    request.method === 'GET' || (request.method === 'HEAD' && fn.generated && !request.headers.has('range'));
  const ask = async (): Promise<Response> => {
    const asked = reads ? plainRequest(request, key, asGet) : request;
    const context = new FunctionContext(site.facts, asked, { ip: address, requestId, params: { ...params } });
    const given = fn.generated ? ((asked as { _request?: Request })._request ?? asked) : asked;
    const response: unknown = await fn.handler(given, context);
    if (!(response instanceof Response)) throw new TypeError(`The function ${fn.name} returned no Response.`);
    // Adds the security headers before the response is cached, so these headers are cached too.
    return secured(context.withCookies(response));
  };
  if (!asGet) return await compressed(request, await ask());
  const response = await site.cache.answer(key, request, ask);
  if (request.method === 'GET') return response;
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
  const { headers } = response;
  const missing = Object.entries({ ...securityHeaders, 'Content-Security-Policy': functionPolicy }).filter(
    ([name]) => !headers.has(name),
  );
  if (missing.length === 0) return response;
  try {
    for (const [name, value] of missing) headers.set(name, value);
    return response;
  } catch {
    // The headers of some responses, such as from `Response.redirect`, cannot be changed.
    const all = new Headers(headers);
    for (const [name, value] of missing) all.set(name, value);
    return new Response(response.body, { status: response.status, headers: all });
  }
}
