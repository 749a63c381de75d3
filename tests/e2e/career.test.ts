import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { uploadLimits } from '../../src/domain/upload.ts';
import { site as firm } from '../../src/site.config.ts';
import { useBrowser } from '../support/browser.ts';
import { inbox, signedIn, startSession } from '../support/inbox.ts';
import { aPdf, anApplication } from '../support/resumes.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const hr = 'hr@firm.example';
const site = useSite({ HR_EMAIL: hr });

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const notice = (page: Page) => page.locator('[data-toast]:popover-open');
const submit = (page: Page) => page.getByRole('button', { name: 'Submit Application' });
const resume = (bytes = aPdf(), name = 'Mara Quill.pdf') => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(bytes),
});

async function open(options: Parameters<typeof browser.newPage>[0] = {}): Promise<Page> {
  const page = await browser.newPage({ baseURL: site.url, ...options });
  await page.goto('/join-team');
  return page;
}

async function fill(page: Page, changes: Parameters<typeof anApplication>[0] = {}): Promise<void> {
  const application = anApplication(changes);
  await field(page, 'Full name').fill(application.fullName);
  await field(page, 'Email').fill(application.email);
  await field(page, 'Phone (optional)').fill(application.phone);
  await field(page, 'Position (optional)').selectOption(application.position);
  await field(page, 'NetSuite experience (optional)').selectOption(application.experience);
  await field(page, 'Cover letter (optional)').fill(application.coverLetter);
}

/**
 * Waits before sending. The site treats a form that is sent within two seconds after opening the page as spam, and
 * holds back its emails.
 */
async function send(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.now() > 2_100);
  await submit(page).click();
}

const choose = (page: Page, file = resume()) => field(page, 'Resume').setInputFiles(file);
const textOf = (toast: Locator) => toast.locator('p').allTextContents();
const mailFrom = (name: string) =>
  site.mail.waitFor(({ envelope, subject }) => envelope.to.includes(hr) && (subject ?? '').includes(name));

describe('An applicant', () => {
  test('sends an application on a phone, by keyboard alone, and reads the reference', async () => {
    const page = await open({ viewport: { width: 360, height: 740 } });
    await field(page, 'Full name').focus();
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
    expect(await field(page, 'Resume').evaluate((input) => input === document.activeElement)).toBe(true);
    await choose(page);
    await page.getByText('Mara Quill.pdf').waitFor();
    expect(await page.locator('.resume-chosen p').innerText()).toMatch(/^Mara Quill\.pdf \d/);
    await page.waitForFunction(() => performance.now() > 2_100);
    await submit(page).focus();
    await page.keyboard.press('Enter');
    await notice(page).waitFor();
    expect(await textOf(notice(page))).toEqual([
      'Application submitted successfully!',
      "We've sent your application to our HR team and will get back to you soon.",
    ]);
    const reference = (await page.locator('[data-receipt-reference]').textContent()) ?? '';
    const received = await mailFrom('Ida Keys');
    expect(received.subject).toBe(`New application ${reference}: Ida Keys (NetSuite Developer)`);
    expect(received.text).toContain('4-5 years');
    expect(await field(page, 'Full name').inputValue()).toBe('');
    expect(await page.getByText('Mara Quill.pdf').isVisible()).toBe(false);
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  });

  test('sees which fields are missing or invalid, and keeps all other fields', async () => {
    const page = await open();
    await fill(page, { fullName: '' });
    await choose(page, resume(aPdf(), 'resume.exe'));
    expect(await textOf(notice(page))).toEqual(['Invalid file type', 'Please upload a PDF, DOC, or DOCX file.']);
    await choose(page, resume(aPdf(uploadLimits.resume + 1)));
    await notice(page).getByText('File too large').waitFor();
    expect(await textOf(notice(page))).toEqual(['File too large', 'Please upload a file smaller than 5MB.']);
    await submit(page).click();
    await notice(page).getByText('Resume required').waitFor();
    expect(await textOf(notice(page))).toEqual(['Resume required', 'Please upload your resume to continue.']);
    await choose(page);
    await submit(page).click();
    await notice(page).getByText('Required fields missing').waitFor();
    expect(await textOf(notice(page))).toEqual([
      'Required fields missing',
      'Please fill in your full name and email address.',
    ]);
    // The border of an invalid field must not change on hover. The drop area for files must not look like a text field.
    const border = (input: Element) => getComputedStyle(input).borderTop;
    const wrong = await field(page, 'Full name').evaluate(border);
    await field(page, 'Full name').hover();
    expect(await field(page, 'Full name').evaluate(border)).toBe(wrong);
    expect(await field(page, 'Resume').evaluate(border)).toContain('dashed');
    await page.getByRole('button', { name: 'Remove' }).click();
    expect(await field(page, 'Resume').evaluate((input: HTMLInputElement) => input.files?.length)).toBe(0);

    await page.reload();
    await page.waitForFunction(() => document.querySelector('form[data-enhanced]'));
    expect(await field(page, 'Cover letter (optional)').inputValue()).toBe(anApplication().coverLetter);
    expect(await field(page, 'Resume').evaluate((input: HTMLInputElement) => input.files?.length)).toBe(0);
  });

  test('with a file that only looks like a resume gets an error from the server', async () => {
    const page = await open({ expected: ['status of 400'] });
    await fill(page);
    await choose(page, resume(new Uint8Array(Buffer.from('MZ this is a program')), 'resume.pdf'));
    await submit(page).click();
    await notice(page).waitFor();
    expect(await textOf(notice(page))).toEqual([
      'Submission failed',
      'Please upload a PDF, DOC, or DOCX file for your resume.',
    ]);
    expect(await page.getByText('Only PDF and DOC/DOCX files are allowed').isVisible()).toBe(true);
    expect(await field(page, 'Full name').inputValue()).toBe('Mara Quill');
  });

  test('who loses the network in the middle of 5 MB finishes when it is back, with only the rest', async () => {
    const page = await open({ expected: ['ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED'] });
    await fill(page, { fullName: 'Otto Tunnel' });
    await choose(page, resume(aPdf(uploadLimits.resume)));
    const parts: string[] = [];
    await page.route('**/api/uploads/*/parts/*', async (route) => {
      const part = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
      parts.push(part);
      if (part === '2' && parts.length === 2) {
        await page.context().setOffline(true);
        await route.abort('internetdisconnected');
      } else {
        await route.continue();
      }
    });
    await send(page);
    await notice(page).getByText('Submission failed').waitFor();
    expect(await notice(page).textContent()).toContain('when you’re back online');
    await page.context().setOffline(false);
    await notice(page).getByText('Application submitted successfully!').waitFor();
    expect(parts.filter((part) => part === '1')).toEqual(['1']);
    expect((await mailFrom('Otto Tunnel')).subject).toContain('Otto Tunnel');
  });

  test('without scripts corrects the errors, and reads the reference on a separate page', async () => {
    const page = await open({ scripts: false, device: 'phone' });
    await fill(page, { fullName: 'Nora Plain', email: 'nora@plain' });
    await choose(page);
    await submit(page).click();
    await page.getByRole('heading', { level: 1, name: 'Please check what you entered.' }).waitFor();
    expect(await page.getByText('Please enter a valid email address.').isVisible()).toBe(true);
    expect(await page.getByText('Please choose your resume again.').isVisible()).toBe(true);
    expect(await field(page, 'Position (optional)').inputValue()).toBe('NetSuite Developer');
    await field(page, 'Email').fill('nora@plain.example');
    await choose(page);
    await submit(page).click();
    await page.getByRole('heading', { level: 1, name: 'Application submitted successfully!' }).waitFor();
    const { subject = '' } = await mailFrom('Nora Plain');
    expect(
      await page
        .getByText(/[0-9A-Z]{4}-[0-9A-Z]{4}/)
        .last()
        .textContent(),
    ).toContain(subject.split(/[ :]/)[2] ?? '-');
  });
});

test('An admin downloads a resume, marks its application as handled, and erases the person on request', async () => {
  const form = new FormData();
  for (const [name, value] of Object.entries(anApplication({ fullName: 'Vera Filed', email: 'vera@filed.example' }))) {
    form.append(name, value);
  }
  form.append('resume', new File([aPdf(40_000)], 'Vera Filed.pdf'));
  expect((await fetch(`${site.url}/api/career-application`, { method: 'POST', body: form })).status).toBe(201);

  const page = await signedIn(browser, site, await startSession(site));
  await page.goto('/admin?tab=submissions');
  await page.getByRole('button', { name: 'Applications' }).click();
  const list = page.getByRole('table', { name: 'Applications' });
  await list.getByText('Vera Filed').click();
  const opened = inbox.opened(page, 'Vera Filed');
  const deletion = opened.getByText('This application and its resume will be deleted on').locator('time');
  const year = new Date().getUTCFullYear() + firm.applicationsKeptYears;
  expect((await deletion.getAttribute('datetime'))?.slice(0, 4)).toBe(String(year));
  const downloading = page.waitForEvent('download');
  await opened.getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Vera Filed.pdf');
  expect(new Uint8Array(await readFile(await download.path()))).toEqual(aPdf(40_000));

  await page.keyboard.press('e');
  await inbox.notice(page).getByText('Moved to Handled').waitFor();
  await page.getByRole('button', { name: /^Handled/ }).click();
  await list.getByText('Vera Filed').click();
  await opened.getByRole('button', { name: 'Erase this person’s data…' }).click();
  await page.getByText('1 application with its resume').waitFor();
  await page.getByRole('button', { name: 'Erase permanently' }).click();
  await inbox.notice(page).getByText('Data erased', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Nothing handled yet' }).waitFor();
});
