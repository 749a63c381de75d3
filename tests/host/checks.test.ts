import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { checkMail, checkWebhook } from '../../host/checks.ts';
import { readEnv } from '../../netlify/server/env.ts';
import { startMailServer } from '../support/mail-server.ts';

/** Returns the sentences for the owner, without those about what works. */
async function problems(SMTP_URL: string, MAIL_FROM = 'The Firm <no-reply@firm.example>'): Promise<string[]> {
  const findings = await checkMail(readEnv({ SMTP_URL, MAIL_FROM }));
  return findings.filter(([verdict]) => verdict !== 'ok').map(([, words]) => words);
}

async function unusedPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test('The owner learns that the site sends no email without a mail server', async () => {
  expect(await checkMail(readEnv({}))).toEqual([['warning', expect.stringContaining('SMTP_URL is not set')]]);
});

test('A working mail server gets a sign-in but no email, and an unreachable one is named', async () => {
  const mail = await startMailServer();
  expect(await problems(mail.url)).toEqual([]);
  expect(mail.messages).toEqual([]);
  expect(await problems(mail.url, 'no-reply@firm')).toEqual([expect.stringContaining('MAIL_FROM does not look like')]);
  await mail.close();
  const [unreachable] = await problems(`smtp://user:Top/Secret9@127.0.0.1:${await unusedPort()}`);
  expect(unreachable).toContain('ECONNREFUSED');
  expect(unreachable).not.toContain('Secret9');
  expect((await problems('smtp://127.0.0.1:465'))[0]).toContain('smtps://');
});

test('A team chat that does not answer is named without its secret address, and nothing is posted to it', async () => {
  const methods: (string | undefined)[] = [];
  const chat = createHttpServer(({ method }, response) => {
    methods.push(method);
    response.writeHead(405).end();
  });
  await once(chat.listen(0, '127.0.0.1'), 'listening');
  const url = (port: number) => `http://127.0.0.1:${port}/hooks/Secret9`;
  const check = (NOTIFY_WEBHOOK_URL: string) => checkWebhook(readEnv({ NOTIFY_WEBHOOK_URL }));
  expect(await check(url((chat.address() as AddressInfo).port))).toMatchObject([['ok', expect.any(String)]]);
  expect(methods).toEqual(['HEAD']);
  chat.close();
  const [[verdict, words]] = (await check(url(await unusedPort()))) as [[string, string]];
  expect(verdict).toBe('wrong');
  expect(words).toMatch(/^The team chat at 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/);
  expect(words).not.toContain('Secret9');
});
