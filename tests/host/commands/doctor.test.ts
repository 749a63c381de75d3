import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unfinished } from '../../../host/backups/rehearsal.ts';
import { runCommand } from '../../support/host/command.ts';
import { startMailServer } from '../../support/servers/mail-server.ts';
import { serve } from '../../support/servers/ports.ts';
import { folder, makeFolders } from '../../support/host/folder.ts';

makeFolders();

/** Runs the doctor command in a temporary folder. */
const doctor = (variables: Record<string, string> = {}, ...args: string[]) =>
  runCommand('doctor', args, { PORT: '0', ...variables }, folder);

test('On a new machine, the doctor finds no errors, checks the public URL, and lists what to set up', async () => {
  const site = await serve((_, response) => response.end(JSON.stringify({ status: 'ok' })));
  const { code, output } = await doctor({ SITE_URL: `http://127.0.0.1:${site.port}` });
  await site.stop();
  expect(code).toBe(0);
  expect(output).toMatch(/^warning SMTP_URL is not set/m);
  expect(output).toMatch(/^ok {6}There is no database yet/m);
  expect(output).toMatch(/^ok {6}http:\S+\/api\/health reports: ok\./m);
  expect(output).toMatch(/^No problems and [1-9] warnings? found\.$/m);
});

test('The doctor names all invalid variables and all invalid firm details', async () => {
  await writeFile(join(folder, '.env'), 'CONTEXT=prod\n');
  await writeFile(join(folder, 'site.json'), '{ "emial": "hello@firm.example" }');
  const { code, output } = await doctor();
  expect(code).toBe(1);
  expect(output).toContain('CONTEXT must be production');
  expect(output).toContain('emial is unknown');
  expect(output).toContain('2 problems and no warnings found.');
  expect(JSON.parse((await doctor({}, '--json')).output)).toMatchObject({
    problems: 2,
    warnings: 0,
    findings: expect.arrayContaining([{ verdict: 'wrong', text: expect.stringContaining('emial is unknown') }]),
  });
});

test('The doctor says that site.json must be an object, and names a mail address that is cut off, without the password', async () => {
  await writeFile(join(folder, 'site.json'), '[]');
  await writeFile(join(folder, '.env'), 'SMTP_URL=smtps://user:Secret#9@mail.firm.example\nMAIL_FROM=a@firm.example\n');
  const { code, output } = await doctor();
  expect(code).toBe(1);
  expect(output).toContain('wrong   site.json must contain an object: { … }\n');
  expect(output).toMatch(/SMTP_URL must be a URL such as \S+\. In \.env, put the whole value in quotation marks/);
  expect(output).not.toContain('Secret');
  expect(output).not.toMatch(/^ {4}at /m);
});

test('The doctor names a port in use, a damaged database, and what it cannot reach, and changes nothing', async () => {
  const other = await serve((_, response) => response.end('something else'));
  const damaged = Buffer.alloc(8192, 'damaged');
  await mkdir(join(folder, '.data'), { mode: 0o700 });
  await writeFile(join(folder, '.data/site.db'), damaged);
  const { code, output } = await doctor({
    PORT: String(other.port),
    SITE_URL: 'http://127.0.0.1:9',
    SMTP_URL: 'smtp://user:Top/Secret9@127.0.0.1:465',
    MAIL_FROM: 'no-reply@firm.example',
    NOTIFY_WEBHOOK_URL: 'http://127.0.0.1:9/Secret9',
  });
  await other.stop();
  expect(code).toBe(1);
  expect(output).toMatch(/^wrong {3}Another program is using port \d+ of 127\.0\.0\.1\./m);
  expect(output).toMatch(
    /^wrong {3}The database file is damaged\. .*\n.*\(file is not a database\)\.\n {2}mv \.data \.data\.old\n/m,
  );
  expect(output).toMatch(/^wrong {3}The mail server 127\.0\.0\.1:465 cannot be used: .*ECONNREFUSED/m);
  expect(output).toMatch(/^warning Port 465 usually needs SMTP_URL to begin with smtps:/m);
  expect(output).toMatch(/^wrong {3}The team chat at 127\.0\.0\.1:9 cannot be used: /m);
  expect(output).toMatch(/^warning http:\S+\/api\/health does not respond/m);
  expect(output).not.toContain('Secret9');
  expect(await readFile(join(folder, '.data/site.db'))).toEqual(damaged);
});

test('The doctor names a HOST that is no address of this machine', async () => {
  const { code, output } = await doctor({ HOST: '192.0.2.1' });
  expect(code).toBe(1);
  expect(output).toMatch(/^wrong {3}HOST is not an address of this machine: 192\.0\.2\.1\./m);
});

test('Before an upgrade, neither the port of the site nor another server stops the doctor, but a problem of the data does', async () => {
  const site = await serve((_, response) => response.writeHead(502).end());
  const unreachable = {
    PORT: String(site.port),
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'no-reply@firm.example',
    NOTIFY_WEBHOOK_URL: 'http://127.0.0.1:9/hooks',
    BACKUP_URL: 'http://key:secret@127.0.0.1:9/firm',
  };
  const { code, output } = await doctor(unreachable, '--upgrade');
  expect(output).toMatch(/^warning The mail server 127\.0\.0\.1:9 cannot be used: /m);
  expect(output).toMatch(/^warning The team chat at 127\.0\.0\.1:9 cannot be used: /m);
  expect(output).toMatch(/^warning The backup bucket at 127\.0\.0\.1:9 cannot be reached: /m);
  expect(code).toBe(0);
  await writeFile(join(folder, '.data'), 'no folder');
  const damaged = await doctor(unreachable, '--upgrade');
  expect(damaged.output).toMatch(/^wrong {3}\S+\.data is not a folder\./m);
  expect(damaged.code).toBe(1);
  await site.stop();
});

test('The doctor signs in to the mail server and asks the team chat, and sends no message', async () => {
  const mail = await startMailServer();
  const methods: (string | undefined)[] = [];
  const chat = await serve(({ method }, response) => {
    methods.push(method);
    response.writeHead(405).end();
  });
  const { output } = await doctor({
    SMTP_URL: mail.url,
    MAIL_FROM: 'no-reply@firm',
    NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${chat.port}/hooks`,
  });
  await chat.stop();
  await mail.close();
  expect(output).toMatch(/^ok {6}The mail server \S+ accepts the sign-in/m);
  expect(output).toMatch(/^warning MAIL_FROM does not look like an email address: no-reply@firm\./m);
  expect(output).toMatch(/^ok {6}The team chat at \S+ answers/m);
  expect([mail.messages, methods]).toEqual([[], ['HEAD']]);
});

test('The doctor says that BACKUP_DIR does not include the database server in LIBSQL_URL', async () => {
  const { output } = await doctor({ BACKUP_DIR: join(folder, 'backups'), LIBSQL_URL: 'http://127.0.0.1:9' });
  expect(output).toMatch(/^wrong {3}LIBSQL_URL names a database server, which backups do not include\./m);
});

test('The doctor warns about a test restore that failed, with everything else that it finds about the backups', async () => {
  await mkdir(join(folder, '.data'), { mode: 0o700 });
  const failed = { at: '2026-11-21T11:00:00.000Z', error: 'The archive is damaged.' };
  await writeFile(join(folder, '.data/last-rehearsal.json'), JSON.stringify(failed));
  const { code, output } = await doctor({ BACKUP_DIR: join(folder, 'backups') });
  expect(code).toBe(0);
  expect(output).toMatch(/^ok {6}There is no backup in \S+backups yet\./m);
  expect(output).toMatch(/^warning The test restore on 2026\S+ failed: The archive is damaged\./m);

  await writeFile(join(folder, '.data/last-rehearsal.json'), JSON.stringify({ ...failed, error: unfinished }));
  const during = await doctor({ BACKUP_DIR: join(folder, 'backups') });
  expect(during.output).toMatch(/^ok {6}A test restore began on 2026\S+, and has no result yet\./m);
});

test('In production, the doctor refuses a common ADMIN_PASSWORD, and warns about made-up values and a readable folder', async () => {
  await mkdir(join(folder, '.data'));
  await chmod(join(folder, '.data'), 0o755);
  const { code, output } = await doctor({
    CONTEXT: 'production',
    SESSION_SECRET: 'x'.repeat(32),
    ADMIN_EMAIL: 'owner@firm.example',
    ADMIN_PASSWORD: 'passwordpassword',
    HOST: '0.0.0.0',
  });
  expect(code).toBe(1);
  expect(output).toMatch(/^wrong {3}ADMIN_PASSWORD is not safe enough for production\. .*easy to guess/m);
  expect(output).toMatch(/^warning These details of the firm are still placeholders: name, legalName, /m);
  expect(output).toMatch(/^warning The pages make promises that you have not confirmed: rescue-response, /m);
  expect(output).toMatch(/^warning Other accounts can read \S+\.data/m);
  expect(output).toMatch(/^warning HOST=0\.0\.0\.0 accepts connections/m);
  expect(output).toMatch(/^1 problem and /m);
});

test('The doctor says that the database of an earlier start is missing, and warns root about a folder of another account', async () => {
  await mkdir(join(folder, '.data/blobs'), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, '.data/blobs/has-database'), '');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(join(folder, '.data'), 12_345, 12_345);
  const { code, output } = await doctor();
  expect(code).toBe(1);
  expect(output).toMatch(/^wrong {3}The database \S+site\.db is missing\. It existed at an earlier start/m);
  if (!isRoot) return;
  expect(output).toMatch(/^wrong {3}You are root, but \.data belongs to the account with the number 12345/m);
});
