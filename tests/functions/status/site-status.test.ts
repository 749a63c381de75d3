import { describe, expect, test } from 'vitest';
import { runScheduledWork } from '../../../netlify/server/jobs.ts';
import { receive } from '../../../netlify/server/submissions/receive.ts';
import { deliver } from '../../../netlify/server/mail/deliver.ts';
import { useApi } from '../../support/api/api.ts';
import { takeLog } from '../../support/console.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { serve } from '../../support/servers/ports.ts';

const minute = 60_000;
const site = useApi({
  mail: true,
  owner: true,
  variables: { CONTACT_EMAIL: 'sales@firm.example', HR_EMAIL: 'hr@firm.example' },
});
const { tick } = site;
/** Sends an inquiry whose emails only the scheduled work sends. */
const inquire = (email = anInquiry().email) =>
  receive(
    'inquiry',
    {
      request: new Request('http://site.test'),
      address: '192.0.2.1',
      fromForm: false,
      input: anInquiry({ email, company: email }),
    },
    site.services,
  );
const healthNow = async () => await (await site.ask('/api/health', { address: '127.0.0.1' })).json();
const statusNow = async () => await (await site.admin('/api/settings/status')).json();
/** Returns the recipients of the emails about inquiries. */
const told = () =>
  site.mail.messages.filter(({ subject }) => /inquiry/i.test(subject ?? '')).flatMap(({ envelope }) => envelope.to);
const testMail = () => site.admin('/api/settings/test-mail', { method: 'POST' });

describe('The site status', () => {
  test('is fine while the background tasks run every minute', async () => {
    await tick();
    const status = await statusNow();
    expect(status.health).toMatchObject({ status: 'ok', mail: 'ok', schedule: 'ok' });
    // docs/operate.md tells owners to have an uptime service look for this text.
    expect(await (await site.ask('/api/health')).text()).toContain('"status":"ok"');
    expect(status.mail).toMatchObject({ configured: true, resendable: 0, error: null });
  });

  test('reports a failing background task by name, until it works again', async () => {
    const rename = (from: string, to: string) =>
      site.services.database.write({ sql: `ALTER TABLE ${from} RENAME TO ${to}`, args: [] });
    await rename('share_links', 'away');
    for (let passed = 0; passed < 8; passed += 1) {
      await tick();
      site.advance(minute);
    }
    expect(takeLog().join()).toContain('could not delete expired data');
    expect(await healthNow()).toMatchObject({
      status: 'degraded',
      schedule: 'These background tasks are failing: “delete expired data”. See the server log for the reason',
    });
    await rename('away', 'share_links');
    await tick();
    expect(await healthNow()).toMatchObject({ status: 'ok' });
  });

  test('does not say that email works after a test email that nobody accepted', async () => {
    site.mail.fail('refuse-recipients');
    expect((await (await testMail()).json()).receipts.map(({ sent }: { sent: boolean }) => sent)).not.toContain(true);
    expect((await healthNow()).mail).toContain('The mail server does not accept emails from the site.');
    site.mail.fail(null);
    await testMail();
    expect((await healthNow()).mail).toBe('ok');
  });
});

describe('A test email', () => {
  test('goes to the requesting admin and to both mailboxes of the firm, with the mail server’s response for each', async () => {
    site.mail.fail('refuse-recipients', 1);
    const { receipts } = await (await testMail()).json();
    expect(receipts.map(({ to }: { to: string }) => to)).toEqual([
      'owner@firm.example',
      'sales@firm.example',
      'hr@firm.example',
    ]);
    expect(receipts.filter(({ sent }: { sent: boolean }) => !sent)).toEqual([
      { to: expect.any(String), sent: false, answer: expect.stringContaining('No such mailbox') },
    ]);
    expect(site.mail.messages).toHaveLength(2);
    expect(site.mail.messages[0]?.subject).toMatch(/^Test email from /);
  });

  test('that is accepted ends an outage, and the waiting emails are sent', async () => {
    site.mail.fail('temporary');
    await inquire();
    await tick();
    site.advance(2 * minute);
    expect(await healthNow()).toMatchObject({
      mail: expect.stringContaining('The mail server does not accept emails from the site'),
    });
    site.mail.fail(null);
    await testMail();
    site.advance(10_000);
    expect(await healthNow()).toMatchObject({ mail: 'ok' });
    await tick();
    expect(told()).toHaveLength(2);
    takeLog();
  });
});

describe('“Send all failed emails again”', () => {
  const sendAll = async () => {
    const response = await site.admin('/api/settings/resend-mail', { method: 'POST' });
    expect(response.status).toBe(200);
    return await response.json();
  };
  const passHours = async (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      site.advance(60 * minute);
      await tick();
    }
    takeLog();
  };

  test('sends every email that the mail server refused for a day, as soon as the owner has repaired it', async () => {
    site.mail.fail('refuse-recipients');
    await inquire('a@one.example');
    await inquire('b@two.example');
    await deliver('mail', site.services);
    await passHours(26);
    expect((await statusNow()).mail).toMatchObject({
      resendable: 4,
      error: expect.stringMatching(/550/),
    });
    expect((await healthNow()).mail).toContain('Select “Send all failed emails again” under Settings > Site status');
    site.mail.fail(null);
    expect(await sendAll()).toEqual({ queued: 4 });
    expect(told().sort()).toEqual(['a@one.example', 'b@two.example', 'sales@firm.example', 'sales@firm.example']);
    expect((await statusNow()).mail).toMatchObject({ resendable: 0, error: null });
    expect(await sendAll()).toEqual({ queued: 0 });
    expect(told()).toHaveLength(4);
  });

  test('also sends the emails that wait for their next attempt, and appears in the activity with their number', async () => {
    site.mail.fail('refuse-recipients');
    await inquire('a@one.example');
    await deliver('mail', site.services);
    takeLog();
    expect((await healthNow()).mail).toContain('The mail server does not accept emails from the site');
    expect((await statusNow()).mail).toMatchObject({ resendable: 2, error: expect.stringMatching(/550/) });
    site.mail.fail(null);
    expect(await sendAll()).toEqual({ queued: 2 });
    expect(await sendAll()).toEqual({ queued: 0 });
    expect(told()).toHaveLength(2);
    expect((await site.activity()).filter(({ action }) => action.includes('failed email'))).toMatchObject([
      { action: 'sent 2 failed emails again' },
    ]);
    site.advance(10_000);
    expect((await healthNow()).mail).toBe('ok');
  });

  test('leaves out acknowledgments that failed more than a week ago', async () => {
    site.mail.fail('refuse-recipients');
    await inquire('a@one.example');
    await deliver('mail', site.services);
    await passHours(2);
    site.advance(8 * 24 * 60 * minute);
    await tick();
    takeLog();
    await site.renewSession();
    site.mail.fail(null);
    expect((await statusNow()).mail).toMatchObject({ resendable: 2 });
    await sendAll();
    expect(told()).toEqual(['sales@firm.example']);
  });
});

test.for(['test-mail', 'resend-mail'])(
  'Without a mail server, %s is refused, and names the missing variable',
  async (path) => {
    await site.restart({ SMTP_URL: '' });
    const response = await site.admin(`/api/settings/${path}`, { method: 'POST' });
    expect([response.status, (await response.json()).message]).toEqual([409, expect.stringContaining('SMTP_URL')]);
  },
);

test('Without a mail server, an email about an inquiry is not sent again, and the refusal names the missing variable', async () => {
  await site.restart({ SMTP_URL: '' });
  await inquire();
  const { data } = await (await site.admin('/api/contact/submissions')).json();
  const response = await site.admin(`/api/contact/submissions/${data[0].id}/resend`, { json: { mail: 'firm' } });
  expect([response.status, (await response.json()).message]).toEqual([409, expect.stringContaining('SMTP_URL')]);
});

test('A mail server that hangs is reported as an email problem, and no background task is late', async () => {
  await site.mail.close();
  await inquire();
  await deliver('mail', site.services);
  expect(takeLog()).toHaveLength(2);
  const silent = await serve(undefined, Number(new URL(site.mail.url).port));
  site.advance(30_000);
  // The mail server never responds, so the run ends only because of its time limit, and every other job has run.
  await runScheduledWork(site.services, 4_000);
  const ranAt = site.services.now().toISOString();
  expect(await site.services.stores.runs.last()).toMatchObject({ ranAt, failing: {} });
  takeLog();
  site.advance(30_000);
  expect(await healthNow()).toMatchObject({
    mail: expect.stringContaining('The mail server does not accept emails from the site'),
    schedule: 'ok',
  });
  await silent.stop();
});
