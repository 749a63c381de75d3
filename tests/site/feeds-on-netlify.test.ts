import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from '@netlify/functions';
import { expect, test, vi } from 'vitest';
import { startHranaServer } from '../support/hrana-server.ts';

test('Feeds on Netlify hold the articles, though no public address of the site answers', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'feeds-'));
  const database = await startHranaServer({ path: join(directory, 'remote.db'), authToken: 'token' });
  vi.stubEnv('LIBSQL_URL', database.url);
  vi.stubEnv('LIBSQL_AUTH_TOKEN', 'token');
  vi.stubEnv('SITE_URL', 'https://wrong.invalid');
  vi.stubEnv('SESSION_SECRET', 'a secret of the tests, long enough');
  try {
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
    for (const path of ['/rss.xml', '/feed.json']) {
      const answer = await handler(new Request(new URL(path, 'https://wrong.invalid')), context);
      expect(answer.status, path).toBe(200);
      expect(await answer.text()).toContain('/resources/netsuite-mcp-guide');
    }
  } finally {
    vi.unstubAllEnvs();
    await database.close();
    await rm(directory, { recursive: true, force: true });
  }
});
