import nodemailer from 'nodemailer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startMailServer, type MailServer } from './mail-server.ts';

let server: MailServer;

beforeEach(async () => {
  server = await startMailServer({ slowMs: 150 });
});
afterEach(() => server.close());

const send = (subject: string): Promise<unknown> =>
  nodemailer.createTransport(server.url).sendMail({
    from: 'Site <site@example.com>',
    to: 'Sales <sales@example.com>',
    bcc: 'archive@example.com',
    subject,
    text: 'A line with ünïcode.\n.\nAnd a dot.',
  });

test('an email arrives unchanged, with its envelope', async () => {
  const [mail] = await Promise.all([server.waitFor(({ subject }) => subject === 'Hello'), send('Hello')]);
  expect(mail.text?.trim()).toBe('A line with ünïcode.\n.\nAnd a dot.');
  expect(mail.envelope).toEqual({ from: 'site@example.com', to: ['sales@example.com', 'archive@example.com'] });
  expect(server.messages).toHaveLength(1);
});

test('waiting for an email that does not arrive reports which emails arrived', async () => {
  await send('Another');
  await expect(server.waitFor(({ subject }) => subject === 'Hello', 50)).rejects.toThrow(
    'Another to sales@example.com',
  );
});

test('recipients can be refused permanently', async () => {
  server.fail('refuse-recipients');
  await expect(send('Refused')).rejects.toMatchObject({ responseCode: 550 });
});

test('an email is deferred once, then accepted', async () => {
  server.fail('temporary', 1);
  await expect(send('Later')).rejects.toMatchObject({ responseCode: 451 });
  await send('Later');
  expect(server.messages.map(({ subject }) => subject)).toEqual(['Later']);
  expect(server.refused).toEqual(server.messages[0]?.envelope.to);
});

test('a connection is dropped during an email', async () => {
  server.fail('drop');
  await expect(send('Dropped')).rejects.toThrow();
  server.fail(null);
  await send('Kept');
  expect(server.messages.map(({ subject }) => subject)).toEqual(['Kept']);
});

test('a slow server waits before it responds', async () => {
  server.fail('slow');
  const start = performance.now();
  await send('Slow');
  expect(performance.now() - start).toBeGreaterThanOrEqual(145);
});

test('a closed server refuses connections, and a new server can use its port', async () => {
  const port = Number(new URL(server.url).port);
  await server.close();
  await expect(send('Nobody')).rejects.toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
  server = await startMailServer({ port });
  await send('Somebody');
  expect(server.messages).toHaveLength(1);
});
