import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { beforeAll, expect, test } from 'vitest';
import { startHranaServer } from '../../support/servers/hrana-server.ts';
import { runCommand } from '../../support/host/command.ts';
import { folder, makeFolders } from '../../support/host/folder.ts';

makeFolders(beforeAll);

const admin = (words: string[], variables: Record<string, string> = { DATA_DIR: folder }) =>
  runCommand('admin', words, variables);

test('An owner creates admins, resets a password, and removes an admin, but never the last one; the admins get emails', async () => {
  const variables = {
    DATA_DIR: folder,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@firm.example',
  };
  expect((await admin(['list'])).output).toContain('There is no admin yet');
  const made = await admin(['create', 'first@firm.example'], variables);
  expect(made.output).toMatch(/^first@firm\.example can sign in now with the password ([a-z2-9]{5}-){3}[a-z2-9]{5} /);
  expect(await admin(['remove', 'first@firm.example'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('no one else could sign in'),
  });
  await admin(['create', 'second@firm.example'], variables);
  expect(await admin(['create', 'second@firm.example'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('is already an admin'),
  });
  expect((await admin(['reset', 'second@firm.example'], variables)).output).toContain('has the new password');
  const client = createClient({ url: `file:${join(folder, 'site.db')}` });
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

  expect(await admin(['reset', 'nobody@firm.example'])).toMatchObject({ code: 1 });
  expect((await admin(['remove', 'first@firm.example'])).output).toContain('is no longer an admin');
  expect((await admin(['list'])).output).toMatch(/^second@firm\.example {2}since \d{4}-\d{2}-\d{2} {2}password\n$/);
});

test('An owner creates an admin in a database on a server', async () => {
  const server = await startHranaServer({ path: join(folder, 'remote.db'), authToken: 'token' });
  const variables = { DATA_DIR: join(folder, 'unused'), LIBSQL_URL: server.url, LIBSQL_AUTH_TOKEN: 'token' };
  expect(await admin(['create', 'far@firm.example'], variables)).toMatchObject({ code: 0 });
  expect((await admin(['list'], variables)).output).toContain('far@firm.example');
  await server.close();
});

test('An unknown command prints the available commands', async () => {
  for (const words of [[], ['delete', 'a@firm.example']]) {
    expect(await admin(words)).toMatchObject({ code: 1, output: expect.stringContaining('npm run admin -- reset') });
  }
  expect(await admin(['create', 'nonsense'])).toMatchObject({
    code: 1,
    output: 'This is not an email address: nonsense\n',
  });
});
