import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config, Context } from '@netlify/functions';
import { defaultBodyLimit } from '../../netlify/server/http/body.ts';
import { bodyBytesOf, type Handler, queryKeysOfRoute } from '../../netlify/server/endpoint/endpoint.ts';
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
  /** True for the function of the build, which renders pages and feeds. */
  readonly isGenerated: boolean;
}

export interface FunctionMatch {
  readonly fn: ApiFunction;
  /** The path in the function's `config`, such as `/blog/:slug`. */
  readonly pattern: string;
  /**
   * The canonical path of the request. Fixed segments have the same upper and lower case as in the pattern:
   * `/API/Posts/Abc` becomes `/api/posts/Abc`.
   */
  readonly path: string;
  /** The query parameters that a GET request reads. */
  readonly queryKeys: readonly string[];
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
  const patterns: (FunctionMatch & { readonly expression: RegExp })[] = [];
  const everyMinute: ApiFunction[] = [];
  let unknownAddress: ApiFunction | undefined;

  const mount = async (file: string, isGenerated: boolean): Promise<void> => {
    const { handler, config } = await importFunction(file);
    const { routes } = handler;
    const name = basename(file, extname(file));
    const fn: ApiFunction = {
      name,
      handler,
      limit: limiter ? limitOf(limiter, name, config, isGenerated) : () => null,
      bodyLimit: (request, path) =>
        routes ? bodyBytesOf(routes, request, path) : isGenerated ? defaultBodyLimit : Infinity,
      isGenerated,
    };
    if (config.schedule !== undefined) everyMinute.push(fn);
    if (name === 'unknown-address') unknownAddress = fn;
    for (const pattern of [config.path ?? []].flat()) {
      const queryKeys = routes
        ? routes
            .filter(({ method, path }) => method === 'GET' && path === pattern)
            .flatMap(({ spec }) => queryKeysOfRoute(spec))
        : (queryKeysOfPages[pattern] ?? []);
      const match = { fn, pattern, path: pattern, queryKeys };
      if (pattern.includes(':')) patterns.push({ ...match, expression: expressionOf(pattern) });
      else literal.set(pattern, match);
    }
  };
  for (const name of await namesIn(written)) await mount(join(written, name), false);
  for (const name of generated === null ? [] : await namesIn(generated)) {
    await mount(join(generated!, name, `${name}.mjs`), true);
  }

  return {
    everyMinute,
    match(path) {
      const plain = path.toLowerCase();
      const exact = literal.get(plain);
      if (exact) return exact;
      for (const { expression, ...match } of patterns) {
        const values = expression.exec(path)?.slice(1);
        if (values) return { ...match, path: match.pattern.replace(/:\w+/g, () => values.shift() ?? '') };
      }
      // Unknown paths under /api get a JSON error, like every API error. netlify.toml has the same redirect.
      if (!unknownAddress || !`${plain}/`.startsWith('/api/')) return null;
      return { fn: unknownAddress, pattern: '/api/*', path, queryKeys: [] };
    },
  };
}

/** Converts `/blog/:slug` to an expression. Ignores case, because Netlify ignores case when it matches paths. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split(/:\w+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('([^/]+)')}$`, 'i');
}

/**
 * Returns the limit in the function's config. Without one, returns the limit for the kind of request (`classLimits`).
 */
function limitOf(limiter: RateLimiter, name: string, config: Config, isGenerated: boolean): ApiFunction['limit'] {
  if (isGenerated) {
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

/** Returns the names of a folder's entries, or none if the folder does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.sort();
}

async function importFunction(file: string): Promise<{ handler: FunctionHandler; config: Config }> {
  const module: unknown = await import(pathToFileURL(file).href);
  const { default: handler, config = {} } = module as { default?: unknown; config?: Config };
  if (typeof handler !== 'function')
    throw new TypeError(`${file} is not a function: it has no default export to call.`);
  return { handler: handler as FunctionHandler, config: (handler as FunctionHandler).config ?? config };
}
