import career from '../../../netlify/functions/career-application.ts';
import contact from '../../../netlify/functions/contact.ts';
import account from '../../../netlify/functions/account.ts';
import admin from '../../../netlify/functions/admin.ts';
import { type AccountEvent, accountEvents, tellAdmin } from '../../../netlify/server/auth/notices.ts';
import { runScheduledWork } from '../../../netlify/server/jobs.ts';
import { notifyAdmins } from '../../../netlify/server/mail/notices.ts';
import { singlesAnHour } from '../../../netlify/server/mail/add-messages.ts';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import { yearsFrom } from '../../../src/domain/submissions/application.ts';
import { site as firm } from '../../../src/site.config.ts';
import { signedInAdmin } from './admins.ts';
import { takeLog } from '../console.ts';
import { anInquiry } from '../samples/inquiries.ts';
import { type ReceivedMail, startMailServer } from '../servers/mail-server.ts';
import { multipart } from './multipart.ts';
import { anApplication, resumeFile } from '../samples/resumes.ts';
import { call, passTime, testServices } from './services.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

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
  const { services, advance } = site;
  const headers = await signedInAdmin(services, 'a@firm.example');
  const message = 'Our go-live slipped <twice> & the subledgers do not agree.\n\nCan you look at it before the audit?';
  await call(contact, '/api/contact', services, { json: anInquiry({ message, company: 'Whitfield & Söhne' }) });
  const application = await multipart({ ...anApplication(), resume: resumeFile() });
  await call(career, '/api/career-application', services, application);
  await call(admin, apiPaths.testMail, services, { method: 'POST', headers });
  await call(account, apiPaths.invitations, services, { headers, json: { email: 'invited@firm.example' } });
  const browser = new Request('https://www.firm.example', { headers: { 'user-agent': 'Firefox/140.0 (Macintosh)' } });
  for (const event of Object.keys(accountEvents) as AccountEvent[]) {
    await tellAdmin('a@firm.example', event, browser, services);
  }

  const blobs = (): never => {
    throw new Error('no such folder');
  };
  for (const faultyOrNot of [{ ...services, blobs }, services]) {
    for (let passed = 0; passed < 6; passed += 1) {
      advance(minute);
      await runScheduledWork(faultyOrNot);
    }
  }

  const notice = { subject: 'Test email from a flood', paragraphs: ['One.'], to: ['flooded@firm.example'] };
  for (let index = 0; index < singlesAnHour + 10; index += 1) {
    await notifyAdmins(services, { ...notice, key: `flood:${index}` });
  }
  advance(61 * minute);
  await runScheduledWork(services);

  const now = services.now().toISOString();
  // 30 days before an application is deleted, the site announces the deletion. The clock jumps to 20 days before that
  // date. After a jump, the site neither deletes nor announces anything for a day.
  advance(Date.parse(yearsFrom(now, firm.applicationsKeptYears)) - Date.parse(now) - 20 * day);
  await runScheduledWork(services);
  await passTime(site, 3 * day);

  // Removes the log lines of the faults above: console.ts fails a test that leaves unexpected lines.
  takeLog();
  const sent = mail.messages.filter(({ subject }) => subject !== notice.subject);
  const kinds = new Map(sent.map((email) => [email.subject ?? '', email]));
  await site.close();
  await mail.close();
  return kinds;
}
