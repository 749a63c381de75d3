import career from '../../netlify/functions/career-application.ts';
import contact from '../../netlify/functions/contact.ts';
import admin from '../../netlify/functions/admin.ts';
import { type AccountEvent, tellAdmin } from '../../netlify/server/auth/notices.ts';
import { notifyAdmins } from '../../netlify/server/mail/notices.ts';
import { singlesAnHour } from '../../netlify/server/mail/add-messages.ts';
import { apiPaths } from '../../src/domain/api-paths.ts';
import { yearsFrom } from '../../src/domain/application.ts';
import { site as firm } from '../../src/site.config.ts';
import { signedInAdmin } from './admins.ts';
import { takeLog } from './console.ts';
import { anInquiry } from './inquiries.ts';
import { type ReceivedMail, startMailServer } from './mail-server.ts';
import { multipart } from './multipart.ts';
import { anApplication, resumeFile } from './resumes.ts';
import { type TestServices, call, passTime, runEveryMinute, testServices } from './services.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const accountEvents: Readonly<Record<AccountEvent, true>> = {
  'new-sign-in': true,
  'passkey-added': true,
  'passkey-removed': true,
  'password-changed': true,
  'company-account-connected': true,
  'new-admin': true,
};

/** Makes the site send every kind of email over SMTP. @returns one received email of each kind, by subject. */
export async function everyEmail(): Promise<Map<string, ReceivedMail>> {
  const mail = await startMailServer();
  const site = await testServices({
    SMTP_URL: mail.url,
    MAIL_FROM: `${firm.name} <no-reply@firm.example>`,
    CONTACT_EMAIL: 'sales@firm.example',
    HR_EMAIL: 'hr@firm.example',
    SITE_URL: 'https://www.firm.example',
    CONTEXT: 'dev',
  });
  const headers = await signedInAdmin(site.services, 'a@firm.example');
  await submissions(site);
  await call(admin, apiPaths.testMail, site.services, { method: 'POST', headers });
  const browser = new Request('https://www.firm.example', { headers: { 'user-agent': 'Firefox/140.0 (Macintosh)' } });
  for (const event of Object.keys(accountEvents) as AccountEvent[]) {
    await tellAdmin('a@firm.example', event, browser, site.services);
  }
  await faultAndEnd(site);
  await flood(site);
  await deletionAndClock(site);
  // Removes the log lines of the faults above: console.ts fails a test that leaves unexpected lines.
  takeLog();
  const sent = mail.messages.filter(({ subject }) => subject !== 'Test email from a flood');
  const kinds = new Map(sent.map((message) => [message.subject ?? '', message]));
  await site.close();
  await mail.close();
  return kinds;
}

async function submissions({ services }: TestServices): Promise<void> {
  const message = 'Our go-live slipped <twice> & the subledgers do not agree.\n\nCan you look at it before the audit?';
  await call(contact, '/api/contact', services, { json: anInquiry({ message, company: 'Whitfield & Söhne' }) });
  const application = await multipart({ ...anApplication(), resume: resumeFile() });
  await call(career, '/api/career-application', services, application);
}

async function faultAndEnd({ services, advance }: TestServices): Promise<void> {
  const blobs = (): never => {
    throw new Error('no such folder');
  };
  const failing = { ...services, blobs };
  for (const given of [failing, services]) {
    for (let passed = 0; passed < 6; passed += 1) {
      advance(minute);
      await runEveryMinute(given);
    }
  }
}

async function flood({ services, advance }: TestServices): Promise<void> {
  for (let index = 0; index < singlesAnHour + 10; index += 1) {
    const to = ['flooded@firm.example'];
    await notifyAdmins(services, {
      key: `flood:${index}`,
      subject: 'Test email from a flood',
      paragraphs: ['One.'],
      to,
    });
  }
  advance(61 * minute);
  await runEveryMinute(services);
}

async function deletionAndClock(site: TestServices): Promise<void> {
  const now = site.services.now().toISOString();
  // 30 days before an application is deleted, the site announces the deletion. The clock jumps to 20 days before that
  // date. After a jump, the site neither deletes nor announces anything for a day.
  site.advance(Date.parse(yearsFrom(now, firm.applicationsKeptYears)) - Date.parse(now) - 20 * day);
  await runEveryMinute(site.services);
  await passTime(site, 3 * day);
}
