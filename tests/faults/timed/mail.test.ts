import { once } from 'node:events';
import { type Socket, createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { HealthReport } from '../../../src/domain/site/site-status.ts';
import { aPdf } from '../../support/samples/files.ts';
import { sizeOf } from '../../support/faults/faults.ts';
import { sessionToken, startHostProcess } from '../../support/host/host-process.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { type MailServer, startMailServer } from '../../support/servers/mail-server.ts';
import { anApplication } from '../../support/samples/resumes.ts';
import { owner, ownerVariables } from '../../support/samples/visitors.ts';

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

async function mailServer(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const mail = await startMailServer(options);
  running.push(() => mail.close());
  return mail;
}
async function host(smtpUrl: string): Promise<string> {
  const addresses = { MAIL_FROM: 'no-reply@firm.example', CONTACT_EMAIL: 'sales@firm.example' };
  const started = await startHostProcess(undefined, { ...ownerVariables, SMTP_URL: smtpUrl, ...addresses });
  running.unshift(() => started.stop());
  return started.url;
}

/** Sends inquiries of different people at the same time. @returns the time of the slowest response in milliseconds. */
async function inquire(url: string, count: number): Promise<number> {
  const times = Array.from({ length: count }, async (_, index) => {
    const began = performance.now();
    const body = anInquiry({ email: `visitor${index}@visitors.example`, company: `Company ${index}` });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/api/contact`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(201);
    return performance.now() - began;
  });
  return Math.max(...(await Promise.all(times)));
}
/** Signs in. @returns a function that reads the status of each email to the firm. */
async function statusesAt(url: string): Promise<() => Promise<string[]>> {
  const headers = { authorization: `Bearer ${await sessionToken({ url }, owner)}` };
  return async () => {
    const response = await fetch(`${url}/api/contact/submissions?limit=200`, { headers });
    const { data } = (await response.json()) as { data: { delivery: { firm: { status: string } } }[] };
    return data.map(({ delivery }) => delivery.firm.status);
  };
}
const health = async (url: string): Promise<HealthReport> =>
  (await (await fetch(`${url}/api/health`)).json()) as HealthReport;
/** Counts the delivered emails about inquiries, without repeats. Admins also get emails about sign-ins and faults. */
const delivered = (mail: MailServer) =>
  new Set(mail.messages.filter(({ subject }) => /inquiry/.test(subject ?? '')).map(({ messageId }) => messageId)).size;

const many = sizeOf(4, 40);

// tests/functions/mail/mail.test.ts checks the other two faults with a clock that the test moves.
const mailFaults = [
  ['is down', null],
  ['asks to try again later', 'temporary'],
  ['cuts the connection', 'drop'],
] as const;

test.for(mailFaults.slice(0, sizeOf(1, 3)))(
  'A mail server that %s does not affect visitors, is reported to the owner, and gets every message when it is back',
  { timeout: 900_000 },
  async ([, fault]) => {
    const mail = await mailServer();
    if (fault) mail.fail(fault);
    else await mail.close();
    const url = await host(mail.url);
    expect(await inquire(url, many)).toBeLessThan(10_000);
    // While the server cannot be reached, only one email a minute is tried. The others wait.
    const statuses = await statusesAt(url);
    await expect.poll(statuses).toContain('retrying');
    expect((await statuses()).filter((status) => status === 'retrying' || status === 'waiting')).toHaveLength(many);
    if (!process.env['FAULTS']) return;
    // The health report shows the fault within five minutes. When the mail server works again, all emails are
    // delivered.
    await expect
      .poll(async () => (await health(url)).mail, { timeout: 300_000, interval: 5_000 })
      .toMatch(/The mail server does not accept emails from the site/);
    const back = fault ? mail : await mailServer({ port: Number(new URL(mail.url).port) });
    back.fail(null);
    await expect.poll(() => delivered(back), { timeout: 600_000, interval: 5_000 }).toBeGreaterThanOrEqual(2 * many);
    await expect.poll(async () => (await health(url)).mail, { timeout: 60_000, interval: 5_000 }).toBe('ok');
  },
);

test('A mail server that hangs delays an applicant by at most two seconds, and the response says that no email was sent', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as { port: number };
  running.push(async () => {
    for (const socket of sockets) socket.destroy();
    silent.close();
    await once(silent, 'close');
  });
  const url = await host(`smtp://127.0.0.1:${port}`);
  const form = new FormData();
  for (const [name, value] of Object.entries(anApplication())) form.set(name, value);
  form.set('resume', new File([aPdf()], 'resume.pdf', { type: 'application/pdf' }));
  const began = performance.now();
  const response = await fetch(`${url}/api/career-application`, { method: 'POST', body: form });
  const took = performance.now() - began;
  expect([response.status, await response.json()]).toMatchObject([201, { emailSent: false }]);
  // The site responds after waiting 2 s for the mail server. The limit of 4.5 s allows for a busy machine.
  expect(took).toBeLessThan(4_500);
  expect(await inquire(url, many)).toBeLessThan(4_000);
});
