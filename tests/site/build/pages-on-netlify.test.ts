import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from '@netlify/functions';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type HranaServer, startHranaServer } from '../../support/servers/hrana-server.ts';

/** Calls the function that renders pages on demand on Netlify. The function uses a database server of this test. */
let ask: (path: string) => Promise<Response>;
let close: () => Promise<void>;
let database: HranaServer;
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'netlify-pages-'));
  database = await startHranaServer({ path: join(directory, 'remote.db'), authToken: 'token' });
  vi.stubEnv('LIBSQL_URL', database.url);
  vi.stubEnv('LIBSQL_AUTH_TOKEN', 'token');
  vi.stubEnv('SITE_URL', 'https://wrong.invalid');
  vi.stubEnv('SESSION_SECRET', 'a secret of the tests, long enough');
  const file = pathToFileURL(resolve('dist/.netlify/v1/functions/ssr/ssr.mjs')).href;
  const { default: handler } = (await import(/* @vite-ignore */ file)) as {
    default: (request: Request, context: Context) => Promise<Response>;
  };
  const deploy = { context: 'dev', id: 'deploy', published: true };
  const context = { ip: '192.0.2.1', requestId: 'test', deploy, site: {}, waitUntil: () => undefined };
  ask = (path) => handler(new Request(`https://wrong.invalid${path}`), context as unknown as Context);
  close = async () => {
    vi.unstubAllEnvs();
    await database.close();
    await rm(directory, { recursive: true, force: true });
  };
  // The first request creates the tables, in a request to the database for each.
  await ask('/blog');
});
afterAll(() => close());

test('The feed on Netlify contains the articles, even if the site’s public URL does not respond', async () => {
  const answer = await ask('/rss.xml');
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('/resources/netsuite-mcp-guide');
});

test.each([
  ['/blog/', '/blog'],
  ['/blog//?from=email', '/blog?from=email'],
  ['/blog/gr%C3%B6%C3%9Fe/', '/blog/gr%C3%B6%C3%9Fe'],
  ['/blog/%E0%A4%A/', '/blog/%E0%A4%A'],
  // The redirect never points to another site.
  ['//elsewhere.example/', '/elsewhere.example'],
])('The blog on Netlify has each page at one URL: %s redirects to %s', async (spelling, address) => {
  const answer = await ask(spelling);
  expect([answer.status, answer.headers.get('location')]).toEqual([301, address]);
});

test.each([
  ['/blog', 200, 'public, max-age=0, must-revalidate'],
  ['/blog/a-post', 404, 'private, no-store'],
  ['/blog/%E0%A4%A', 404, 'private, no-store'],
])('On Netlify, %s answers with %d, and caches keep only pages that exist', async (path, status, control) => {
  const answer = await ask(path);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, control]);
});

test.each([
  ['/blog', 'private, no-store'],
  ['/blog/a-post', 'private, no-store'],
  ['/rss.xml', 'no-store'],
  ['/sitemap-posts-1.xml', 'no-store'],
])(
  'While the database on Netlify does not respond, %s says so, and its answer is not cached',
  async (path, control) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await database.setFault({ kind: 'refuse' });
    onTestFinished(async () => {
      await database.setFault(null);
      log.mockRestore();
    });
    const answer = await ask(path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, control]);
    expect(log.mock.calls.join()).toContain('posts could not be read');
  },
);
