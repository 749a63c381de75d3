import { countRefusal } from '../netlify/server/trail.ts';
import { Refusal } from '../netlify/server/http/refusal.ts';
import { refusalResponse } from '../netlify/server/http/respond.ts';
import { compressed } from './compress.ts';
import { FunctionContext, type HostFacts } from './function-context.ts';
import type { FunctionMatch, Functions } from './functions.ts';
import type { Exchange } from './http-server.ts';
import { type ImageHost, imageAddress } from './images.ts';
import type { ResponseCache } from './response-cache.ts';
import type { Redirection, Rules } from './rules.ts';
import type { StaticFiles } from './static-files.ts';

export interface Site {
  /** Answers `/.netlify/images`. */
  readonly images: ImageHost;
  readonly functions: Functions;
  readonly files: StaticFiles;
  readonly rules: Rules;
  readonly facts: HostFacts;
  readonly cache: ResponseCache;
}

const functionAddress = /^\/\.netlify\/functions\/([^/]+)\/?$/;

/**
 * Answers a request in Netlify's order: forced redirects, the function that claims the address, a file, redirects, the
 * 404 page.
 */
export async function route(site: Site, exchange: Exchange): Promise<Response> {
  const { request } = exchange;
  const url = request._url ?? new URL(request.url);
  const { pathname } = url;

  const forced = site.rules.hasForced ? site.rules.redirectionOf(request, url) : null;
  if (forced?.force) return await follow(site, exchange, forced, pathname);

  if (pathname === imageAddress) return await site.images(request, url);

  const match = functionAt(site.functions, request.method, pathname);
  if (match && !(match.fn.preferStatic && site.files.has(pathname))) return await call(site, exchange, match, url);

  const file = await site.files.answer(request, url);
  if (file) return file;

  const redirection = forced ?? site.rules.redirectionOf(request, url);
  if (redirection) return await follow(site, exchange, redirection, pathname);
  return await site.files.notFound(request, pathname);
}

function functionAt(functions: Functions, method: string, pathname: string): FunctionMatch | null {
  const claimed = functions.match(method, pathname);
  if (claimed) return claimed;
  const name = functionAddress.exec(pathname)?.[1];
  const fn = name === undefined ? null : functions.named(name);
  return fn && { fn, params: {} };
}

async function follow(site: Site, exchange: Exchange, { status, target }: Redirection, from: string) {
  if (status >= 300 && status < 400) return new Response(null, { status, headers: { location: target } });
  const url = new URL(target, exchange.request.url);
  const match = functionAt(site.functions, exchange.request.method, url.pathname);
  if (match) return await call(site, exchange, match, url);
  return (
    (await site.files.answer(exchange.request, url, status)) ?? (await site.files.notFound(exchange.request, from))
  );
}

async function call(site: Site, exchange: Exchange, { fn, params }: FunctionMatch, url: URL): Promise<Response> {
  const { request, requestId, address } = exchange;
  const wait = (await fn.limit?.(address)) ?? null;
  if (wait !== null) {
    countRefusal('tooMany', `function ${fn.name}`);
    const refusal = new Refusal('too_many_requests', `Too many requests. Please try again in ${secondsText(wait)}.`, {
      headers: { 'retry-after': String(wait) },
    });
    return refusalResponse(refusal, request, requestId);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') await exchange.receiveBody();
  const ask = async (): Promise<Response> => {
    const context = new FunctionContext(site.facts, request, { ip: address, requestId, params });
    const given = fn.generated ? (request._request ?? request) : request;
    const response: unknown = await fn.handler(given, context);
    if (!(response instanceof Response)) throw new TypeError(`The function ${fn.name} answered with no Response.`);
    return context.withCookies(response);
  };
  const answer = request.method === 'GET' ? site.cache.answer(url.pathname + url.search, request, ask) : ask();
  return await compressed(request, await answer);
}

function secondsText(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
