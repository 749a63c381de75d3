import { describe, expect, test } from 'vitest';
import { uploadLimits } from '../../src/domain/upload.ts';
import { anInquiry } from '../support/inquiries.ts';
import { type Page, type PageOptions, useEngine } from '../support/person.ts';
import { useRelay } from '../support/relay.ts';
import { aPdf, anApplication } from '../support/resumes.ts';
import { useSite } from '../support/site.ts';

const hr = 'hr@firm.example';
const browser = useEngine();
const site = useSite({ HR_EMAIL: hr });
const relay = useRelay(site);

const lostConnection = [/request failed/, /Failed to load/, /Failed to fetch/, /ERR_/, /NetworkError/];

async function open(path: string, options: PageOptions = {}): Promise<Page> {
  const page = await browser.newPage({ baseURL: relay.url, ...options });
  await page.goto(path);
  return page;
}

/** Waits before sending. The site treats a form that is sent within two seconds after opening the page as spam. */
const readAWhile = (page: Page) => page.waitForFunction(() => performance.now() > 2_100);
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const notice = (page: Page) => page.locator('[data-toast]');
const mailTo = (address: string, words: string) =>
  site.mail.waitFor(({ envelope, subject }) => envelope.to.includes(address) && (subject ?? '').includes(words));

describe('An inquiry', () => {
  const form = 'form[data-variant=section]';
  async function fill(page: Page, changes: Parameters<typeof anInquiry>[0]): Promise<void> {
    const { serviceInterest, ...texts } = anInquiry(changes);
    for (const [name, text] of Object.entries(texts)) await page.locator(`${form} [name=${name}]`).fill(text);
    await page.locator(`${form} [name=serviceInterest]`).selectOption(serviceInterest);
  }
  const sendButton = (page: Page) => page.locator(`${form} [type=submit]`);

  test('shows errors next to the fields, then is sent, and the firm gets its email', async () => {
    const page = await open('/contact', { device: 'phone' });
    await fill(page, { company: 'Corrected Foods', email: 'dana@whitfield' });
    await page.locator('form[data-enhanced]').first().waitFor();
    await readAWhile(page);
    await sendButton(page).click();
    await page.locator(`${form} [name=email][aria-invalid=true]`).waitFor();
    await page.locator(`${form} [data-error-for=email]`).waitFor();
    expect(relay.passed).not.toContain('POST /api/contact');
    await page.locator(`${form} [name=email]`).fill('dana@whitfield-foods.example');
    await sendButton(page).click();
    await page.getByText('Form submitted successfully!').waitFor();
    const reference = (await page.locator(`${form} [data-receipt-reference]`).textContent()) ?? '-';
    expect(await page.locator(`${form} [name=message]`).inputValue()).toBe('');
    expect((await mailTo(site.firmAddress, 'Corrected Foods')).subject).toContain(reference);
  });

  test('whose response is lost keeps the typed text, and is stored once when it is sent again', async () => {
    const page = await open('/contact', { expected: lostConnection });
    await fill(page, { company: 'Train Wi-Fi' });
    await readAWhile(page);
    relay.cutNext(/^\/api\/contact/, 'after');
    await sendButton(page).click();
    await page.getByText('Submission failed').waitFor();
    expect(await page.locator(`${form} [name=company]`).inputValue()).toBe('Train Wi-Fi');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Form submitted successfully!').waitFor();
    await mailTo(site.firmAddress, 'Train Wi-Fi');
    expect(site.mail.messages.filter(({ subject }) => subject?.includes('Train Wi-Fi'))).toHaveLength(1);
  });
});

describe('An application', () => {
  const resume = (bytes = aPdf(), name = 'Mara Quill.pdf') => {
    return { name, mimeType: 'application/pdf', buffer: Buffer.from(bytes) };
  };
  async function fill(page: Page, changes: Parameters<typeof anApplication>[0]): Promise<void> {
    const application = anApplication(changes);
    await field(page, 'Full name').fill(application.fullName);
    await field(page, 'Email').fill(application.email);
    await field(page, 'Phone (optional)').fill(application.phone);
    await field(page, 'Position (optional)').selectOption(application.position);
    await field(page, 'NetSuite experience (optional)').selectOption(application.experience);
    await field(page, 'Cover letter (optional)').fill(application.coverLetter);
  }
  const submit = (page: Page) => page.getByRole('button', { name: 'Submit Application' });

  test('shows missing and invalid fields, then arrives with its resume', async () => {
    const page = await open('/join-team', { device: 'phone' });
    await fill(page, { fullName: 'Ida Quick' });
    await field(page, 'Resume').setInputFiles(resume(aPdf(), 'resume.exe'));
    await notice(page).getByText('Invalid file type').waitFor();
    await submit(page).click();
    await notice(page).getByText('Resume required').waitFor();
    await field(page, 'Resume').setInputFiles(resume());
    await page.getByText('Mara Quill.pdf').waitFor();
    await field(page, 'Full name').fill('');
    await submit(page).click();
    await notice(page).getByText('Required fields missing').waitFor();
    await field(page, 'Full name').fill('Ida Quick');
    await readAWhile(page);
    await submit(page).click();
    await notice(page).getByText('Application submitted successfully!').waitFor();
    const reference = (await page.locator('[data-receipt-reference]').textContent()) ?? '-';
    expect((await mailTo(hr, 'Ida Quick')).subject).toContain(reference);
  });

  test('with a file in parts continues after a lost connection with only the missing part', async () => {
    const page = await open('/join-team', { expected: lostConnection });
    await fill(page, { fullName: 'Otto Parts' });
    await field(page, 'Resume').setInputFiles(resume(aPdf(uploadLimits.resume)));
    await readAWhile(page);
    relay.cutNext(/^\/api\/uploads\/[^/]+\/parts\/2$/);
    await submit(page).click();
    await notice(page).getByText('Application submitted successfully!').waitFor();
    const parts = relay.passed.flatMap((line) => /\/parts\/(\d)$/.exec(line)?.[1] ?? []);
    expect(parts).toEqual(['1', '2']);
    await mailTo(hr, 'Otto Parts');
  });
});
