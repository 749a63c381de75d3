import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config, Context } from '@netlify/functions';
import { bodyBytesOf, type Handler, queryKeysOfRoute } from '../../netlify/server/http/endpoint.ts';
import { type RateLimiter, classLimits } from '../requests/limits.ts';

type FunctionHandler = ((request: Request, context: Context) => Response | Promise<Response>) &
  Partial<Pick<Handler, 'routes' | 'config'>>;

/**
 * The query parameters of pages that are rendered on request, by path. Other parameters are dropped, so they cannot
 * cause more renderings or cache entries. API endpoints declare their parameters in the schema of their routes.
 */
const queryKeysOfPages: Readonly<Record<string, readonly string[]>> = {
  '/blog/preview/:key': ['saved'],
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
  readonly limit: (method: string, address: string) => number | null;
  /** Maximum bytes of a body that the function reads; 0 if the function does not read the body. */
  readonly bodyLimit: (request: Request, path: string) => number;
  /** True for the function of the build, which renders pages and feeds, and accepts only GET and HEAD. */
  readonly rendersPages: boolean;
}

interface Route {
  readonly fn: ApiFunction;
  /** The path in the function's `config`, such as `/blog/:slug`. */
  readonly pattern: string;
  readonly expression: RegExp;
  /** The query parameters that a GET request reads. */
  readonly queryKeys: readonly string[];
}

export type Functions = Awaited<ReturnType<typeof loadFunctions>>;
export type FunctionMatch = NonNullable<ReturnType<Functions['match']>>;

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Imports all functions.
 * @param written the folder of the API's functions. Each file is one function, as on Netlify.
 * @param generated the folder of the build's functions, `{name}/{name}.mjs`. Null for none.
 * @param limiter undefined to turn off all rate limits (`RATE_LIMITS=off`).
 * @throws if a file is not a function.
 */
export async function loadFunctions(written: string, generated: string | null, limiter: RateLimiter | undefined) {
  const routes: Route[] = [];
  const everyMinute: ApiFunction[] = [];

  const mount = async (file: string, rendersPages: boolean): Promise<void> => {
    const module = (await import(pathToFileURL(file).href)) as { default?: FunctionHandler; config?: Config };
    const { default: handler } = module;
    if (typeof handler !== 'function')
      throw new TypeError(`${file} is not a function: it has no default export to call.`);
    const { routes: own, config = module.config ?? {} } = handler;
    const name = basename(file, extname(file));
    const fn: ApiFunction = {
      name,
      handler,
      limit: limiter ? limitOf(limiter, name, config) : () => null,
      bodyLimit: (request, path) => (own ? bodyBytesOf(own, request, path) : Infinity),
      rendersPages,
    };
    if (config.schedule !== undefined) everyMinute.push(fn);
    for (const pattern of [config.path ?? []].flat()) {
      const read = own?.find(({ method, path }) => method === 'GET' && path === pattern);
      const queryKeys = read ? queryKeysOfRoute(read.spec) : (queryKeysOfPages[pattern] ?? []);
      routes.push({ fn, pattern, queryKeys, expression: expressionOf(pattern) });
    }
  };
  for (const name of await namesIn(written)) await mount(join(written, name), false);
  for (const name of await namesIn(generated)) await mount(join(generated!, name, `${name}.mjs`), true);
  // `/api/posts/published` before `/api/posts/:id`.
  routes.sort((a, b) => Number(a.pattern.includes(':')) - Number(b.pattern.includes(':')));

  return {
    /** The functions that run once a minute. */
    everyMinute,
    /**
     * @param path the path, as `canonicalPath` spells it.
     * @returns the function at the path, and the path with fixed segments in the upper and lower case of the pattern:
     * `/API/Posts/Abc` becomes `/api/posts/Abc`. Null if there is no function.
     */
    match(path: string) {
      for (const { fn, pattern, expression, queryKeys } of routes) {
        const values = expression.exec(path)?.slice(1);
        if (values) return { fn, queryKeys, path: pattern.replace(/:\w+/g, () => values.shift() ?? '') };
      }
      return null;
    },
  };
}

/** Converts `/blog/:slug` to an expression. Ignores case, because Netlify ignores case when it matches paths. */
function expressionOf(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/:\w+/g, '([^/]+)')}$`, 'i');
}

/**
 * Returns the limit in the function's config, or else the limit for the kind of request. Netlify has one limit for each
 * function. If that limit is above the limit for writes, this host applies it only to reads.
 */
function limitOf(limiter: RateLimiter, name: string, { rateLimit }: Config): ApiFunction['limit'] {
  const reads = rateLimit ? limiter(name, rateLimit) : limiter('reads', classLimits.reads);
  const isLow = rateLimit && rateLimit.windowLimit <= classLimits.writes.windowLimit;
  const writes = isLow ? reads : limiter(rateLimit ? `${name} writes` : 'writes', classLimits.writes);
  return (method, address) => (isRead(method) ? reads : writes)(address);
}

async function namesIn(folder: string | null): Promise<string[]> {
  return folder !== null && existsSync(folder) ? (await readdir(folder)).sort() : [];
}
