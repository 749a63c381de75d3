import { existsSync } from 'node:fs';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ownerVariables } from '../../support/samples/visitors.ts';
import { startHranaServer } from '../../support/servers/hrana-server.ts';
import { freePort, serve } from '../../support/servers/ports.ts';
import { makeProject, readied, start, startThatFails, stop, useProject } from '../../support/host/start.ts';
import { startService } from '../../support/host/systemd-service.ts';

let root: string;
/** The data folder in `root`. */
let data: string;
let tests = 0;
beforeAll(async () => {
  root = await makeProject();
  await stop(await readied(start()));
});
beforeEach(async () => {
  data = `data-${(tests += 1)}`;
  useProject(root, data);
  for (const left of ['.env', 'site.json', 'asked']) {
    await rm(join(root, left), { recursive: true, force: true });
  }
});

test('a second machine on one database server is refused, until the first one stops', async () => {
  const server = await startHranaServer({ path: join(root, 'shared.db') });
  const first = await readied(start({ LIBSQL_URL: server.url, DATA_DIR: `${data}-first` }));
  const second = { LIBSQL_URL: server.url, DATA_DIR: `${data}-second` };
  expect(await startThatFails(second)).toMatch(/Another machine uses the database in LIBSQL_URL/);
  await stop(await readied(start({ ...second, SHARED_DATABASE: 'on' })));
  await stop(first);
  await stop(await readied(start(second)));
  await server.close();
});

test('a start with the production database on a developer’s machine is refused with an explanation', async () => {
  const server = await startHranaServer({ path: join(root, 'production.db') });
  const production = {
    CONTEXT: 'production',
    SESSION_SECRET: 'x'.repeat(32),
    ...ownerVariables,
    LIBSQL_URL: server.url,
  };
  await stop(await readied(start({ ...production, DATA_DIR: `${data}-first` })));
  const refused = await startThatFails({ LIBSQL_URL: server.url, DATA_DIR: `${data}-second` });
  expect(refused).toContain('is not the production site, but it is connected to the production database');
  await server.close();
});

test('a start that is refused answers no visitor, so the proxy shows its own page', async () => {
  await mkdir(join(root, data), { mode: 0o700 });
  await writeFile(join(root, data, 'site.db'), Buffer.alloc(8192, 'damaged'));
  const port = await freePort();
  let ended = false;
  const refused = startThatFails({ PORT: String(port) }).finally(() => (ended = true));
  const answers: number[] = [];
  while (!ended) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => setTimeout(20));
    if (answer instanceof Response) answers.push(answer.status);
  }
  expect(await refused).toMatch(/The error is about the file site\.db in data-\d+/);
  expect(answers).toEqual([]);
});

test('with the socket of systemd, visitors wait during a restart, and a start that fails ends their connections', async () => {
  const service = await startService(root, join(root, data), await freePort());
  onTestFinished(() => service.stop());
  expect((await fetch(service.url)).status).toBe(200);
  const first = await service.pid();
  let restarted = false;
  const visits: Promise<number>[] = [];
  const visitor = async (path: string): Promise<void> => {
    while (!restarted) {
      const visit = fetch(service.url + path).then(async (answer) => {
        await answer.text();
        return answer.status;
      });
      visits.push(visit);
      await visit;
    }
  };
  const visitors = ['/', '/', '/', '/api/slow', '/api/slow'].map(visitor);
  process.kill(first, 'SIGTERM');
  await expect.poll(() => service.pid()).not.toBe(first);
  expect((await fetch(service.url)).status).toBe(200);
  restarted = true;
  await Promise.all(visitors);
  expect(new Set(await Promise.all(visits))).toEqual(new Set([200]));

  await writeFile(join(root, '.env'), 'SESSION_SECRET=short\n');
  process.kill(await service.pid(), 'SIGTERM');
  await expect.poll(service.output).toContain('SESSION_SECRET must have at least 32 characters');
  expect(service.output()).not.toMatch(/^ {4}at /m);
  await expect(fetch(service.url)).rejects.toThrow('fetch failed');
});

test('a .env file is read, environment variables override it, and a value that is cut off at a # is named but not printed', async () => {
  await writeFile(
    join(root, '.env'),
    [
      '# HR_EMAIL=a#b',
      'PORT=eighty # the port of the proxy',
      'ADMIN_EMAIL=owner@example.com',
      'ADMIN_PASSWORD=correct horse#battery',
      'LIBSQL_AUTH_TOKEN="a#b"',
      'export SESSION_SECRET = thirty-two characters and one more #def',
      '',
    ].join('\r\n'),
  );
  const host = await readied(start({ HOST: '0.0.0.0' }));
  for (const cut of ['ADMIN_PASSWORD', 'SESSION_SECRET']) {
    expect(host.output()).toContain(`the value of ${cut} ends at the # sign`);
  }
  expect(host.output().match(/ends at the # sign/g)).toHaveLength(2);
  expect(host.output()).not.toMatch(/horse|battery/);
  expect(host.output()).toContain('as owner@example.com with your password');
  // A server that other machines can reach explains how to trust a proxy.
  expect(host.output()).toMatch(/HOST=0\.0\.0\.0 accepts connections from other machines[^\n]*TRUSTED_PROXIES/);
  await stop(host);
});

test('invalid firm details stop the start, and the error names the key and the expected value', async () => {
  await writeFile(join(root, 'site.json'), JSON.stringify({ emial: 'hello@firm.example', phone: '12' }));
  const invalid = await startThatFails();
  expect(invalid).toMatch(/- phone must be a US number with 10 digits[\s\S]*- emial is unknown; the keys are name/);
  expect(invalid).not.toContain('Site: ');
  await writeFile(join(root, 'site.json'), '{\n  "name": "Firm",\n}');
  expect(await startThatFails()).toMatch(/^site\.json is not valid JSON: .*line 3[^\n]*\n$/);
});

test('a port that is in use is reported before anything is built or created', async () => {
  const { port, stop: free } = await serve();
  const refused = await startThatFails({ PORT: String(port) });
  expect(refused).toContain(`Another program is using port ${port} of 127.0.0.1.`);
  await expect(access(join(root, data))).rejects.toThrow('ENOENT');
  expect(refused).not.toContain('Site: ');
  await free();
});

test('Ctrl-C, which npm sends twice, lets a running request finish', async () => {
  const host = start();
  const url = await host.ready();
  const running = fetch(`${url}/api/slow`);
  await expect.poll(() => existsSync(join(root, 'asked'))).toBe(true);
  host.child.kill('SIGINT');
  host.child.kill('SIGINT');
  expect(await (await running).text()).toBe('finished');
  expect(await host.ended).toBe(0);
});

test('a later second signal stops the host immediately', async () => {
  const host = start();
  const url = await host.ready();
  fetch(`${url}/api/stuck`).catch(() => undefined);
  await expect.poll(() => existsSync(join(root, 'asked'))).toBe(true);
  host.child.kill('SIGTERM');
  // A second signal within a second counts as the same Ctrl-C.
  await setTimeout(1_200);
  expect(host.child.exitCode).toBeNull();
  host.child.kill('SIGTERM');
  expect(await host.ended).toBe(1);
});

test('a common ADMIN_PASSWORD stops the first start in production, and causes a warning elsewhere', async () => {
  const variables = { ADMIN_EMAIL: 'first@firm.example', ADMIN_PASSWORD: 'passwordpassword' };
  const production = { CONTEXT: 'production', SESSION_SECRET: 'x'.repeat(40), SITE_URL: 'https://a.example' };
  const refused = await startThatFails({ ...variables, ...production, DATA_DIR: `${data}-refused` });
  expect(refused).toContain('ADMIN_PASSWORD is not safe enough for production. This password is too easy to guess.');
  expect(refused).not.toContain('"level":"error"');
  const warned = await readied(start(variables));
  expect(warned.output()).toContain('Warning: ADMIN_PASSWORD: This password is too easy to guess.');
  expect(warned.output()).not.toContain('Warning: ADMIN_EMAIL');
  await stop(warned);
  // If ADMIN_EMAIL is not an admin, the start prints the command that adds one.
  const other = await readied(start({ ADMIN_EMAIL: 'second@firm.example' }));
  expect(other.output()).toContain('To add this admin, run: npm run admin -- create second@firm.example');
  await stop(other);
});
