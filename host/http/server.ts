import { join } from 'node:path';
import type { Context } from '@netlify/functions';
import type { Env } from '../../netlify/server/env.ts';
import { openDatabase } from '../../netlify/server/db/open.ts';
import { readShownSections } from '../../netlify/server/sections/first-sections.ts';
import { logError } from '../../netlify/server/log.ts';
import { lendPlatform } from '../../netlify/server/platform.ts';
import { ownUrl } from '../checks.ts';
import { isLoopback } from '../requests/addresses.ts';
import { type HttpOptions, type HttpServer, serveHttp } from '../requests/listen.ts';
import { classLimits, rateLimiter } from '../requests/limits.ts';
import { systemdSocket } from '../requests/systemd-socket.ts';
import { openPlatform, type OwnPlatform } from '../data/platform.ts';
import { loadFunctions } from './api.ts';
import { responseCache } from './cache.ts';
import { builtFiles, noFiles } from './files.ts';
import { livePages } from './live-pages.ts';
import { pictureHost } from './pictures.ts';
import { answerInternally, route, type Site } from './router.ts';
import { headerRules, redirectRules } from './rules.ts';

export interface HostOptions {
  /** The environment from `readEnv`. A `PORT` of 0 selects any free port. */
  readonly env: Env;
  /** The resources of this machine. Default: opened here. */
  readonly platform?: Promise<OwnPlatform>;
  /** The project's folder, usually the working folder. Contains in `dist` the built site. */
  readonly root: string;
  /** True if another server serves the pages. The host then serves no files of a build. */
  readonly apiOnly?: boolean;
  /**
   * Prepares the database. The port opens afterward, so a start that is refused answers no visitor with an error. The
   * proxy then shows its own page.
   */
  readonly prepare?: (env: Env) => Promise<void>;
  readonly limits?: HttpOptions['limits'];
}

export interface Host {
  /** The origin of the host on this machine, without a slash at the end. */
  readonly url: string;
  /**
   * Stops accepting requests, waits for at most ten seconds for running requests, schedules and the work of
   * `waitUntil`, and closes the database.
   */
  close(): Promise<void>;
}

const graceMs = 10_000;
const minuteMs = 60_000;

/**
 * Serves the built site and its functions from this process, as Netlify would. A process can run only one host, because
 * the functions find the host's resources in a global variable (`lendPlatform`).
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const { env, root, apiOnly = false, prepare, limits } = options;
  const platform = await (options.platform ?? openPlatform(env, { inspect: prepare !== undefined }));
  const dist = join(root, 'dist');
  const frameworks = join(dist, '.netlify/v1');
  const cache = responseCache();
  const pending = new Set<Promise<unknown>>();
  const context = {
    deploy: { context: env.CONTEXT ?? (env.production ? 'production' : 'dev'), id: 'host', published: true },
    waitUntil: (work: Promise<unknown>): void => {
      const settled = Promise.resolve(work)
        .catch((error: unknown) => logError('work after a response failed', {}, error))
        .finally(() => pending.delete(settled));
      pending.add(settled);
    },
  };
  const live = livePages({
    readSections: async () => await readShownSections((await openDatabase(context)).database),
    onChange: () => {
      files.refresh();
      // Posts show the year, too.
      cache.purge(['posts']);
    },
  });
  const hasTexts = !apiOnly && prepare !== undefined;
  let files = noFiles;
  let http: HttpServer | undefined;
  const stop = async (): Promise<void> => {
    await live.stop();
    lendPlatform(undefined);
    await platform.close();
  };

  try {
    if (!apiOnly) {
      const headersOf = await headerRules(join(frameworks, 'config.json'));
      files = await builtFiles(dist, { headersOf, rewrite: live.rewrite });
    }
    const purgeTags = (tags: readonly string[]): void => {
      cache.purge(tags);
      if (hasTexts && tags.includes('content')) void live.update();
    };
    const readSiteFile = (path: string) => files.answer(new Request(new URL(path, 'http://host.invalid')), path);
    lendPlatform({ ...platform, ...(!apiOnly && { readSiteFile }), purgeTags });
    // The database threads start while this thread loads the functions. If a database thread fails, the first query
    // reports the error.
    if (prepare) platform.openEmbeddedDatabase?.().catch(() => undefined);
    const limiter = env.RATE_LIMITS === 'on' ? rateLimiter() : undefined;
    const generated = apiOnly ? null : join(frameworks, 'functions');
    const site: Site = {
      pictures: pictureHost((path, method) => answerInternally(site, path, method), cache),
      limit: limiter ? limiter('files', classLimits.files) : () => null,
      context,
      cache,
      files,
      redirects: await redirectRules(dist),
      functions: await loadFunctions(join(root, 'netlify/functions'), generated, limiter),
    };
    await prepare?.(platform.env);
    // The database may have changed since the build.
    if (hasTexts) await live.update();
    http = await serveHttp({
      hostname: env.HOST,
      port: env.PORT,
      socket: systemdSocket(),
      answer: (exchange) => route(site, exchange),
      // In production, a server that listens only on loopback is behind a proxy on the same machine. In all other
      // cases, the owner must list the proxies in `TRUSTED_PROXIES`, because a visitor could forge the headers of a
      // proxy.
      trustedProxies: env.TRUSTED_PROXIES ?? (env.production && isLoopback(env.HOST) ? ['loopback'] : []),
      ...(limits && { limits }),
    });
    const { port, close } = http;
    const schedules = site.functions.everyMinute.map(({ name, handler }) =>
      everyMinute(name, async () => {
        const requestId = crypto.randomUUID();
        const request = new Request(`http://host.invalid/${name}`);
        await handler(request, { ...context, ip: '', requestId } as unknown as Context);
      }),
    );
    return {
      url: ownUrl({ HOST: env.HOST, PORT: port }),
      async close() {
        const deadline = new Promise<void>((resolve) => void setTimeout(resolve, graceMs).unref());
        const scheduled = schedules.map((end) => end());
        await close(graceMs);
        await Promise.race([deadline, Promise.all([...scheduled, ...pending])]);
        await stop();
      },
    };
  } catch (error) {
    await http?.close(0);
    await stop();
    throw error;
  }
}

/**
 * Runs work at the start of every minute. If a run is still in progress at the next minute, that minute is skipped. A
 * failed run is logged, and the next one starts on time.
 * @returns a function that starts no further runs, and waits for the run in progress.
 */
export function everyMinute(name: string, work: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<unknown> | null = null;
  let timer: NodeJS.Timeout;
  const plan = (): void => {
    // At most a minute, so a clock that changes delays no run.
    timer = setTimeout(run, minuteMs - (Date.now() % minuteMs));
  };
  const run = (): void => {
    plan();
    running ??= work()
      .catch((error: unknown) => logError('scheduled function failed', { function: name }, error))
      .finally(() => (running = null));
  };
  plan();
  return async () => {
    clearTimeout(timer);
    await running;
  };
}
