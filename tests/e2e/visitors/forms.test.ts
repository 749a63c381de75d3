import type { Locator, Page, Route } from 'playwright';
import { expect, test } from 'vitest';
import { type PageOptions, useBrowser } from '../../support/browser/browser.ts';
import { readAWhile } from '../../support/samples/inquiry-form.ts';
import { inquiringCompanies } from '../../support/samples/visitors.ts';
import { useSite } from '../../support/host/site.ts';

const browser = useBrowser();
const site = useSite();

const inquiry = {
  fullName: 'Ada Ledger',
  email: 'ada@example.com',
  company: 'Ledger & Co',
  serviceInterest: 'implementation',
  message: 'We need help with our books.',
};
type Name = keyof typeof inquiry;

/** What happens to a submission in place of reaching the site: a response, or a connection that is lost. */
type Fate = Parameters<Route['fulfill']>[0] | 'lost response' | Promise<void>;

const section = 'form[data-variant=section]';
const field = (form: Locator, name: string) => form.locator(`[name=${name}]`);
const errorAt = (form: Locator, name: Name) => form.locator(`[data-error-for=${name}]`);
const sendButton = (form: Locator) => form.locator('[type=submit]');
const isFocused = (place: Locator) =>
  expect.poll(() => place.evaluate((it) => it === document.activeElement)).toBe(true);
const toastOf = (page: Page) => page.locator('[data-toast]:popover-open');
const toastSays = (page: Page, ...texts: string[]) =>
  expect.poll(() => toastOf(page).locator('p').allTextContents()).toEqual(texts);
const valuesOf = (form: Locator): Promise<Record<string, unknown>> =>
  form.evaluate((element: HTMLFormElement) => Object.fromEntries(new FormData(element)));

async function fill(form: Locator, values: Partial<typeof inquiry> = inquiry): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    if (name === 'serviceInterest') await field(form, name).selectOption(value);
    else await field(form, name).fill(value);
  }
}

/** Opens the contact page, and gives each submission the next fate. Without one, a submission reaches the site. */
async function open(options: PageOptions = {}, path = '/contact') {
  const cookies = [{ name: 'cookies-accepted', value: 'declined' }];
  const page = await browser.newPage({ baseURL: site.url, cookies, ...options });
  const fates: Fate[] = [];
  const sent: { key: string | null; body: Record<string, unknown> }[] = [];
  await page.route('**/api/contact', async (route) => {
    const request = route.request();
    sent.push({
      key: await request.headerValue('idempotency-key'),
      body: request.postDataJSON() as (typeof sent)[0]['body'],
    });
    const fate = fates.shift();
    if (fate === 'lost response') {
      await route.fetch();
      return route.abort();
    }
    if (fate && !(fate instanceof Promise)) return route.fulfill(fate);
    await fate;
    return route.continue();
  });
  await page.goto(path);
  const form = page.locator(section);
  await field(form, 'fullName').focus();
  await page.locator(`${section}[data-enhanced]`).waitFor();
  return { page, form, fates, sent };
}

test('A refused inquiry has each message next to its field, is sent once, however often a visitor submits it, and gets a receipt', async () => {
  const { page, form, fates, sent } = await open();
  const summary = form.locator('[data-error-summary]');
  await fill(form, { ...inquiry, email: 'ada' });
  expect(await errorAt(form, 'email').isVisible()).toBe(false);
  await sendButton(form).click();
  await isFocused(field(form, 'email'));
  await field(form, 'email').pressSequentially('@example.com');
  expect(await errorAt(form, 'email').isVisible()).toBe(false);
  expect(await field(form, 'email').getAttribute('aria-invalid')).toBeNull();
  expect(await summary.isVisible()).toBe(false);
  await fill(form, { company: '', email: 'no' });
  expect(await errorAt(form, 'company').isVisible()).toBe(false);
  expect(await errorAt(form, 'email').isVisible()).toBe(true);

  await fill(form, { fullName: '', email: 'a@b', serviceInterest: '', message: 'short' });
  await sendButton(form).click();
  await isFocused(summary);
  for (const [name, message] of Object.entries({
    fullName: 'Name must be at least 2 characters.',
    email: 'Please enter a valid email address.',
    company: 'Company name is required.',
    serviceInterest: 'Please select a service.',
    message: 'Message must be at least 10 characters.',
  })) {
    expect(await errorAt(form, name as Name).textContent()).toBe(message);
    expect(await field(form, name).getAttribute('aria-invalid')).toBe('true');
  }
  await summary.getByRole('link', { name: 'Company' }).click();
  await isFocused(field(form, 'company'));
  expect(await toastOf(page).count()).toBe(0);
  expect(sent).toEqual([]);

  const answer = Promise.withResolvers<void>();
  fates.push(answer.promise);
  await fill(form);
  const width = (await sendButton(form).boundingBox())?.width;
  const label = await sendButton(form).innerHTML();
  await sendButton(form).dblclick();
  await field(form, 'company').press('Enter');
  expect(await sendButton(form).textContent()).toBe('Sending...');
  expect(await sendButton(form).isDisabled()).toBe(true);
  expect((await sendButton(form).boundingBox())?.width).toBeGreaterThan((width ?? Infinity) - 1);
  answer.resolve();
  await toastSays(page, 'Form submitted successfully!', "We'll be in touch with you shortly.");
  await isFocused(form.locator('[data-receipt]'));
  expect(await sendButton(form).innerHTML()).toBe(label);
  expect(await valuesOf(form)).toMatchObject({
    fullName: '',
    email: '',
    company: '',
    serviceInterest: '',
    message: '',
  });
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  expect(sent).toEqual([
    { key: expect.stringMatching(/^\d+(-\d+){3}$/), body: { ...inquiry, fillMs: expect.any(Number) } },
  ]);
  await field(form, 'fullName').fill('Ada');
  expect(await form.locator('[data-receipt]').isVisible()).toBe(false);
});

test('After each kind of failure the text stays, and the same text is the same submission, stored once', async () => {
  const { page, form, fates, sent } = await open({ expected: [/status of (400|429|503)/, 'ERR_FAILED'] });
  const company = 'Once & Only';
  const errors = { email: 'This address takes no mail.' };
  fates.push(
    // A Wi-Fi sign-in page answers with status 200.
    { status: 200, json: ['<h1>Welcome to our hotel</h1>'] },
    { status: 429, json: { message: 'Too many requests.' }, headers: { 'retry-after': '40' } },
    { status: 400, json: { message: 'Please check the form.', errors } },
    'lost response',
    { status: 503, json: { message: 'Down.' } },
  );
  await fill(form, { ...inquiry, company });
  await readAWhile(page);
  await sendButton(form).click();
  await toastOf(page).getByText('Submission failed').waitFor();
  await sendButton(form).click();
  await toastSays(page, 'Submission failed', '429: Too many requests.', 'You can try again in 40 seconds.');
  await sendButton(form).click();
  await toastSays(page, 'Submission failed', '400: Please check the form.');
  expect(await errorAt(form, 'email').textContent()).toBe(errors.email);
  await isFocused(field(form, 'email'));
  await field(form, 'company').focus();
  expect(await errorAt(form, 'email').isVisible()).toBe(true);
  expect(await valuesOf(form)).toMatchObject({ ...inquiry, company });
  expect(sent).toHaveLength(3);
  await sendButton(form).click();
  for (const attempts of [4, 5]) {
    await toastOf(page).getByText('Your answers are still in the form.').waitFor();
    expect(sent).toHaveLength(attempts);
    await toastOf(page).getByRole('button', { name: 'Try again' }).click();
  }
  await form.locator('[data-receipt]').waitFor();
  expect(sent).toHaveLength(6);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect((await inquiringCompanies(site.url)).filter((name) => name === company)).toHaveLength(1);

  fates.push({ status: 503, json: { message: 'Down.' } });
  await fill(form);
  await sendButton(form).click();
  await toastOf(page).getByText('Submission failed').waitFor();
  await field(form, 'message').fill('We need help with our books, and soon.');
  await sendButton(form).click();
  await form.locator('[data-receipt]').waitFor();
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
});

test('After an error, the widget stays open with the text; an answer without a reference is a success', async () => {
  const { page, form, fates } = await open({ expected: ['status of 500'] }, '/');
  const panel = page.locator('form[data-variant=floating]');
  await page.getByRole('button', { name: 'Start Transformation' }).click();
  await panel.waitFor();
  fates.push({ status: 500, json: {} }, ...Array.from({ length: 2 }, () => ({ status: 201, json: { success: true } })));
  await fill(panel);
  await sendButton(panel).click();
  await toastSays(page, 'Failed to send message', 'Please try again later.', 'Your answers are still in the form.');
  expect(await panel.isVisible()).toBe(true);
  expect(await valuesOf(panel)).toMatchObject(inquiry);
  await sendButton(panel).click();
  await toastSays(page, 'Message sent successfully!', "We'll be in touch with you shortly.");
  expect(await panel.isVisible()).toBe(false);
  await isFocused(page.getByRole('button', { name: 'Start Transformation' }));
  await fill(form);
  await sendButton(form).click();
  await toastSays(page, 'Form submitted successfully!', "We'll be in touch with you shortly.");
  await isFocused(sendButton(form));
  expect(await page.locator('[data-receipt]:visible').count()).toBe(0);
});

test('Without a network an inquiry is kept, and is sent when the network is back, unless the text was changed', async () => {
  const { page, form, sent } = await open({ expected: ['ERR_INTERNET_DISCONNECTED', 'ERR_FAILED'] });
  const later = 'Your answers are saved. Keep this page open, and we’ll send them when you’re back online.';
  const company = 'Offline Foods';
  await fill(form, { ...inquiry, company, message: 'Half of a new tho' });
  await readAWhile(page);
  await page.context().setOffline(true);
  await sendButton(form).click();
  await toastSays(page, 'Submission failed', 'You’re offline.', later);
  await field(form, 'message').fill(inquiry.message);
  await page.context().setOffline(false);
  await page.waitForFunction(() => navigator.onLine);
  // A request that the form sent on the event `online` would be noticed before this one.
  await page.evaluate(async () => void (await fetch('/api/health')));
  expect(sent).toHaveLength(1);
  await page.context().setOffline(true);
  await sendButton(form).click();
  await toastSays(page, 'Submission failed', 'You’re offline.', later);
  await page.context().setOffline(false);
  await form.locator('[data-receipt]').waitFor();
  expect(sent.at(-1)?.body).toMatchObject({ ...inquiry, company });
  expect((await inquiringCompanies(site.url)).filter((name) => name === company)).toHaveLength(1);
});

test('Text survives a reload and another page, but never replaces text that was typed before the script loaded', async () => {
  const { page, form, fates, sent } = await open({ expected: ['status of 500'] });
  fates.push({ status: 500, json: {} });
  await fill(form);
  await field(form, 'website').evaluate((trap: HTMLInputElement) => {
    trap.value = 'https://robot.example';
  });
  await sendButton(form).click();
  await toastOf(page).waitFor();
  expect(sent[0]?.body).toMatchObject({ website: 'https://robot.example' });
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('robot');
  await page.goto('/terms');
  await page.goto('/contact');
  await expect.poll(() => valuesOf(form)).toMatchObject({ ...inquiry, website: '' });
  await sendButton(form).click();
  await form.locator('[data-receipt]').waitFor();
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);

  await fill(form, { fullName: 'Old Name', company: 'Old Company' });
  await page.waitForFunction(() => JSON.stringify({ ...sessionStorage }).includes('Old Company'));
  const scripts = Promise.withResolvers<void>();
  await page.route('**/_astro/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await field(form, 'fullName').fill('New Name');
  scripts.resolve();
  await expect.poll(() => valuesOf(form)).toMatchObject({ fullName: 'New Name', company: 'Old Company' });
});

test('With blocked storage, the form and the button that resets the choice about cookies still work', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  await page.addInitScript(() => {
    for (const name of ['sessionStorage', 'localStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
    }
  });
  await page.goto('/privacy');
  const reset = page.getByRole('button', { name: 'Reset Cookie Preferences' });
  await Promise.all([page.waitForEvent('load'), reset.click()]);
  await page.goto('/contact');
  const form = page.locator(section);
  await fill(form, { ...inquiry, company: 'No Storage' });
  await page.locator(`${section}[data-enhanced]`).waitFor();
  await readAWhile(page);
  await sendButton(form).click();
  await form.locator('[data-receipt]').waitFor();
  expect(await inquiringCompanies(site.url)).toContain('No Storage');
});
