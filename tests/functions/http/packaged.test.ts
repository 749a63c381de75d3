import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { listFunction } from '@netlify/zip-it-and-ship-it';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { apiFunctions } from '../../../netlify/api-functions.ts';
import { type Platform, lendPlatform } from '../../../netlify/server/platform.ts';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import { type Served, describeSameApi } from '../../contract/same-api.ts';
import { quickCost } from '../../support/api/passwords.ts';
import { startNetlifyServices } from '../../support/servers/netlify-services.ts';
import { serve } from '../../support/servers/ports.ts';

const bundled = '.netlify/bundled-functions';
const kilobyte = 1024;
type Handler = (request: Request, context: unknown) => Promise<Response>;

/** The bundled functions, with the paths in the text that Netlify reads (netlify/bundle.ts). */
let functions: { name: string; file: string; path: string[] }[];
beforeAll(() => {
  execFileSync(process.execPath, ['netlify/bundle.ts'], { stdio: 'pipe' });
  functions = readdirSync(bundled).map((name) => {
    const file = resolve(bundled, name);
    const [, config] = /const netlifyConfig=(\{.*\});export/.exec(readFileSync(file, 'utf8')) ?? [];
    const { path = [] } = JSON.parse(config ?? '{}') as { path?: string | string[] };
    return { name: basename(name, '.mjs'), file, path: [path].flat() };
  });
});

describe('The packaged functions', () => {
  test('are each under 1 MB, and have the routes that the browser calls', () => {
    for (const { name, file } of functions) {
      expect(gzipSync(readFileSync(file), { level: 1 }).length, name).toBeLessThan(1024 * kilobyte);
    }
    const routes = functions.flatMap(({ path }) => path);
    const { inquiries, applications, ...others } = apiPaths;
    for (const path of [inquiries, applications, others].flatMap((paths) => Object.values(paths))) {
      const address = typeof path === 'string' ? path : (path as (...parts: unknown[]) => string)('x', 1);
      expect(
        routes.some((route) => new URLPattern({ pathname: route }).test({ pathname: address })),
        address,
      ).toBe(true);
    }
  });

  test('state their paths and schedules in the format that Netlify reads', async () => {
    const sources = Object.entries(await apiFunctions()).map(([name, { config }]) => [name, config.path]);
    expect(Object.fromEntries(functions.map(({ name, path }) => [name, path]))).toEqual({
      ...Object.fromEntries(sources),
      'every-minute': [],
      'unknown-address': [],
    });
    // Netlify's packager reads one function of each kind: with paths, with a schedule, and for all other addresses.
    const read = await Promise.all(
      ['uploads', 'every-minute', 'unknown-address'].map((name) =>
        listFunction(resolve(bundled, `${name}.mjs`), { parseISC: true }),
      ),
    );
    expect(read.map((found) => [found?.routes?.map(({ pattern }) => pattern) ?? [], found?.schedule])).toEqual([
      [functions.find(({ name }) => name === 'uploads')?.path, undefined],
      [[], '* * * * *'],
      [[], undefined],
    ]);
  });
});

/**
 * Runs the packaged functions with what Netlify provides: environment variables, a libSQL server over the network, and
 * Netlify Blobs.
 */
async function startPackaged(): Promise<Served> {
  const services = await startNetlifyServices();
  const { mail, variables } = services;
  for (const [name, value] of Object.entries({ ...variables, CONTEXT: 'dev' })) vi.stubEnv(name, value);
  lendPlatform({ passwordCost: quickCost } as Platform);

  const routes = functions.map(({ file, path }) => ({
    // Loads a function at its first request, as Netlify does.
    load: () => import(/* @vite-ignore */ pathToFileURL(file).href) as Promise<{ default: Handler }>,
    patterns: path.map((pathname) => new URLPattern({ pathname })),
  }));
  const { url, stop } = await serve((incoming, outgoing) => {
    void (async () => {
      const address = `http://${incoming.headers.host}${incoming.url}`;
      const found = routes.find(({ patterns }) => patterns.some((pattern) => pattern.test(address)));
      const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
      const request = new Request(address, {
        method: incoming.method ?? 'GET',
        headers: Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
        // Netlify reads the whole body before it calls a function.
        ...(hasBody && { body: new Uint8Array(await buffer(incoming)) }),
      });
      const context = {
        ip: incoming.socket.remoteAddress,
        requestId: crypto.randomUUID(),
        deploy: { context: 'dev', id: 'deploy', published: true },
        waitUntil: () => undefined,
      };
      // The pages of the site, which Netlify's CDN serves, are not part of this test.
      if (!found) return void outgoing.writeHead(404).end();
      const { default: handler } = await found.load();
      const response = await handler(request, context);
      outgoing.writeHead(response.status, [...response.headers].flat());
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    })();
  });

  return {
    url,
    mail,
    admin: { email: variables.ADMIN_EMAIL, password: variables.ADMIN_PASSWORD },
    firmAddress: variables.CONTACT_EMAIL,
    async close() {
      vi.unstubAllEnvs();
      lendPlatform(undefined);
      await stop();
      await services.close();
    },
  };
}

describeSameApi('Netlify', startPackaged);
