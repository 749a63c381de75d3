import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import health from '../../netlify/functions/health.ts';
import siteStatus from '../../netlify/functions/site-status.ts';
import { receiveInquiry } from '../../netlify/server/submissions/inquiries.ts';
import { deliver } from '../../netlify/server/outbox/deliver.ts';
import { signedInAdmin } from '../support/admins.ts';
import { takeLog } from '../support/console.ts';
import { anInquiry } from '../support/inquiries.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type TestServices, call, runEveryMinute, testServices } from '../support/services.ts';

const minute = 60_000;
let mail: MailServer;
let site: TestServices;
let headers: { authorization: string };
beforeEach(async () => {
  mail = await startMailServer();
  site = await testServices({
    SMTP_URL: mail.url,
    MAIL_FROM: 'no-reply@firm.example',
    CONTACT_EMAIL: 'sales@firm.example',
    HR_EMAIL: 'hr@firm.example',
  });
  headers = await signedInAdmin(site.services);
});
afterEach(async () => {
  await site.close();
  await mail.close();
});

const tick = () => runEveryMinute(site.services);
const healthNow = async () => await (await call(health, '/api/health', site.services)).json();
const statusNow = async () => await (await call(siteStatus, '/api/settings/status', site.services, { headers })).json();
const testMail = () => call(siteStatus, '/api/settings/test-mail', site.services, { method: 'POST', headers });

describe('The site status', () => {
  test('is fine while the background tasks run every minute', async () => {
    await tick();
    const status = await statusNow();
    expect(status.health).toMatchObject({ status: 'ok', mail: 'ok', schedule: 'ok' });
    expect(status.mail).toMatchObject({ configured: true, waiting: 0, overdue: 0, failed: 0, oldestAt: null });
    expect(status.jobs).toContainEqual({
      name: 'send emails',
      ranAt: '2026-03-02T18:30:00.000Z',
      succeededAt: '2026-03-02T18:30:00.000Z',
      overdue: false,
    });
  });

  test('reports that the background tasks stopped', async () => {
    await tick();
    site.advance(6 * minute);
    expect(await healthNow()).toMatchObject({
      status: 'degraded',
      schedule: expect.stringContaining('have not run for five minutes'),
    });
    expect((await statusNow()).jobs.every((job: { overdue: boolean }) => job.overdue)).toBe(true);
    await tick();
    site.advance(10_000);
    expect(await healthNow()).toMatchObject({ status: 'ok' });
  });

  test('reports a failing background task by name', async () => {
    await tick();
    await site.services.database.write({ sql: 'DROP TABLE form_drafts', args: [] });
    site.advance(6 * minute);
    await tick();
    expect(takeLog()).toEqual([expect.stringContaining('could not delete expired form drafts')]);
    expect(await healthNow()).toMatchObject({ status: 'degraded' });
    const overdue = (await statusNow()).jobs.filter((job: { overdue: boolean }) => job.overdue);
    expect(overdue).toMatchObject([{ name: 'delete expired form drafts', ranAt: '2026-03-02T18:36:00.000Z' }]);
  });

  test('reports waiting email, and tells visitors neither how much nor why', async () => {
    mail.fail('temporary', 20);
    await receiveInquiry(anInquiry(), { key: null, fromForm: false }, site.services);
    await deliver('mail', site.services);
    takeLog();
    await tick();
    takeLog();
    expect((await statusNow()).mail).toMatchObject({ waiting: 2, overdue: 0 });
    site.advance(30 * minute);
    const report = await healthNow();
    expect(report.status).toBe('degraded');
    expect(report.mail).toBe(
      'Email has been failing since Mar 2, 10:30 AM PST. The site keeps trying. Check the mail server',
    );
    expect((await statusNow()).mail).toMatchObject({
      waiting: 2,
      overdue: 2,
      failed: 0,
      oldestAt: '2026-03-02T18:30:00.000Z',
    });
  });
});

describe('A test email', () => {
  test('goes to the requesting admin and to both mailboxes of the firm, with the mail server’s response for each', async () => {
    mail.fail('refuse-recipients', 1);
    const { receipts } = await (await testMail()).json();
    expect(receipts.map(({ to }: { to: string }) => to)).toEqual([
      'owner@firm.example',
      'sales@firm.example',
      'hr@firm.example',
    ]);
    expect(receipts.filter(({ sent }: { sent: boolean }) => !sent)).toEqual([
      { to: expect.any(String), sent: false, answer: expect.stringContaining('No such mailbox') },
    ]);
    expect(mail.messages).toHaveLength(2);
    expect(mail.messages[0]?.subject).toMatch(/^Test email from /);
  });

  test('that is accepted ends an outage, and the waiting emails are sent', async () => {
    mail.fail('temporary');
    await receiveInquiry(anInquiry(), { key: null, fromForm: false }, site.services);
    await tick();
    site.advance(2 * minute);
    expect(await healthNow()).toMatchObject({ mail: expect.stringContaining('Email has been failing since') });
    mail.fail(null);
    await testMail();
    site.advance(10_000);
    expect(await healthNow()).toMatchObject({ mail: 'ok' });
    await tick();
    expect(mail.messages.filter(({ subject }) => /inquiry/.test(subject ?? ''))).toHaveLength(2);
    takeLog();
  });

  test('needs a mail server', async () => {
    const mute = await testServices();
    const given = await signedInAdmin(mute.services);
    const response = await call(siteStatus, '/api/settings/test-mail', mute.services, {
      method: 'POST',
      headers: given,
    });
    expect(response.status).toBe(409);
    expect((await response.json()).message).toContain('SMTP_URL');
    await mute.close();
  });
});
