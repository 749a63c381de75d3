import type { Locator, Page, Route } from 'playwright';
import { expect, test } from 'vitest';
import { type PageOptions, hold, useBrowser } from '../../support/browser/browser.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { inquiryForm, readAWhile } from '../../support/samples/inquiry-form.ts';
import { inquiringCompanies } from '../../support/samples/visitors.ts';
import { useSite } from '../../support/host/site.ts';

const browser = useBrowser();
const site = useSite();

const inquiry = anInquiry();

/** What happens to a submission in place of reaching the site: a response, or a connection that is lost. */
type Fate = Parameters<Route['fulfill']>[0] | 'lost response' | Promise<void>;

const isFocused = (place: Locator) =>
  expect.poll(() => place.evaluate((it) => it === document.activeElement)).toBe(true);
const toastOf = (page: Page) => page.locator('[data-toast]:popover-open');
const toastSays = (page: Page, ...texts: string[]) =>
  expect.poll(() => toastOf(page).locator('p').allTextContents()).toEqual(texts);
const valuesOf = (form: Locator): Promise<Record<string, unknown>> =>
  form.evaluate((element: HTMLFormElement) => Object.fromEntries(new FormData(element)));

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
  const parts = inquiryForm(page);
  await parts.field('fullName').focus();
  await parts.enhanced();
  return { page, fates, sent, ...parts };
}

test('A refused inquiry has each message next to its field, is sent once, however often a visitor submits it, and gets a receipt', async () => {
  const { page, fates, sent, form, field, errorAt, sendButton, fill, send } = await open();
  const summary = form.locator('[data-error-summary]');
  await fill({ ...inquiry, email: 'ada' });
  expect(await errorAt('email').isVisible()).toBe(false);
  await send();
  await isFocused(field('email'));
  await field('email').pressSequentially('@example.com');
  expect(await errorAt('email').isVisible()).toBe(false);
  expect(await field('email').getAttribute('aria-invalid')).toBeNull();
  expect(await summary.isVisible()).toBe(false);
  await fill({ company: '', email: 'no' });
  expect(await errorAt('company').isVisible()).toBe(false);
  expect(await errorAt('email').isVisible()).toBe(true);

  await fill({ fullName: '', email: 'a@b', serviceInterest: '', message: 'short' });
  await send();
  await isFocused(summary);
  for (const [name, message] of Object.entries({
    fullName: 'Name must be at least 2 characters.',
    email: 'Please enter a valid email address.',
    company: 'Company name is required.',
    serviceInterest: 'Please select a service.',
    message: 'Message must be at least 10 characters.',
  })) {
    expect(await errorAt(name).textContent()).toBe(message);
    expect(await field(name).getAttribute('aria-invalid')).toBe('true');
  }
  await summary.getByRole('link', { name: 'Company' }).click();
  await isFocused(field('company'));
  expect(await toastOf(page).count()).toBe(0);
  expect(sent).toEqual([]);

  const answer = Promise.withResolvers<void>();
  fates.push(answer.promise);
  await fill();
  const width = (await sendButton.boundingBox())?.width;
  const label = await sendButton.innerHTML();
  await sendButton.dblclick();
  await field('company').press('Enter');
  expect(await sendButton.textContent()).toBe('Sending...');
  expect(await sendButton.isDisabled()).toBe(true);
  expect((await sendButton.boundingBox())?.width).toBeGreaterThan((width ?? Infinity) - 1);
  answer.resolve();
  await toastSays(page, 'Form submitted successfully!', "We'll be in touch with you shortly.");
  await isFocused(form.locator('[data-receipt]'));
  expect(await sendButton.innerHTML()).toBe(label);
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
  await field('fullName').fill('Ada');
  expect(await form.locator('[data-receipt]').isVisible()).toBe(false);
});

test('Text that a visitor types while the form is being sent stays, and survives a reload', async () => {
  const { page, fates, sent, field, fill, send } = await open();
  const answer = Promise.withResolvers<void>();
  fates.push(answer.promise);
  await fill();
  await send();
  await expect.poll(() => sent.length).toBe(1);
  await field('message').fill('One more question about the same project.');
  answer.resolve();
  await toastSays(page, 'Form submitted successfully!', "We'll be in touch with you shortly.");
  expect(await field('message').inputValue()).toBe('One more question about the same project.');
  await page.reload();
  await expect.poll(() => field('message').inputValue()).toBe('One more question about the same project.');
  await send();
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('After each kind of failure the text stays, and the same text is the same submission, stored once', async () => {
  const { page, fates, sent, form, field, errorAt, fill, send } = await open({
    expected: [/status of (400|429|503)/, 'ERR_FAILED'],
  });
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
  await fill({ ...inquiry, company });
  await readAWhile(page);
  await send();
  await toastOf(page).getByText('Submission failed').waitFor();
  await send();
  await toastSays(page, 'Submission failed', '429: Too many requests.', 'You can try again in 40 seconds.');
  await send();
  await toastSays(page, 'Submission failed', '400: Please check the form.');
  expect(await errorAt('email').textContent()).toBe(errors.email);
  await isFocused(field('email'));
  await field('company').focus();
  expect(await errorAt('email').isVisible()).toBe(true);
  expect(await valuesOf(form)).toMatchObject({ ...inquiry, company });
  expect(sent).toHaveLength(3);
  await send();
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
  await fill();
  await send();
  await toastOf(page).getByText('Submission failed').waitFor();
  await field('message').fill('We need help with our books, and soon.');
  await send();
  await form.locator('[data-receipt]').waitFor();
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
});

test('After an error, the widget stays open with the text; an answer without a reference is a success', async () => {
  const { page, fates, sendButton, fill, send } = await open({ expected: ['status of 500'] }, '/');
  const panel = inquiryForm(page, 'floating');
  await page.getByRole('button', { name: 'Start Transformation' }).click();
  await panel.form.waitFor();
  fates.push({ status: 500, json: {} }, ...Array.from({ length: 2 }, () => ({ status: 201, json: { success: true } })));
  await panel.fill();
  await panel.send();
  await toastSays(page, 'Failed to send message', 'Please try again later.', 'Your answers are still in the form.');
  expect(await panel.form.isVisible()).toBe(true);
  expect(await valuesOf(panel.form)).toMatchObject(inquiry);
  await panel.send();
  await toastSays(page, 'Message sent successfully!', "We'll be in touch with you shortly.");
  expect(await panel.form.isVisible()).toBe(false);
  await isFocused(page.getByRole('button', { name: 'Start Transformation' }));
  await fill();
  await send();
  await toastSays(page, 'Form submitted successfully!', "We'll be in touch with you shortly.");
  await isFocused(sendButton);
  expect(await page.locator('[data-receipt]:visible').count()).toBe(0);
});

test('Without a network an inquiry is kept, and is sent when the network is back, unless the text was changed', async () => {
  const { page, sent, form, field, fill, send } = await open({ expected: ['ERR_INTERNET_DISCONNECTED', 'ERR_FAILED'] });
  const later = 'Your answers are saved. Keep this page open, and we’ll send them when you’re back online.';
  const company = 'Offline Foods';
  await fill({ ...inquiry, company, message: 'Half of a new tho' });
  await readAWhile(page);
  await page.context().setOffline(true);
  await send();
  await toastSays(page, 'Submission failed', 'You’re offline.', later);
  await field('message').fill(inquiry.message);
  await page.context().setOffline(false);
  await page.waitForFunction(() => navigator.onLine);
  // A request that the form sent on the event `online` would be noticed before this one.
  await page.evaluate(async () => void (await fetch('/api/health')));
  expect(sent).toHaveLength(1);
  await page.context().setOffline(true);
  await send();
  await toastSays(page, 'Submission failed', 'You’re offline.', later);
  await page.context().setOffline(false);
  await form.locator('[data-receipt]').waitFor();
  expect(sent.at(-1)?.body).toMatchObject({ ...inquiry, company });
  expect((await inquiringCompanies(site.url)).filter((name) => name === company)).toHaveLength(1);
});

test('Text survives a reload and another page, but never replaces text that was typed before the script loaded', async () => {
  const { page, fates, sent, form, field, fill, send } = await open({ expected: ['status of 500'] });
  fates.push({ status: 500, json: {} });
  await fill();
  await field('website').evaluate((trap: HTMLInputElement) => {
    trap.value = 'https://robot.example';
  });
  await send();
  await toastOf(page).waitFor();
  expect(sent[0]?.body).toMatchObject({ website: 'https://robot.example' });
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('robot');
  await page.goto('/terms');
  await page.goto('/contact');
  await expect.poll(() => valuesOf(form)).toMatchObject({ ...inquiry, website: '' });
  await send();
  await form.locator('[data-receipt]').waitFor();
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);

  await fill({ fullName: 'Old Name', company: 'Old Company' });
  await page.waitForFunction(() => JSON.stringify({ ...sessionStorage }).includes('Old Company'));
  const load = await hold(page, '**/_astro/*.js');
  await page.reload({ waitUntil: 'commit' });
  await field('fullName').fill('New Name');
  load();
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
  const { form, fill, enhanced, send } = inquiryForm(page);
  await fill({ ...inquiry, company: 'No Storage' });
  await enhanced();
  await readAWhile(page);
  await send();
  await form.locator('[data-receipt]').waitFor();
  expect(await inquiringCompanies(site.url)).toContain('No Storage');
});
