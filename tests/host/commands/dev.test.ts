import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { sendJson } from '../../support/host/ask.ts';
import { owner, ownerVariables } from '../../support/samples/visitors.ts';
import { freePort } from '../../support/servers/ports.ts';
import { folder, makeFolders } from '../../support/host/folder.ts';

makeFolders();

const post = {
  title: 'Closing the books in five days',
  slug: 'closing-the-books-in-five-days',
  content: '<p>Start with the subledgers.</p>',
  status: 'published',
};

// This test is a unit test because `npm test` runs unit tests before it builds the site. Astro's development server,
// which this test starts, deletes the functions of a build.
test('npm run dev serves pages, the API, and a post as soon as it is published', async () => {
  const port = await freePort();
  const site = `http://127.0.0.1:${port}`;
  let output = '';
  const child = spawn(process.execPath, ['scripts/node24.mjs', '--watch', '--watch-preserve-output', 'host/dev.ts'], {
    env: {
      ...process.env,
      NODE_ENV: '',
      VITEST: '',
      PORT: String(port),
      HOST: '',
      SITE_URL: '',
      DATA_DIR: folder,
      ...ownerVariables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  const read = async (path: string) => {
    const response = await fetch(site + path, { headers: { accept: 'text/html' } });
    return { status: response.status, text: await response.text() };
  };
  const send = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(site + path, sendJson(body, { origin: site, ...headers }));
  try {
    await expect
      .poll(() => read('/').catch(() => output), { timeout: 250_000 })
      .toMatchObject({ status: 200, text: expect.stringContaining('NetSuite') });
    expect(await read('/api/health')).toMatchObject({ status: 200 });
    expect(await read('/resources/netsuite-roi-guide')).toMatchObject({
      status: 200,
      text: expect.stringContaining('id="the-arithmetic-to-agree-on-first"'),
    });
    expect(await read('/blog/closing-the-books-in-five-days')).toMatchObject({ status: 404 });

    const signedIn = await send('/api/login', owner);
    expect(signedIn.status, await signedIn.clone().text()).toBe(200);
    const { token } = (await signedIn.json()) as { token: string };
    const authorization = `Bearer ${token}`;
    const created = await send('/api/cms/blog-posts', post, { authorization });
    expect(created.status).toBe(201);
    expect(await read('/blog/closing-the-books-in-five-days')).toMatchObject({
      status: 200,
      text: expect.stringContaining('Start with the subledgers.'),
    });
    const feed = await read('/rss.xml');
    expect(feed.text).toContain('Closing the books in five days');
    expect(feed.text).toContain('NetSuite MCP');
    expect(output).not.toMatch(/\[ERROR\]|"level":"error"/);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
});
