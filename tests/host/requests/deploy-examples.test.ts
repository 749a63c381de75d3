import { execFile, execFileSync, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { APIContext } from 'astro';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { GET as unavailable } from '../../../src/pages/unavailable.html.ts';
import { site } from '../../../src/site.config.ts';
import { type Answer, ask as send } from '../../support/host/ask.ts';
import { commandEnvironment } from '../../support/host/command.ts';
import { startMailServer } from '../../support/servers/mail-server.ts';
import { startNginx } from '../../support/servers/nginx.ts';
import { freePort, serve } from '../../support/servers/ports.ts';
import { folder, makeFolders } from '../../support/host/folder.ts';

const has = (program: string, ...args: string[]) => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== 'ENOENT';
  }
};
const run = promisify(execFile);
const examples = new URL('../../../docs/deploy/', import.meta.url).pathname;

makeFolders();

test.skipIf(!has('systemd-analyze', '--version'))('The systemd unit has an exposure below 2 out of 10', () => {
  const unit = join(examples, 'site.service');
  const table = execFileSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit], {
    encoding: 'utf8',
  });
  expect(Number(/exposure level for \S+ (\d+\.\d+)/.exec(table)?.[1])).toBeLessThan(2);
});

test('The systemd unit can be enabled, and can write only to its data and its project', async () => {
  const unit = await readFile(join(examples, 'site.service'), 'utf8');
  expect(unit).toMatch(/^\[Install\]\nWantedBy=multi-user\.target$/m);
  expect(unit).toMatch(/^ProtectSystem=strict$/m);
  expect(unit).toMatch(/^StateDirectory=site$/m);
});

test.skipIf(!has('systemd-analyze', '--version') || !has('/usr/bin/curl', '--version'))(
  'systemd accepts the units that check the site',
  () => {
    const units = ['site-check.service', 'site-check.timer', 'site-alarm.service'].map((name) => join(examples, name));
    expect(execFileSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' })).toBe('');
  },
);

/** Returns the command of a unit, as systemd passes it to the system. */
async function commandOf(unit: string): Promise<string> {
  const text = (await readFile(join(examples, unit), 'utf8')).replaceAll('\\\n', '');
  return /^ExecStart=(.*)$/m.exec(text)![1]!.replaceAll('$$', '$').replaceAll('%H', 'machine');
}

test.skipIf(!has('curl', '--version'))('The check of the site fails if a part fails, and says which one', async () => {
  let status = 200;
  const behind = await serve(({ url }, response) => response.writeHead(status).end(`mail fails at ${url}`));
  const check = (await commandOf('site-check.service'))
    .replace(':8888', `:${behind.port}`)
    .replace('--retry 5 --retry-delay 60', '--retry 0');
  await run('sh', ['-c', check]);
  status = 503;
  await expect(run('sh', ['-c', check])).rejects.toMatchObject({ stdout: 'mail fails at /api/health?strict' });
  await behind.stop();
});

test.skipIf(!has('curl', '--version'))(
  'The alarm emails the owner what fails, then the log, without the site',
  async () => {
    const mail = await startMailServer();
    // Takes the place of the command that prints the log of systemd.
    const journal = `#!/bin/sh\ncase "$*" in *site-check*) echo The mail server is down;; *) echo Line of the log;; esac\n`;
    await writeFile(join(folder, 'journalctl'), journal, { mode: 0o755 });
    const sender = { SERVER: mail.url, SIGN_IN: ':', FROM: 'alarm@firm.example', TO: 'owner@firm.example' };
    const env = commandEnvironment(sender);
    const command = await commandOf('site-alarm.service');
    await run('sh', ['-c', command], { env: { ...env, PATH: `${folder}:${env.PATH}` } });
    const { subject, envelope, text } = await mail.waitFor(() => true);
    expect(text).toMatch(/^The website does not answer[^]*The mail server is down[^]*Line of the log/);
    expect({ subject, envelope }).toEqual({
      subject: 'Problem with the website on machine',
      envelope: { from: 'alarm@firm.example', to: ['owner@firm.example'] },
    });
    await mail.close();
  },
);

test.skipIf(!has('caddy', 'version'))('The Caddy example is valid', async () => {
  const file = join(examples, 'Caddyfile');
  const options = ['--config', file, '--adapter', 'caddyfile', '--validate'];
  const { stdout } = await run('caddy', ['adapt', ...options], { env: commandEnvironment({ HOME: folder }) });
  expect(stdout).toContain('"max_size":8000000');
  expect(stdout).toContain('"response_header_timeout":60000000000');
});

/** Sends a request to a proxy whose certificate was made for the test. */
const ask = (port: number, options: RequestOptions = {}, body = '' as string | Buffer) =>
  send({ protocol: 'https:', port, rejectUnauthorized: false, ...options } as RequestOptions, body);

/** Writes the built page for the time when the site is down. @returns its folder. */
async function unavailablePage(): Promise<string> {
  const page = await unavailable({} as APIContext);
  await writeFile(join(folder, 'unavailable.html'), await page.text());
  return folder;
}

/** Checks that a visitor sees whom to call while the site is down. */
function expectContactDetails({ status, headers, text }: Answer): void {
  expect(status).toBe(503);
  expect(headers['retry-after']).toBe('60');
  expect(headers['content-type']).toContain('text/html');
  expect(text).toContain(site.phone);
  expect(text).toContain(site.email);
}

test.skipIf(!has('caddy', 'version'))(
  'The Caddy example shows a page with phone number and email address while the site is down',
  async () => {
    const port = await freePort();
    const file = join(folder, 'Caddyfile');
    const example = (await readFile(join(examples, 'Caddyfile'), 'utf8'))
      .replace('{\n', '{\n\tadmin off\n\tauto_https off\n')
      .replaceAll('/var/www/site', await unavailablePage());
    await writeFile(file, example);
    const caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      stdio: 'ignore',
      env: commandEnvironment({
        HOME: folder,
        SITE_URL: `http://127.0.0.1:${port}`,
        SITE_UPSTREAM: `127.0.0.1:${await freePort()}`,
      }),
    });
    onTestFinished(async () => {
      caddy.kill('SIGTERM');
      await once(caddy, 'exit');
    });
    const answer = await vi.waitFor(() => ask(port, { protocol: 'http:' }), { timeout: 30_000 });
    expectContactDetails(answer);
    expectContactDetails(await ask(port, { protocol: 'http:', method: 'POST', path: '/api/contact' }));
  },
);

describe.skipIf(!has('nginx', '-v'))('The nginx example', () => {
  /** Runs nginx with the example configuration in front of a site while `use` asks it. */
  async function proxied<T>(sitePort: number, use: (port: number) => Promise<T>): Promise<T> {
    await unavailablePage();
    const nginx = await startNginx(folder, sitePort);
    try {
      return await use(nginx.port);
    } finally {
      await nginx.stop();
    }
  }

  test('forwards a resume of 5 MB, and only the visitor’s own address', async () => {
    const behind = await serve((request, response) => {
      void buffer(request).then(({ length }) => response.end(JSON.stringify({ length, headers: request.headers })));
    });
    const body = Buffer.alloc(5 * 1024 * 1024 + 4096);
    const headers = { host: 'www.example.com', 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http' };
    const { status, text } = await proxied(behind.port, (port) => ask(port, { method: 'POST', headers }, body));
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      length: body.length,
      headers: { host: 'www.example.com', 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' },
    });
    await behind.stop();
  });

  test('compresses a list of the API, and sends a compressed file of the site unchanged', async () => {
    const list = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, title: 'The ledger agrees' })));
    const behind = await serve(({ url }, response) => {
      if (url === '/api/list') response.writeHead(200, { 'content-type': 'application/json' }).end(list);
      else response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'br' }).end('x'.repeat(5_000));
    });
    await proxied(behind.port, async (port) => {
      const headers = { host: 'www.example.com', 'accept-encoding': 'gzip, br' };
      const { headers: sent, text } = await ask(port, { headers, path: '/api/list' });
      expect(sent).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      expect(text.length).toBeLessThan(list.length / 5);
      expect(await ask(port, { headers })).toMatchObject({
        text: 'x'.repeat(5_000),
        headers: { 'content-encoding': 'br' },
      });
    });
    await behind.stop();
  });

  test('lets one address download at most 20 uploaded files at a time, and still request pages', async () => {
    const behind = await serve((request, response) => {
      if (request.url === '/') response.end('home');
      else response.write('x'.repeat(100_000));
    });
    await proxied(behind.port, async (port) => {
      const options = { port, host: '127.0.0.1', path: '/uploads/a.pdf', rejectUnauthorized: false, agent: false };
      const downloads = Array.from({ length: 21 }, () => requestHttps(options).on('error', () => undefined));
      const statuses = downloads.map(async (download) => {
        const [response] = (await once(download.end(), 'response')) as [IncomingMessage];
        return response.statusCode;
      });
      expect((await Promise.all(statuses)).filter((status) => status === 503)).toHaveLength(1);
      expect(await ask(port)).toMatchObject({ status: 200, text: 'home' });
      for (const download of downloads) download.destroy();
    });
    await behind.stop();
  });

  test('shows a page with phone number and email address while the site is down, and the site’s own errors as they are', async () => {
    const headers = { host: 'www.example.com' };
    await proxied(await freePort(), async (port) => {
      expectContactDetails(await ask(port, { headers }));
      expectContactDetails(await ask(port, { headers, method: 'POST', path: '/api/contact' }));
    });
    const busy = await serve((_, response) => response.writeHead(503).end('The server is busy.'));
    expect(await proxied(busy.port, (port) => ask(port, { headers }))).toMatchObject({ text: 'The server is busy.' });
    await busy.stop();
  });
});
