import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config, Context } from '@netlify/functions';
import { bodyBytesOf, type Handler, queryKeysOfRoute } from '../../netlify/server/http/endpoint.ts';
import { type Limit, type RateLimiter, classLimits } from '../requests/limits.ts';

type FunctionHandler = ((request: Request, context: Context) => Response | Promise<Response>) &
  Partial<Pick<Handler, 'routes' | 'config'>>;

/**
 * The query parameters of pages that are rendered on request, by path. Other parameters are dropped, so they cannot
 * cause more renderings or cache entries. API endpoints declare their parameters in the schema of their routes.
 */
const queryKeysOfPages: Readonly<Record<string, readonly string[]>> = {
  '/blog/preview/:key': ['saved', 'share'],
  '/contact/sent': ['reference'],
  '/join-team/sent': ['reference', 'mail'],
};

/** A function with the settings from its `config`. */
interface ApiFunction {
  /** The name of the function's file. */
  readonly name: string;
  readonly handler: FunctionHandler;
  /**
   * Counts a request toward the function's rate limit. Returns the seconds until the next request is allowed, or null
   * if this request is allowed.
   */
  readonly limit: (method: string, path: string, address: string) => number | null;
  /** Maximum bytes of a body that the function reads; 0 if the function does not read the body. */
  readonly bodyLimit: (request: Request, path: string) => number;
  /** True for the function of the build, which renders pages and feeds, and accepts only GET and HEAD. */
  readonly rendersPages: boolean;
}

interface Route {
  readonly fn: ApiFunction;
  /** The path in the function's `config`, such as `/blog/:slug`. */
  readonly pattern: string;
  /** The query parameters that a GET request reads. */
  readonly queryKeys: readonly string[];
}

export interface FunctionMatch extends Route {
  /**
   * The canonical path of the request. Fixed segments have the same upper and lower case as in the pattern:
   * `/API/Posts/Abc` becomes `/api/posts/Abc`.
   */
  readonly path: string;
}

export interface Functions {
  /** @param path the path, as `canonicalPath` spells it. */
  match(path: string): FunctionMatch | null;
  /** The functions that run once a minute. */
  readonly everyMinute: readonly ApiFunction[];
}

/**
 * Imports all functions.
 * @param written the folder of the API's functions. Each file is one function, as on Netlify.
 * @param generated the folder of the build's functions, `{name}/{name}.mjs`. Null for none.
 * @param limiter undefined to turn off all rate limits (`RATE_LIMITS=off`).
 * @throws if a file is not a function.
 */
export async function loadFunctions(
  written: string,
  generated: string | null,
  limiter: RateLimiter | undefined,
): Promise<Functions> {
  const literal = new Map<string, FunctionMatch>();
  const patterns: (Route & { readonly expression: RegExp })[] = [];
  const everyMinute: ApiFunction[] = [];

  const mount = async (file: string, rendersPages: boolean): Promise<void> => {
    const { handler, config } = await importFunction(file);
    const { routes } = handler;
    const name = basename(file, extname(file));
    const fn: ApiFunction = {
      name,
      handler,
      limit: limiter ? limitOf(limiter, name, config, rendersPages) : () => null,
      bodyLimit: (request, path) => (routes ? bodyBytesOf(routes, request, path) : Infinity),
      rendersPages,
    };
    if (config.schedule !== undefined) everyMinute.push(fn);
    for (const pattern of [config.path ?? []].flat()) {
      const read = routes?.find(({ method, path }) => method === 'GET' && path === pattern);
      const queryKeys = read ? queryKeysOfRoute(read.spec) : (queryKeysOfPages[pattern] ?? []);
      const route = { fn, pattern, queryKeys };
      if (pattern.includes(':')) patterns.push({ ...route, expression: expressionOf(pattern) });
      else literal.set(pattern, { ...route, path: pattern });
    }
  };
  for (const name of await namesIn(written)) await mount(join(written, name), false);
  for (const name of await namesIn(generated)) await mount(join(generated!, name, `${name}.mjs`), true);

  return {
    everyMinute,
    match(path) {
      const exact = literal.get(path.toLowerCase());
      if (exact) return exact;
      for (const route of patterns) {
        const values = route.expression.exec(path)?.slice(1);
        if (values) return { ...route, path: route.pattern.replace(/:\w+/g, () => values.shift() ?? '') };
      }
      return null;
    },
  };
}

/** Converts `/blog/:slug` to an expression. Ignores case, because Netlify ignores case when it matches paths. */
function expressionOf(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/:\w+/g, '([^/]+)')}$`, 'i');
}

/** Returns the limit in the function's config. Without one, returns the limit for the kind of request. */
function limitOf(limiter: RateLimiter, name: string, config: Config, rendersPages: boolean): ApiFunction['limit'] {
  if (rendersPages) {
    const pages = limiter.limit('pages', classLimits.pages);
    const feeds = limiter.limit('feeds', classLimits.feeds);
    return (_method, path, address) => (/\.(xml|json)$/.test(path) ? feeds : pages)(address);
  }
  const { rateLimit } = config;
  const own: Limit = rateLimit ? limiter.limit(name, rateLimit) : limiter.limit('reads', classLimits.reads);
  if (rateLimit && rateLimit.windowLimit <= classLimits.writes.windowLimit)
    return (_method, _path, address) => own(address);
  // Netlify has one limit per function. If that limit is above the limit for writes, this host applies it only to
  // reads, and limits the writes of the function as `classLimits.writes`.
  const writes = limiter.limit(rateLimit ? `${name} writes` : 'writes', classLimits.writes);
  return (method, _path, address) => (method === 'GET' || method === 'HEAD' ? own : writes)(address);
}

async function namesIn(folder: string | null): Promise<string[]> {
  return folder !== null && existsSync(folder) ? (await readdir(folder)).sort() : [];
}

async function importFunction(file: string): Promise<{ handler: FunctionHandler; config: Config }> {
  const module: unknown = await import(pathToFileURL(file).href);
  const { default: handler, config = {} } = module as { default?: unknown; config?: Config };
  if (typeof handler !== 'function')
    throw new TypeError(`${file} is not a function: it has no default export to call.`);
  return { handler: handler as FunctionHandler, config: (handler as FunctionHandler).config ?? config };
}
