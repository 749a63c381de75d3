import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@libsql/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startHranaServer } from '../support/hrana-server.ts';
import { commandEnvironment } from '../support/command.ts';

// Each command loads the server in a new process.
vi.setConfig({ testTimeout: 300_000 });

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'admin-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

interface Said {
  readonly out: string;
  readonly failed: boolean;
}

async function admin(words: string[], variables: Record<string, string> = { DATA_DIR: directory }): Promise<Said> {
  const env = commandEnvironment(variables);
  return await promisify(execFile)(process.execPath, ['host/commands/admin.ts', ...words], { env }).then(
    ({ stdout, stderr }) => ({ out: stdout + stderr, failed: false }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ out: stdout + stderr, failed: true }),
  );
}

test('An owner creates admins, resets a password, and removes an admin, but never the last one; the admins get emails', async () => {
  const variables = {
    DATA_DIR: directory,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@firm.example',
  };
  expect((await admin(['list'])).out).toContain('There is no admin yet');
  const made = await admin(['create', 'first@firm.example'], variables);
  expect(made.out).toMatch(/^first@firm\.example can sign in now with the password ([a-z2-9]{5}-){3}[a-z2-9]{5} /);
  expect(await admin(['remove', 'first@firm.example'])).toMatchObject({
    failed: true,
    out: expect.stringContaining('no one else could sign in'),
  });
  await admin(['create', 'second@firm.example'], variables);
  expect(await admin(['create', 'second@firm.example'])).toMatchObject({
    failed: true,
    out: expect.stringContaining('is already an admin'),
  });
  expect((await admin(['reset', 'second@firm.example'], variables)).out).toContain('has the new password');
  const client = createClient({ url: `file:${join(directory, 'site.db')}` });
  const { rows } = await client.execute(`SELECT recipient, text FROM outbox WHERE status = 'waiting' ORDER BY rowid`);
  client.close();
  expect(rows.map(({ recipient }) => recipient)).toEqual([
    'first@firm.example',
    'first@firm.example',
    'second@firm.example',
    'second@firm.example',
  ]);
  expect(rows[1]?.text).toContain('The website has a new admin: second@firm.example.');
  expect(rows[3]?.text).toContain('The password for second@firm.example was changed.');
  for (const { text } of rows) expect(text).toContain("From: The server's command line");

  expect(await admin(['reset', 'nobody@firm.example'])).toMatchObject({ failed: true });
  expect((await admin(['remove', 'first@firm.example'])).out).toContain('is no longer an admin');
  expect((await admin(['list'])).out).toMatch(/^second@firm\.example {2}since \d{4}-\d{2}-\d{2} {2}password\n$/);
});

test('An owner creates an admin in a database on a server', async () => {
  const server = await startHranaServer({ path: join(directory, 'remote.db'), authToken: 'token' });
  const variables = { DATA_DIR: join(directory, 'unused'), LIBSQL_URL: server.url, LIBSQL_AUTH_TOKEN: 'token' };
  expect(await admin(['create', 'far@firm.example'], variables)).toMatchObject({ failed: false });
  expect((await admin(['list'], variables)).out).toContain('far@firm.example');
  await server.close();
});

test('An owner creates an admin in a database file outside of the data folder', async () => {
  const file = join(directory, 'own.db');
  const variables = { DATA_DIR: join(directory, 'apart'), LIBSQL_URL: `file:${file}` };
  expect(await admin(['create', 'own@firm.example'], variables)).toMatchObject({ failed: false });
  expect((await stat(file)).isFile()).toBe(true);
});

test('An unknown command prints the available commands', async () => {
  for (const words of [[], ['delete', 'a@firm.example']]) {
    expect(await admin(words)).toMatchObject({ failed: true, out: expect.stringContaining('npm run admin -- reset') });
  }
  expect(await admin(['create', 'nonsense'])).toMatchObject({
    failed: true,
    out: 'This is not an email address: nonsense\n',
  });
});
