import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from '@netlify/functions';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startHranaServer } from '../support/hrana-server.ts';

/** Calls the function that renders pages on demand on Netlify. The function uses a database server of this test. */
let ask: (path: string) => Promise<Response>;
let close: () => Promise<void>;
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'netlify-pages-'));
  const database = await startHranaServer({ path: join(directory, 'remote.db'), authToken: 'token' });
  vi.stubEnv('LIBSQL_URL', database.url);
  vi.stubEnv('LIBSQL_AUTH_TOKEN', 'token');
  vi.stubEnv('SITE_URL', 'https://wrong.invalid');
  vi.stubEnv('SESSION_SECRET', 'a secret of the tests, long enough');
  const file = pathToFileURL(resolve('.netlify/v1/functions/ssr/ssr.mjs')).href;
  const { default: handler } = (await import(/* @vite-ignore */ file)) as {
    default: (request: Request, context: Context) => Promise<Response>;
  };
  const context = {
    ip: '192.0.2.1',
    requestId: 'test',
    deploy: { context: 'dev', id: 'deploy', published: true },
    site: { url: 'https://wrong.invalid' },
    waitUntil: () => undefined,
  } as unknown as Context;
  ask = (path) => handler(new Request(`https://wrong.invalid${path}`), context);
  close = async () => {
    vi.unstubAllEnvs();
    await database.close();
    await rm(directory, { recursive: true, force: true });
  };
});
afterAll(() => close());

test('Feeds on Netlify contain the articles, even if the site’s public URL does not respond', async () => {
  for (const path of ['/rss.xml', '/feed.json']) {
    const answer = await ask(path);
    expect(answer.status, path).toBe(200);
    expect(await answer.text()).toContain('/resources/netsuite-mcp-guide');
  }
});

test('The blog on Netlify has each page at one URL: a trailing slash redirects', async () => {
  for (const [spelling, address] of [
    ['/blog/', '/blog'],
    ['/blog//?from=email', '/blog?from=email'],
    ['/blog/a-post/', '/blog/a-post'],
    ['/blog/gr%C3%B6%C3%9Fe/', '/blog/gr%C3%B6%C3%9Fe'],
    ['/rss.xml/', '/rss.xml'],
    // The redirect never points to another site.
    ['//elsewhere.example/', '/elsewhere.example'],
  ] as const) {
    const answer = await ask(spelling);
    expect([answer.status, answer.headers.get('location')], spelling).toEqual([301, address]);
  }
  expect((await ask('/blog')).status).toBe(200);
  expect((await ask('/blog/a-post')).status).toBe(404);
  // Astro redirects this path, which has a broken escape, to the path without the slash.
  const broken = await ask('/blog/%E0%A4%A/');
  expect([broken.status, broken.headers.get('location')]).toEqual([301, '/blog/%E0%A4%A']);
  expect((await ask('/blog/%E0%A4%A')).status).toBe(404);
});
