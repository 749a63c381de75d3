import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startMailServer } from '../tests/support/mail-server.ts';
import { commandEnvironment } from '../tests/support/command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the doctor command in a temporary folder. @returns its output and exit code. */
async function doctor(variables: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const program = join(import.meta.dirname, 'doctor.ts');
  const options = { cwd: folder, env: commandEnvironment(variables) };
  return await promisify(execFile)(process.execPath, [program], options).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, output: error.stdout }),
  );
}

const secrets = {
  CONTEXT: 'production',
  SESSION_SECRET: 'x'.repeat(32),
  ADMIN_EMAIL: 'owner@firm.example',
  ADMIN_PASSWORD: 'correct horse battery',
};

test('On a new machine, the doctor finds no errors and lists what to set up', async () => {
  const { code, output } = await doctor();
  expect(code).toBe(0);
  expect(output).toMatch(/^warning SMTP_URL is not set/m);
  expect(output).toMatch(/^ok {6}There is no database yet/m);
  expect(output).toContain('No problems found.');
});

test('The doctor connects to the mail server without sending an email, and names a server that does not respond', async () => {
  const mail = await startMailServer();
  const variables = { SMTP_URL: mail.url, MAIL_FROM: 'no-reply@firm.example' };
  expect((await doctor(variables)).output).toMatch(/^ok {6}The mail server \S+ accepts the sign-in/m);
  expect(mail.messages).toEqual([]);
  await mail.close();
  const { code, output } = await doctor(variables);
  expect(code).toBe(1);
  expect(output).toMatch(/^wrong {3}The mail server \S+ did not accept the sign-in: .*ECONNREFUSED/m);
});

test('The doctor names all invalid variables and all invalid firm details', async () => {
  await writeFile(join(folder, '.env'), 'CONTEXT=prod\n');
  await writeFile(join(folder, 'site.json'), '{ "emial": "hello@firm.example" }');
  const { code, output } = await doctor();
  expect(code).toBe(1);
  expect(output).toContain('CONTEXT must be production');
  expect(output).toContain('emial is unknown');
  expect(output).toContain('2 problems found.');
});

test('In production, the doctor warns about made-up values and about a folder that others can read', async () => {
  await mkdir(join(folder, '.data'));
  await chmod(join(folder, '.data'), 0o755);
  const { code, output } = await doctor({ ...secrets, HOST: '0.0.0.0' });
  expect(code).toBe(0);
  expect(output).toMatch(/^warning These details of the firm are still placeholders: name, legalName, /m);
  expect(output).toMatch(/^warning The pages make promises that you have not confirmed: rescue-response, /m);
  expect(output).toMatch(/^warning Other accounts can read \S+\.data/m);
  expect(output).toMatch(/^warning HOST=0\.0\.0\.0 accepts connections/m);
});

test('The doctor finds a damaged database and does not change it', async () => {
  await mkdir(join(folder, '.data'), { mode: 0o700 });
  await writeFile(join(folder, '.data/site.db'), Buffer.alloc(8192, 'damaged'));
  const { code, output } = await doctor();
  expect(code).toBe(1);
  expect(output).toMatch(/^wrong {3}The database in \S+site\.db does not respond: .*not a database.*Restore a backup/m);
});

test('The doctor checks the site at its public URL', async () => {
  const site = createServer((_, response) => response.end(JSON.stringify({ status: 'ok' })));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const SITE_URL = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  expect((await doctor({ SITE_URL })).output).toMatch(/^ok {6}http:\S+\/api\/health answers: ok\./m);
  await new Promise((resolve) => site.close(resolve));
  expect((await doctor({ SITE_URL })).output).toMatch(/^warning http:\S+\/api\/health does not respond/m);
});
