import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { ApplicationRecord } from '../../../src/domain/submissions/application.ts';
import { answered, inbox, inboxPath, signedIn, useAdmin, visitInbox } from '../../support/samples/inbox.ts';
import { applicationForm } from '../../support/samples/application-form.ts';
import { aPdf } from '../../support/samples/files.ts';
import { readAWhile } from '../../support/samples/inquiry-form.ts';
import { multipart } from '../../support/api/multipart.ts';
import { anApplication } from '../../support/samples/resumes.ts';

const hr = 'hr@firm.example';
const { browser, site, session, call } = useAdmin({ HR_EMAIL: hr });

test('An applicant on a small phone sends an application by keyboard alone, and reads the reference', async () => {
  const page = await browser.newPage({ baseURL: site.url, viewport: { width: 360, height: 740 } });
  await page.goto('/join-team');
  const notice = page.locator('[data-toast]:popover-open');
  const { field, choose } = applicationForm(page);
  await field('Full name').focus();
  const application = anApplication({ fullName: 'Ida Keys' });
  for (const text of [application.fullName, application.email, application.phone]) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type('NetSuite Dev');
  await page.keyboard.press('Tab');
  await page.keyboard.type('4');
  await page.keyboard.press('Tab');
  await page.keyboard.type(application.coverLetter);
  await page.keyboard.press('Tab');
  expect(await field('Resume').evaluate((input) => input === document.activeElement)).toBe(true);
  await choose();
  await page.getByText('Mara Quill.pdf').waitFor();
  expect(await page.locator('.resume-chosen p').innerText()).toMatch(/^Mara Quill\.pdf \d/);
  await readAWhile(page);
  await page.getByRole('button', { name: 'Submit Application' }).focus();
  await page.keyboard.press('Enter');
  await notice.waitFor();
  expect(await notice.locator('p').allTextContents()).toEqual([
    'Application submitted successfully!',
    "We've sent your application to our HR team and will get back to you soon.",
  ]);
  const reference = (await page.locator('[data-receipt-reference]').textContent()) ?? '';
  const received = await site.mail.waitFor(
    ({ envelope, subject }) => envelope.to.includes(hr) && subject!.includes(reference),
  );
  expect(received.subject).toBe(`New application ${reference}: Ida Keys (NetSuite Developer)`);
  expect(received.text).toContain('4-5 years');
  expect(await field('Full name').inputValue()).toBe('');
  expect(await page.getByText('Mara Quill.pdf').isVisible()).toBe(false);
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
});

test('A large resume arrives after the server was busy, and after it lost the parts', async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: [answered(503), answered(404)] });
  await page.goto('/join-team');
  const { fill, choose, send } = applicationForm(page);
  await fill({ fullName: 'Ida Parts' });
  await choose(aPdf(4_800_000));
  await page.route('**/parts/1', (route) => route.fulfill({ status: 503, headers: { 'retry-after': '0' } }), {
    times: 1,
  });
  await page.route('**/api/career-application', (route) => route.fulfill({ status: 404 }), { times: 1 });
  const sent: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && sent.push(new URL(request.url()).pathname));
  await readAWhile(page);
  await send();
  await page.getByText('Application submitted successfully!').waitFor();
  expect(
    sent.filter((path) => path === '/api/uploads'),
    sent.join('\n'),
  ).toHaveLength(2);
});

test('An admin on a phone downloads a resume after a failure, keeps an application after its deletion date, handles it, and erases the person', async () => {
  for (const [fullName, size] of [
    ['Second Quill', 100],
    ['Mara Quill', 40_000],
  ] as const) {
    const resume = new File([aPdf(size)], `${fullName}.pdf`);
    const application = await multipart({ ...anApplication({ fullName, email: 'quill@family.example' }), resume });
    expect((await fetch(`${site.url}/api/career-application`, application)).status).toBe(201);
  }
  const page = await signedIn(browser, site, session, { device: 'phone', expected: [answered(503)] });
  await visitInbox(page, inboxPath);
  await page.getByRole('button', { name: 'Applications' }).click();
  const application = page.getByRole('row', { name: /Mara Quill/ });
  await application.click();
  const dialog = page.getByRole('dialog', { name: 'Mara Quill' });
  const deletion = dialog.getByText('This application and its resume will be deleted on').locator('time');
  const applications: ApplicationRecord[] = await call('/api/contact/applications?q=family');
  const { keptUntil } = applications.find(({ fullName }) => fullName === 'Mara Quill')!;
  expect(await deletion.getAttribute('datetime')).toBe(keptUntil);
  expect((await dialog.boundingBox())?.width).toBe(await page.evaluate(() => innerWidth));
  await page.route('**/resume', (route) => route.fulfill({ status: 503, body: 'The disk is being checked.' }), {
    times: 1,
  });
  await dialog.getByRole('button', { name: 'Download' }).click();
  await inbox.notice(page).getByText('Couldn’t download the resume').waitFor();
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Mara Quill.pdf');
  expect(new Uint8Array(await readFile(await download.path()))).toEqual(aPdf(40_000));

  await dialog.getByRole('button', { name: 'Next application' }).click();
  const second = page.getByRole('dialog', { name: 'Second Quill' });
  await second.getByRole('button', { name: 'Previous application' }).click();
  await dialog.getByRole('checkbox', { name: 'Keep after deletion date' }).click();
  await application.getByText('Kept', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Erase this person’s data…' }).click();
  const erasing = page.getByRole('dialog', { name: 'Erase this person’s data?' });
  await erasing.getByText('Kept after deletion date').waitFor();
  await erasing.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('checkbox', { name: 'Keep after deletion date' }).click();
  await deletion.waitFor();
  await application.getByText('Kept', { exact: true }).waitFor({ state: 'detached' });

  await dialog.getByRole('button', { name: 'Mark as handled' }).click();
  await inbox.notice(page).getByText('Moved to Handled').waitFor();
  await second.getByRole('button', { name: 'Erase this person’s data…' }).click();
  await erasing.getByText('2 applications with their resumes').waitFor();
  await erasing.getByRole('button', { name: 'Erase permanently' }).click();
  await inbox.notice(page).getByText('Data erased', { exact: true }).waitFor();
  await second.waitFor({ state: 'detached' });
  for (const status of ['inbox', 'handled']) {
    expect(await call(`/api/contact/applications?status=${status}&q=family`)).toEqual([]);
  }
});
