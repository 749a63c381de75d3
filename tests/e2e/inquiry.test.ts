import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { anInquiry } from '../support/inquiries.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();

async function fill(page: Page, form: string, changes: Record<string, unknown> = {}): Promise<void> {
  const { serviceInterest, ...texts } = anInquiry(changes);
  for (const [name, text] of Object.entries(texts)) await page.locator(`${form} [name=${name}]`).fill(text);
  await page.locator(`${form} [name=serviceInterest]`).selectOption(serviceInterest);
}

async function stored(q: string) {
  const login = await fetch(`${site.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(site.admin),
  });
  const { token } = await login.json();
  const list = async (status: string) => {
    const response = await fetch(`${site.url}/api/contact/submissions?status=${status}&q=${encodeURIComponent(q)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await response.json()).data;
  };
  return [...(await list('inbox')), ...(await list('quarantine'))];
}

/** Waits before sending. The site treats a form that is sent within two seconds after opening the page as spam. */
async function readAWhile(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.now() > 2_100);
}

const section = 'form[data-variant=section]';
const floating = 'form[data-variant=floating]';

describe('A visitor on a phone', () => {
  test('sends an inquiry from the home page, and the firm sees it and gets an email', async () => {
    const page = await browser.newPage({ device: 'phone', baseURL: site.url });
    await page.goto('/');
    // Opening hours with two lines must keep their distance from the border above.
    const hours = page.locator('.contact dd').last();
    const top = (element: Locator) => element.evaluate((part) => part.getBoundingClientRect().top);
    expect((await top(hours)) - (await top(hours.locator('..')))).toBeGreaterThan(8);
    await fill(page, section, { company: 'Phone Foods' });
    await readAWhile(page);
    await page.locator(`${section} [type=submit]`).click();
    await page.getByText('Form submitted successfully!').waitFor();
    await page.getByText("We'll be in touch with you shortly.").waitFor();
    const reference = await page.locator(`${section} [data-receipt-reference]`).textContent();
    expect(await page.locator(`${section} [name=message]`).inputValue()).toBe('');

    const rows = await stored('Phone Foods');
    expect(rows).toMatchObject([{ reference, status: 'inbox', company: 'Phone Foods' }]);
    const toFirm = await site.mail.waitFor(
      (mail) => mail.envelope.to.includes(site.firmAddress) && mail.subject?.includes('Phone Foods') === true,
    );
    expect(toFirm.subject).toContain(reference);
    await site.mail.waitFor((mail) => mail.subject === `We received your inquiry (${reference})`);

    const admin = await browser.newPage({ device: 'phone', baseURL: site.url });
    await admin.goto('/admin/sign-in');
    await admin.getByLabel('Email').fill(site.admin.email);
    await admin.getByLabel('Password', { exact: true }).fill(site.admin.password);
    await admin.keyboard.press('Enter');
    await admin.getByRole('tab', { name: 'Contact Submissions' }).click();
    await admin.getByText('Phone Foods').first().waitFor();
  });

  test('sends one from the contact widget, which closes, and loses no text when a field is missing', async () => {
    const page = await browser.newPage({ device: 'phone', baseURL: site.url });
    await page.goto('/');
    await page.getByRole('button', { name: 'Start Transformation' }).click();
    await page.getByRole('heading', { name: 'Start Transformation' }).waitFor();
    // Waits for the form's script, which shows the site's message about an empty field. Before that, the browser would
    // show its own message.
    await page.locator(`${floating}[data-enhanced]`).waitFor();
    await fill(page, floating, { company: '' });
    await readAWhile(page);
    await page.locator(`${floating} [type=submit]`).click();
    await page.getByText('Please fill in all fields').waitFor();
    expect(await stored('Panel')).toEqual([]);
    await page.locator(`${floating} [name=company]`).fill('Panel Works');
    await page.locator(`${floating} [type=submit]`).click();
    await page.getByText('Message sent successfully!').waitFor();
    await page.getByRole('heading', { name: 'Start Transformation' }).waitFor({ state: 'hidden' });
    expect(await stored('Panel Works')).toHaveLength(1);
  });
});

/**
 * Delays every script by 150 ms, as a slow phone network does. @param fails aborts the scripts instead of serving them.
 */
async function slowScripts(page: Page, fails = false): Promise<void> {
  await page.route('**/_astro/*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    await (fails ? route.abort() : route.continue());
  });
}

describe('The first press on an untouched form', () => {
  test.each([
    ['/contact', section, ['Name must be at least 2 characters.', 'Please select a service.']],
    [
      '/join-team',
      'form[data-enhance=career]',
      ['Please enter your full name.', 'Please upload your resume to continue.'],
    ],
  ])('on %s shows missing fields with the site’s own messages', async (address, form, messages) => {
    const page = await browser.newPage({ device: 'phone', baseURL: site.url });
    await slowScripts(page);
    await page.goto(address);
    await page.locator(`${form} [type=submit]`).tap();
    for (const message of messages) await page.locator(form).getByText(message).first().waitFor();
    const empty = await page.locator(`${form} [required]`).count();
    expect(await page.locator(`${form} [aria-invalid]`).count()).toBe(empty);
  });

  test('is handled by the browser if the scripts fail to load, and the server responds', async () => {
    const page = await browser.newPage({
      device: 'phone',
      baseURL: site.url,
      expected: [/_astro/, /ERR_FAILED/, /import/],
    });
    await slowScripts(page, true);
    await page.goto('/contact');
    await page.locator(`${section} [type=submit]`).tap();
    await page.locator(`${section} [name=fullName]:focus`).waitFor();
    await fill(page, section, { company: 'Lost Scripts', message: '   short   ' });
    await page.locator(`${section} [type=submit]`).tap();
    await page.waitForURL('**/contact/review?draft=*');
    await page.getByText('Message must be at least 10 characters.').first().waitFor();
  });
});

describe('Without scripts', () => {
  test('an inquiry is sent, its reference is shown, and the firm gets an email', async () => {
    const page = await browser.newPage({ device: 'phone', scripts: false, baseURL: site.url });
    await page.goto('/');
    await fill(page, section, { company: 'Scriptless Ltd' });
    await page.locator(`${section} [type=submit]`).click();
    await page.waitForURL('**/contact/sent?reference=*');
    const [inquiry] = await stored('Scriptless');
    await page.getByText(inquiry.reference).waitFor();
    await site.mail.waitFor((mail) => mail.subject?.includes('Scriptless') === true);
  });

  test('a refused inquiry returns with its text and its errors', async () => {
    const page = await browser.newPage({ device: 'phone', scripts: false, baseURL: site.url });
    await page.goto('/contact');
    await fill(page, section, { company: 'Second Try', message: '   short   ', fullName: '<i>Dana</i> & "Co"' });
    await page.locator(`${section} [type=submit]`).click();
    await page.waitForURL('**/contact/review?draft=*');
    await page.getByText('Message must be at least 10 characters.').first().waitFor();
    expect(await page.locator(`${section} [name=fullName]`).inputValue()).toBe('<i>Dana</i> & "Co"');
    expect(await page.locator(`${section} [name=serviceInterest]`).inputValue()).toBe('project-recovery');
    await page.locator(`${section} [name=message]`).fill('Now it is long enough.');
    await page.locator(`${section} [type=submit]`).click();
    await page.waitForURL('**/contact/sent?reference=*');
    expect(await stored('Second Try')).toHaveLength(1);
  });

  test('the admin signs in, and a wrong password shows an error', async () => {
    const page = await browser.newPage({ scripts: false, baseURL: site.url });
    await page.goto('/admin/sign-in');
    await page.getByLabel('Email').fill(site.admin.email);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/admin/sign-in#invalid');
    await page.getByText('The email address or password is incorrect.').waitFor();
  });
});
