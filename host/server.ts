import { join } from 'node:path';
import type { Env } from '../netlify/server/env.ts';
import { connect } from '../netlify/server/db/connect.ts';
import type { Database } from '../netlify/server/db/database.ts';
import { readShownSections } from '../netlify/server/first-sections.ts';
import { logError } from '../netlify/server/log.ts';
import { lendPlatform } from '../netlify/server/platform.ts';
import { logAnswer } from './access-log.ts';
import { FunctionContext, type HostFacts } from './function-context.ts';
import { loadFunctions } from './functions.ts';
import { imageHost } from './images.ts';
import { livePages } from './live-pages.ts';
import { type HttpOptions, type HttpServer, serveHttp } from './http-server.ts';
import { classLimits, rateLimiter } from './limits.ts';
import { openPlatform } from './platform.ts';
import { responseCache } from './response-cache.ts';
import { answerInternally, route, type Site } from './router.ts';
import { loadRules } from './rules.ts';
import { startSchedules } from './schedule.ts';
import { noFiles, staticFiles } from './static-files.ts';

export interface HostOptions {
  /** As read by `readEnv`; `PORT` 0 takes any free port. */
  readonly env: Env;
  /** The project's folder, with `netlify.toml`, `netlify/functions` and what a build left. Usually the working folder. */
  readonly root: string;
  /** The built site; `dist` under `root` when not given. */
  readonly dist?: string;
  /** True where another server has the pages: nothing that a build left is then served. */
  readonly apiOnly?: boolean;
  /** Runs once the port is ours and the database and blobs can be reached; requests wait until it is done. */
  readonly prepare?: (env: Env) => Promise<void>;
  readonly limits?: HttpOptions['limits'];
}

export interface Host {
  /** Without a slash at the end. */
  readonly url: string;
  /**
   * Stops: nothing new is accepted, running requests, schedules and what functions left to `waitUntil` are finished, for
   * at most ten seconds, and the database is closed.
   */
  close(): Promise<void>;
}

const graceMs = 10_000;
/** The origin of requests that the host makes of itself. */
const internal = 'http://host.invalid';

/** Serves the built site and its functions from this process, as Netlify would. One host a process. */
export async function startHost({
  env,
  root,
  dist = join(root, 'dist'),
  apiOnly = false,
  prepare,
  limits,
}: HostOptions): Promise<Host> {
  const frameworks = join(root, '.netlify/v1');
  const cache = responseCache();
  const platform = await openPlatform(env);
  let files = noFiles;
  let database: Promise<Database> | undefined;
  const live = livePages({
    readSections: async () => {
      database ??= connect(platform.env);
      database.catch(() => (database = undefined));
      return await readShownSections(await database);
    },
    onNewYear: () => cache.purge(['posts']),
  });
  const purgeTags = (tags: readonly string[]): void => {
    cache.purge(tags);
    if (tags.includes('content')) void live.update();
  };
  const readSiteFile = (path: string) => files.answer(new Request(new URL(path, internal)), path);
  lendPlatform({ ...platform, ...(!apiOnly && { readSiteFile }), purgeTags });
  const pending = new Set<Promise<unknown>>();
  const facts: HostFacts = {
    deploy: { context: env.CONTEXT ?? (env.production ? 'production' : 'dev'), id: 'host', published: true },
    site: { id: 'host', name: 'host', url: env.SITE_URL },
    waitUntil: (work) => {
      const settled = Promise.resolve(work)
        .catch((error: unknown) => logError('work after an answer failed', {}, error))
        .finally(() => pending.delete(settled));
      pending.add(settled);
    },
  };
  const stopPlatform = async (): Promise<void> => {
    await live.stop();
    lendPlatform(undefined);
    await platform.close();
  };

  const ready = Promise.withResolvers<Site>();
  // Awaited by each request; a start that fails is reported by this function itself.
  ready.promise.catch(() => undefined);
  let http: HttpServer | undefined;

  try {
    // The port first: a start that could not serve must not have made an admin whose password nobody ever saw.
    http = await serveHttp({
      hostname: env.HOST,
      port: env.PORT,
      answer: async (exchange) => {
        const site = await ready.promise;
        const began = performance.now();
        const response = await route(site, exchange);
        if (env.ACCESS_LOG === 'on') logAnswer(exchange, response, site.functions, began);
        return response;
      },
      // A production server that only this machine can reach is behind a proxy on this machine. Elsewhere the owner
      // names the proxies: the headers could be the visitor's own.
      trustedProxies: env.TRUSTED_PROXIES ?? (env.production && isLoopback(env.HOST) ? ['loopback'] : []),
      warnOfProxies: env.TRUSTED_PROXIES === undefined,
      ...(limits && { limits }),
    });
    const rules = await loadRules({
      config: join(root, 'netlify.toml'),
      dist,
      frameworks: join(frameworks, 'config.json'),
    });
    if (!apiOnly) files = await staticFiles(dist, rules.headersFor, { live });
    const limiter = env.RATE_LIMITS === 'on' ? rateLimiter() : undefined;
    const site: Site = {
      images: await imageHost(join(env.DATA_DIR, 'images'), (request) => answerInternally(site, request)),
      limits: limiter && {
        files: limiter.limit('files', classLimits.files),
        images: limiter.limit('images', classLimits.images),
      },
      rules,
      facts,
      cache,
      files,
      functions: await loadFunctions({
        written: join(root, 'netlify/functions'),
        generated: apiOnly ? null : join(frameworks, 'functions'),
        limiter,
      }),
    };
    await prepare?.(platform.env);
    // A start serves what the database holds, not what it held when the site was built.
    if (!apiOnly) {
      await live.update();
      live.start();
    }
    ready.resolve(site);
    const { port, close } = http;
    const url = `http://${env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST}:${port}`;
    const schedules = startSchedules(site.functions.scheduled, async (fn, nextRun) => {
      const request = new Request(`${url}/.netlify/functions/${fn.name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ next_run: nextRun.toISOString() }),
      });
      const context = new FunctionContext(facts, request, { ip: '', requestId: crypto.randomUUID(), params: {} });
      await fn.handler(request, context);
    });
    return {
      url,
      async close() {
        const deadline = new Promise<void>((resolve) => void setTimeout(resolve, graceMs).unref());
        const scheduled = schedules.stop();
        await close(graceMs);
        await Promise.race([deadline, Promise.all([scheduled, ...pending])]);
        await stopPlatform();
      },
    };
  } catch (error) {
    ready.reject(error);
    await http?.close(0);
    await stopPlatform();
    throw error;
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || hostname.startsWith('127.');
}
