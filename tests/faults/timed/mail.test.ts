import { expect, test } from 'vitest';
import { multipart } from '../../support/api/multipart.ts';
import { sizeOf } from '../../support/faults/faults.ts';
import { startHostProcess } from '../../support/host/host-process.ts';
import { anApplication, resumeFile } from '../../support/samples/resumes.ts';
import { ownerVariables, sendInquiry } from '../../support/samples/visitors.ts';
import { serve } from '../../support/servers/ports.ts';

// tests/functions/mail/mail.test.ts and tests/functions/http/faults.test.ts check the other faults of a mail server.
test('A mail server that hangs delays an applicant by at most two seconds, and the response says that no email was sent', async () => {
  const silent = await serve();
  const host = await startHostProcess(undefined, {
    ...ownerVariables,
    ...{ SMTP_URL: `smtp://127.0.0.1:${silent.port}`, MAIL_FROM: 'no-reply@firm.example' },
  });
  const application = await multipart({ ...anApplication(), resume: resumeFile() });
  const began = performance.now();
  const response = await fetch(`${host.url}/api/career-application`, application);
  const took = performance.now() - began;
  expect([response.status, await response.json()]).toMatchObject([201, { emailSent: false }]);
  // The site responds after waiting 2 s for the mail server. The limit of 4.5 s allows for a busy machine.
  expect(took).toBeLessThan(4_500);
  // All inquiries at the same time.
  const companies = Array.from({ length: sizeOf(4, 40) }, (_, index) => `Company ${index}`);
  for (const { status, ms } of await Promise.all(companies.map((company) => sendInquiry(host.url, company)))) {
    expect(status).toBe(201);
    expect(ms).toBeLessThan(4_000);
  }
  await host.stop();
  await silent.stop();
});
