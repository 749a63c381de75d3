import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { readEnv } from '../netlify/server/runtime/env.ts';
import { startMailServer } from '../tests/support/mail-server.ts';
import { emailWarnings } from './email-warnings.ts';

const warningsOf = (SMTP_URL: string, MAIL_FROM = 'The Firm <no-reply@firm.example>') =>
  emailWarnings(readEnv({ SMTP_URL, MAIL_FROM }));

test('A start without a mail server warns that the site sends no email', async () => {
  expect(await emailWarnings(readEnv({}))).toEqual([expect.stringContaining('SMTP_URL is not set')]);
});

test('A start with a working mail server prints no warning', async () => {
  const mail = await startMailServer();
  expect(await warningsOf(mail.url)).toEqual([]);
  await mail.close();
});

test('A start with an unreachable mail server prints the error', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  expect(await warningsOf(`smtp://127.0.0.1:${port}`)).toEqual([expect.stringContaining('ECONNREFUSED')]);
});

test('A start names values that look like typos', async () => {
  const mail = await startMailServer();
  expect(await warningsOf(mail.url, 'no-reply@firm')).toEqual([
    expect.stringContaining('MAIL_FROM does not look like'),
  ]);
  await mail.close();
  const [port465] = await warningsOf('smtp://127.0.0.1:465');
  expect(port465).toContain('smtps://');
});
