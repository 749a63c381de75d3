import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startNginx } from '../tests/support/nginx.ts';

const has = (program: string, ...args: string[]) => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== 'ENOENT';
  }
};
const folder = new URL('../docs/deploy/', import.meta.url).pathname;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'deploy-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test.skipIf(!has('systemd-analyze', '--version'))('The systemd unit has an exposure below 2 out of 10', () => {
  const unit = join(folder, 'site.service');
  const table = execFileSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit], {
    encoding: 'utf8',
  });
  expect(Number(/exposure level for \S+ (\d+\.\d+)/.exec(table)?.[1])).toBeLessThan(2);
});

test('The systemd unit can be enabled, and can write only to its data and its project', async () => {
  const unit = await readFile(join(folder, 'site.service'), 'utf8');
  expect(unit).toMatch(/^\[Install\]\nWantedBy=multi-user\.target$/m);
  expect(unit).toMatch(/^ProtectSystem=strict$/m);
  expect(unit).toMatch(/^StateDirectory=site$/m);
});

test.skipIf(!has('caddy', 'version'))('The Caddy example is valid', async () => {
  const file = join(folder, 'Caddyfile');
  const adapted = execFileSync('caddy', ['adapt', '--config', file, '--adapter', 'caddyfile'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(adapted).toContain('"max_size":8000000');
});

describe.skipIf(!has('nginx', '-v'))('The nginx example', () => {
  /** Sends a request through nginx to a server that returns the requests it receives. */
  async function proxied(body: Buffer, headers: Record<string, string>) {
    const behind = createServer((request, response) => {
      void buffer(request).then((received) =>
        response.end(JSON.stringify({ bytes: received.length, headers: request.headers })),
      );
    });
    await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve));
    const nginx = await startNginx(directory, (behind.address() as AddressInfo).port);
    try {
      return await new Promise<{ status: number; text: string }>((resolve, reject) => {
        const asked = request(
          { port: nginx.port, host: '127.0.0.1', method: 'POST', path: '/', headers, rejectUnauthorized: false },
          (response) =>
            void buffer(response).then((text) => resolve({ status: response.statusCode ?? 0, text: String(text) })),
        );
        asked.once('error', reject).end(body);
      });
    } finally {
      await nginx.stop();
      await new Promise((resolve) => behind.close(resolve));
    }
  }

  test('forwards a resume of 5 MB, and only the visitor’s own address', async () => {
    const { status, text } = await proxied(Buffer.alloc(5 * 1024 * 1024 + 4096), {
      host: 'www.example.com',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'http',
    });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      bytes: 5 * 1024 * 1024 + 4096,
      headers: { host: 'www.example.com', 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' },
    });
  });
});
