import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { apiFunctions } from '../../netlify/api-functions.ts';
import { readEnv } from '../../netlify/server/runtime/env.ts';
import { apiDocument } from '../../netlify/server/endpoint/api-document.ts';
import { lendPlatform } from '../../netlify/server/platform/platform.ts';
import { prepare } from '../../netlify/server/start.ts';
import { securityHeaders } from '../../src/domain/security-headers.ts';
import { canonicalPath } from '../../host/canonical-path.ts';
import { loadFunctions } from '../../host/functions.ts';
import { imageAddress, imageHost } from '../../host/images.ts';
import { classLimits, rateLimiter } from '../../host/limits.ts';
import { openPlatform } from '../../host/platform.ts';
import { responseCache } from '../../host/response-cache.ts';
import { answerInternally, route, type Site } from '../../host/router.ts';
import { loadRules } from '../../host/rules.ts';
import { staticFiles } from '../../host/static-files.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const origin = 'http://site.test';

let folder: string;
let site: Site;
let close: () => unknown;
/** All paths of the site: from its functions, from the function that Astro generates, and from its files. */
let paths: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'every-path-'));
  // `netlify/bundle.ts` defines the same constant in the function's bundle.
  vi.stubGlobal('API_DOCUMENT', apiDocument(await apiFunctions()));
  const env = readEnv({ DATA_DIR: folder });
  const platform = await openPlatform(env);
  lendPlatform(platform);
  await prepare(platform.env);
  const rules = await loadRules({ config: 'netlify.toml', dist: 'dist', frameworks: '.netlify/v1/config.json' });
  const limiter = rateLimiter();
  const files = await staticFiles('dist', rules.headersFor);
  const functions = await loadFunctions({ written: 'netlify/functions', generated: '.netlify/v1/functions', limiter });
  site = {
    rules,
    files,
    functions,
    cache: responseCache(),
    facts: { deploy: { context: 'dev', id: 'test', published: false }, site: {}, waitUntil: () => undefined },
    images: await imageHost(join(folder, 'images'), (request) => answerInternally(site, request)),
    limits: {
      files: limiter.limit('files', classLimits.files),
      images: limiter.limit('images', classLimits.images),
    },
  };
  paths = [
    ...functions.paths.map((path) => path.replace(/:\w+/g, 'x')),
    ...files.paths,
    imageAddress,
    '/.netlify/functions/unknown-address',
    '/api/nowhere',
    '/services/nowhere',
    '/nowhere',
    '/_astro/nowhere.js',
  ];
  close = () => platform.close();
});
afterAll(async () => {
  vi.unstubAllGlobals();
  lendPlatform(undefined);
  await close();
  await rm(folder, { recursive: true, force: true });
});

let host = 0;
/** Sends a request from a new IP address, because the rate limits would refuse so many requests from one address. */
async function ask(target: string, method = 'GET'): Promise<Response> {
  host += 1;
  const request = new Request(origin + target, { method, redirect: 'manual' });
  const address = `10.${host >> 16}.${(host >> 8) & 255}.${host & 255}`;
  const exchange = { request, requestId: `request-${host}`, address, receiveBody: async () => undefined };
  return await route(site, exchange);
}

function expectSecure(target: string, { headers }: Response): void {
  for (const name of [...Object.keys(securityHeaders), 'Content-Security-Policy']) {
    expect(headers.get(name), `${name} of ${target}`).toBeTruthy();
  }
  expect(headers.get('content-security-policy'), target).toContain('default-src');
}

/** Returns other spellings of a path that a browser, a proxy or an attacker could send. */
function spellings(path: string): string[] {
  const last = path.lastIndexOf('/') + 1;
  const letter = path.charCodeAt(last).toString(16);
  const escaped = path.length > last ? `${path.slice(0, last)}%${letter}${path.slice(last + 1)}` : `${path}%2f`;
  return [
    `/${path}`,
    `${path}/`,
    `${path}//`,
    escaped,
    path.toUpperCase(),
    `${path}.html`,
    `${path}/index.html`,
    `${path}%ff`,
    `${path}%00`,
  ].filter((spelling) => spelling !== path);
}

describe('Every path of the site', () => {
  test('is in one of three groups: functions, pages rendered on request, and files', () => {
    expect(paths).toEqual(
      expect.arrayContaining(['/', '/contact', '/admin', '/blog/x', '/rss.xml', '/api/contact', '/uploads/x/x']),
    );
    expect(paths.length).toBeGreaterThan(150);
  });

  test('is canonical, and has the security headers for every method', async () => {
    for (const path of paths) {
      expect(canonicalPath(path)).toBe(path);
      for (const method of methods) {
        const response = await ask(path, method);
        await response.body?.cancel();
        expectSecure(`${method} ${path}`, response);
        expect([200, 204, 302, 303, 304, 400, 401, 403, 404, 405, 409, 413, 415, 503], `${method} ${path}`).toContain(
          response.status,
        );
      }
    }
  });

  test('redirects every other spelling to itself once, or returns 404', async () => {
    for (const path of paths) {
      for (const spelling of spellings(path)) {
        const response = await ask(spelling);
        await response.body?.cancel();
        expectSecure(spelling, response);
        const location = response.headers.get('location');
        if (![301, 308].includes(response.status) || location === null) {
          // A spelling of `/blog/:slug` may be the path of a different post, so the site need not redirect it.
          expect([302, 303, 400, 401, 404, 405, 503], spelling).toContain(response.status);
          continue;
        }
        const target = new URL(location, origin + spelling);
        expect(target.origin, spelling).toBe(origin);
        expect(location, spelling).toMatch(/^\/(?![/\\])/);
        expect(canonicalPath(target.pathname), spelling).toBe(target.pathname);
        const next = await ask(location);
        await next.body?.cancel();
        expect([301, 308], `${spelling} leads to ${location}`).not.toContain(next.status);
      }
    }
  });

  test('has the Content-Security-Policy of its page in every spelling', async () => {
    for (const path of site.files.paths) {
      const [plain, queried] = [await ask(path), await ask(`${path}?x=1`)];
      const policies = [plain, queried].map(({ headers }) => headers.get('content-security-policy'));
      expect(new Set(policies).size, path).toBe(1);
      const isPage = plain.headers.get('content-type')?.startsWith('text/html') ?? false;
      if (isPage) expect(policies[0], path).toContain('script-src');
      await Promise.all([plain.body?.cancel(), queried.body?.cancel()]);
    }
  });

  test('has a rate limit that other visitors do not use up', async () => {
    for (const path of paths) {
      const match = site.functions.match('GET', path) ?? site.functions.match('POST', path);
      if (match) expect(match.fn.limit, path).toBeDefined();
    }
    const visitor = (sent: Request, address: string) =>
      route(site, { request: sent, requestId: 'r', address, receiveBody: async () => undefined });
    const classes = [
      '/nowhere',
      '/api/health',
      '/rss.xml',
      '/blog/x',
      imageAddress,
      '/api/cms/blog-posts',
      '//contact',
    ];
    for (const path of classes) {
      let refused: Response | undefined;
      for (let sent = 0; sent < 6_100 && !refused; sent += 1) {
        const answer = await visitor(new Request(origin + path, { method: 'OPTIONS' }), '192.0.2.1');
        if (answer.status === 429) refused = answer;
        await answer.body?.cancel();
      }
      expect(Number(refused?.headers.get('retry-after')), path).toBeGreaterThan(0);
      if (refused) expectSecure(path, refused);
      expect((await visitor(new Request(origin + path, { method: 'OPTIONS' }), '192.0.2.2')).status, path).not.toBe(
        429,
      );
    }
  });

  test('is cached once, regardless of the query', async () => {
    const kept = new Set<string>();
    const before = site.cache.size;
    for (const path of paths) {
      for (const query of ['', '?x=1', '?x=2&y', '?utm_source=a', '?X']) {
        const response = await ask(path + query);
        if (response.headers.has('netlify-cdn-cache-control')) kept.add(path);
        await response.body?.cancel();
      }
    }
    expect(before).toBeLessThanOrEqual(kept.size);
    expect(site.cache.size).toBeLessThanOrEqual(kept.size);
    expect(kept.size).toBeGreaterThan(3);
  });

  test('that is not found is not cached for a year', async () => {
    for (const path of ['/_astro/nowhere.js', '/nowhere', '/services/nowhere', '/api/nowhere', '/uploads/x/x']) {
      const response = await ask(path);
      await response.body?.cancel();
      expect(response.status, path).toBe(404);
      expect(response.headers.get('cache-control') ?? '', path).not.toContain('immutable');
    }
  });
});
