import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config, Context } from '@netlify/functions';
import { LRUCache } from 'lru-cache';
import { defaultBodyLimit } from '../netlify/server/http/body.ts';
import { bodyBytesOf, type Handler, queryKeysOfRoute } from '../netlify/server/endpoint/endpoint.ts';
import { isRead } from './is-read.ts';
import { type Limit, type RateLimiter, classLimits } from './limits.ts';

type FunctionHandler = ((request: Request, context: Context) => Response | Promise<Response>) &
  Partial<Pick<Handler, 'routes' | 'config'>>;

/**
 * The query parameters of pages that are rendered on request, by path. Other parameters are dropped, so they cannot
 * cause more renderings or cache entries. API endpoints declare their parameters in the schema of their routes.
 */
const queryKeysOfPages: Readonly<Record<string, readonly string[]>> = {
  '/blog/preview/:key': ['saved', 'share'],
  '/contact/review': ['draft'],
  '/contact/sent': ['reference'],
  '/join-team/review': ['draft'],
  '/join-team/sent': ['reference', 'mail'],
};

/**
 * A function with the settings from its `config`, which is a property of the handler or, if the handler has none, an
 * export of the file.
 */
export interface MountedFunction {
  /** The name of the function's file. */
  readonly name: string;
  readonly handler: FunctionHandler;
  /** A cron expression; undefined for a function that responds to requests. */
  readonly schedule: string | undefined;
  /** True if a file at the same path takes precedence over the function. */
  readonly preferStatic: boolean;
  /**
   * Counts a request toward the function's rate limit. Returns the seconds until the next request is allowed, or null
   * if this request is allowed. Undefined if rate limits are off.
   */
  readonly limit: ((method: string, pathname: string, address: string) => number | null) | undefined;
  /** Maximum bytes of a body that the function reads; 0 if the function does not read the body. */
  readonly bodyLimit: (request: Request, pathname: string) => number;
  /**
   * True for a function that the build generated. Its code may need a native `Request` instead of the `NodeRequest` of
   * the server.
   */
  readonly generated: boolean;
}

export interface FunctionMatch {
  readonly fn: MountedFunction;
  readonly params: Record<string, string>;
  /**
   * The canonical path of a request. Fixed segments have the same upper and lower case as in the function's path:
   * `/API/Posts/Abc` becomes `/api/posts/Abc`.
   */
  readonly path: string;
  /** The query parameters that a GET request reads. */
  readonly queryKeys: readonly string[];
}

export interface Functions {
  /**
   * Finds the function whose `config` accepts a method and a path.
   * @param pathname the path, as `canonicalPath` spells it.
   */
  match(method: string, pathname: string): FunctionMatch | null;
  /**
   * Finds the function for `/.netlify/functions/{name}`. Only functions without a path and without a schedule have this
   * URL.
   */
  named(name: string): MountedFunction | null;
  readonly scheduled: readonly MountedFunction[];
  /** The paths of all functions, such as `/blog/:slug`. */
  readonly paths: readonly string[];
}

export interface FunctionFolders {
  /** The folder of functions. Each top-level file is one function, as on Netlify. */
  readonly written: string;
  /** The build's functions for Netlify's Frameworks API: `{name}.mjs` or `{name}/{name}.mjs`. Null for none. */
  readonly generated: string | null;
  /** If undefined, all rate limits are off (`RATE_LIMITS=off`). */
  readonly limiter: RateLimiter | undefined;
}

interface Route {
  readonly fn: MountedFunction;
  /** The path in the function's `config`. */
  readonly path: string;
  readonly queryKeys: readonly string[];
  readonly methods: readonly string[] | undefined;
  /** The pattern of a path with variable parts; null for a literal path. */
  readonly pattern: URLPattern | null;
  /** The literal beginning of the path in lower case. Compared before the pattern, because patterns are slow. */
  readonly beginning: string;
  readonly excluded: readonly URLPattern[];
}

/** Imports and mounts all functions. @throws if a file is not a function. */
export async function loadFunctions({ written, generated, limiter }: FunctionFolders): Promise<Functions> {
  const literal = new Map<string, Route[]>();
  const patterns: Route[] = [];
  // Matching a pattern takes a quarter of the time of a cached response, so recent matches are stored.
  const matches = new LRUCache<string, FunctionMatch>({
    maxSize: 1_000_000,
    sizeCalculation: (_match, key) => key.length * 4 + 500,
  });
  const byName = new Map<string, MountedFunction>();
  const scheduled: MountedFunction[] = [];

  const files = [
    ...(await filesOf(written)).map((file) => ({ file, generated: false })),
    ...(generated === null ? [] : await filesOf(generated)).map((file) => ({ file, generated: true })),
  ];
  for (const { file, generated: isGenerated } of files) {
    const { handler, config } = await importFunction(file);
    const fn: MountedFunction = {
      name: basename(file, extname(file)),
      handler,
      schedule: config.schedule,
      preferStatic: config.preferStatic ?? false,
      limit: limiter && limitOf(limiter, basename(file, extname(file)), config, isGenerated),
      bodyLimit: (request, pathname) => {
        if (handler.routes) return bodyBytesOf(handler.routes, request, pathname);
        return isGenerated ? defaultBodyLimit : Infinity;
      },
      generated: isGenerated,
    };
    const paths = listOf(config.path);
    if (fn.schedule !== undefined) scheduled.push(fn);
    else if (paths.length === 0) byName.set(fn.name, fn);
    for (const path of paths) {
      const route: Route = {
        fn,
        path,
        queryKeys: queryKeysOf(handler, path),
        methods: config.method === undefined ? undefined : listOf(config.method),
        pattern: isLiteral(path) ? null : patternOf(path),
        beginning: path.split(patternSyntax, 1)[0]?.toLowerCase() ?? '',
        excluded: listOf(config.excludedPath).map(patternOf),
      };
      if (route.pattern) patterns.push(route);
      else literal.set(path, [...(literal.get(path) ?? []), route]);
    }
  }

  return {
    scheduled,
    paths: [...[...literal.values()].flat(), ...patterns].map(({ path }) => path),
    named: (name) => byName.get(name) ?? null,
    match(method, pathname) {
      // Netlify ignores case when it matches paths.
      const plain = pathname.toLowerCase();
      for (const route of literal.get(plain) ?? []) {
        const { fn, path, queryKeys } = route;
        if (claims(route, method, pathname)) return { fn, params: {}, path, queryKeys };
      }
      const key = `${method} ${pathname}`;
      const known = matches.get(key);
      if (known) return known;
      for (const route of patterns) {
        if (!plain.startsWith(route.beginning) || !claims(route, method, pathname)) continue;
        const found = route.pattern?.exec({ pathname });
        if (!found) continue;
        const { fn, path, queryKeys } = route;
        const match = { fn, params: decoded(found.pathname.groups), path: spelledAs(path, pathname), queryKeys };
        matches.set(key, match);
        return match;
      }
      return null;
    },
  };
}

/**
 * Replaces the fixed segments of a path with those of the matching pattern, which may differ in upper and lower case.
 */
function spelledAs(pattern: string, pathname: string): string {
  const stated = pattern.split('/');
  const isFixed = (part: string | undefined): part is string => part !== undefined && !patternSyntax.test(part);
  return pathname
    .split('/')
    .map((segment, index) => {
      const part = stated[index];
      return isFixed(part) ? part : segment;
    })
    .join('/');
}

function queryKeysOf({ routes }: FunctionHandler, path: string): readonly string[] {
  if (!routes) return queryKeysOfPages[path] ?? [];
  return routes
    .filter((route) => route.method === 'GET' && route.path === path)
    .flatMap(({ spec }) => queryKeysOfRoute(spec));
}

/**
 * Returns the limit in the function's config. Without one, returns the limit for the kind of request (`classLimits`).
 */
function limitOf(limiter: RateLimiter, name: string, config: Config, generated: boolean): MountedFunction['limit'] {
  if (config.rateLimit) {
    const own: Limit = limiter.limit(name, config.rateLimit);
    if (config.rateLimit.windowLimit <= classLimits.writes.windowLimit)
      return (_method, _path, address) => own(address);
    // Netlify has one limit per function. If that limit is above the limit for writes, this host applies it only to
    // reads, and limits the writes of the function as `classLimits.writes`.
    const writes = limiter.limit(`${name} writes`, classLimits.writes);
    return (method, _path, address) => (isRead(method) ? own : writes)(address);
  }
  if (generated) {
    const pages = limiter.limit('pages', classLimits.pages);
    const feeds = limiter.limit('feeds', classLimits.feeds);
    return (_method, pathname, address) => (/\.(xml|json)$/.test(pathname) ? feeds : pages)(address);
  }
  const reads = limiter.limit('reads', classLimits.reads);
  const writes = limiter.limit('writes', classLimits.writes);
  return (method, _pathname, address) => (isRead(method) ? reads : writes)(address);
}

function claims({ methods, excluded }: Route, method: string, pathname: string): boolean {
  return (!methods || methods.includes(method)) && !excluded.some((pattern) => pattern.test({ pathname }));
}

const patternSyntax = /[:*?+(){}\\]/;

function isLiteral(path: string): boolean {
  return !patternSyntax.test(path) && path === path.toLowerCase();
}

function patternOf(pathname: string): URLPattern {
  return new URLPattern({ pathname }, { ignoreCase: true });
}

function decoded(groups: Record<string, string | undefined>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(groups)) {
    if (value === undefined) continue;
    try {
      params[name] = decodeURIComponent(value);
    } catch {
      params[name] = value;
    }
  }
  return params;
}

function listOf<T>(value: T | T[] | undefined): T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isDirectory() || /\.(ts|mts|js|mjs)$/.test(entry.name))
    .map((entry) => (entry.isDirectory() ? join(folder, entry.name, `${entry.name}.mjs`) : join(folder, entry.name)))
    .sort();
}

async function importFunction(file: string): Promise<{ handler: FunctionHandler; config: Config }> {
  const module: unknown = await import(pathToFileURL(file).href);
  const { default: handler, config = {} } = module as { default?: unknown; config?: Config };
  if (typeof handler !== 'function')
    throw new TypeError(`${file} is not a function: it has no default export to call.`);
  return { handler: handler as FunctionHandler, config: (handler as FunctionHandler).config ?? config };
}
