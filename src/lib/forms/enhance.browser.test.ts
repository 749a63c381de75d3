import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { useBrowser, type PageOptions } from '../../../tests/support/browser.ts';
import { bundle } from '../../../tests/support/bundle.ts';
import { startContactServer, type ContactServer } from '../../../tests/support/contact-page.ts';
import type { enhanceForm, FormSent } from './enhance.ts';

declare global {
  interface Window {
    enhanceForm: typeof enhanceForm;
    sent: FormSent[];
  }
}

const browser = useBrowser();
let server: ContactServer;

beforeAll(async () => {
  server = await startContactServer(
    await bundle("import { enhanceForm } from '/src/lib/forms/enhance.ts'; window.enhanceForm = enhanceForm;"),
  );
});
afterAll(() => server.close());
beforeEach(() => {
  server.received.length = 0;
  server.stored.clear();
  server.moods.length = 0;
});

const inquiry = {
  fullName: 'Ada Ledger',
  email: 'ada@example.com',
  company: 'Ledger & Co',
  serviceInterest: 'implementation',
  message: 'We need help with our books.',
};
type Inquiry = typeof inquiry;

/** Opens the page with forms that are not enhanced yet. */
async function open(options: PageOptions = {}, address = '/'): Promise<Page> {
  const page = await browser.newPage({ baseURL: server.url, ...options });
  await page.goto(address);
  return page;
}

async function enhance(page: Page): Promise<void> {
  await page.addScriptTag({ url: '/lib.js', type: 'module' });
  await page.evaluate(() => {
    for (const form of document.forms) window.enhanceForm(form);
    window.sent = [];
    document.addEventListener('form:sent', (event) => window.sent.push((event as CustomEvent<FormSent>).detail));
  });
}

async function ready(
  options?: PageOptions,
  address?: string,
): Promise<{ page: Page; section: Locator; panel: Locator }> {
  const page = await open(options, address);
  await enhance(page);
  return { page, section: page.locator('#form form'), panel: page.locator('#panel form') };
}

const field = (form: Locator, name: keyof Inquiry): Locator => form.locator(`[name=${name}]`);
const send = (form: Locator): Locator => form.locator('button[type=submit]');
const toastOf = (page: Page): Locator => page.locator('[data-toast]:popover-open');
const messageAt = (form: Locator, name: keyof Inquiry): Locator => form.locator(`[data-error-for=${name}]`);

async function fill(form: Locator, values: Partial<Inquiry> = inquiry): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const control = field(form, name as keyof Inquiry);
    if (name === 'serviceInterest') await control.selectOption(value);
    else await control.fill(value);
  }
}

async function valuesOf(form: Locator): Promise<Record<string, string>> {
  return form.evaluate((element: HTMLFormElement) =>
    Object.fromEntries(
      [...new FormData(element)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
    ),
  );
}

async function textsOf(toast: Locator): Promise<string[]> {
  await toast.waitFor();
  return toast.locator('p').allTextContents();
}

test('an invalid field has its message next to it, and the summary links to it', async () => {
  const { page, section } = await ready();
  await field(section, 'message').fill('short');
  await field(section, 'email').fill('a@b');
  expect(await messageAt(section, 'email').isVisible()).toBe(false);
  await send(section).click();
  expect(await messageAt(section, 'fullName').textContent()).toBe('Name must be at least 2 characters.');
  expect(await messageAt(section, 'email').textContent()).toBe('Please enter a valid email address.');
  expect(await messageAt(section, 'company').textContent()).toBe('Company name is required.');
  expect(await messageAt(section, 'serviceInterest').textContent()).toBe('Please select a service.');
  expect(await messageAt(section, 'message').textContent()).toBe('Message must be at least 10 characters.');
  expect(await field(section, 'email').getAttribute('aria-invalid')).toBe('true');
  const summary = section.locator('[data-error-summary]');
  expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
  await summary.getByRole('link', { name: 'Company' }).click();
  expect(await field(section, 'company').evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await toastOf(page).count()).toBe(0);
  expect(server.received).toEqual([]);
});

test('a field with an error is checked while it is corrected, and no other field is', async () => {
  const { section } = await ready();
  await fill(section, { ...inquiry, email: 'ada' });
  await send(section).click();
  expect(await field(section, 'email').evaluate((element) => element === document.activeElement)).toBe(true);
  await field(section, 'email').pressSequentially('@example.com');
  expect(await messageAt(section, 'email').isVisible()).toBe(false);
  expect(await field(section, 'email').getAttribute('aria-invalid')).toBeNull();
  expect(await section.locator('[data-error-summary]').isVisible()).toBe(false);
  await field(section, 'company').fill('');
  await field(section, 'email').fill('no');
  expect(await messageAt(section, 'company').isVisible()).toBe(false);
  expect(await messageAt(section, 'email').isVisible()).toBe(true);
});

test('an inquiry is sent once, however often it is submitted, and a receipt appears', async () => {
  const { page, section } = await ready();
  server.moods.push({ delay: 400 });
  await fill(section);
  const width = (await send(section).boundingBox())?.width;
  await send(section).dblclick();
  await field(section, 'company').press('Enter');
  expect(await send(section).textContent()).toBe('Sending...');
  expect(await send(section).isDisabled()).toBe(true);
  expect((await send(section).boundingBox())?.width).toBeGreaterThanOrEqual(width ?? Infinity);

  expect(await textsOf(toastOf(page))).toEqual(['Form submitted successfully!', "We'll be in touch with you shortly."]);
  expect(await send(section).innerHTML()).toBe('Send <b>now</b>');
  expect(Object.values(await valuesOf(section)).join('')).toBe('');
  expect(await section.locator('[data-receipt-reference]').textContent()).toBe('R-1');
  expect(await section.locator('[data-receipt]').evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await page.evaluate(() => [window.sent, sessionStorage.length])).toEqual([
    [{ name: 'contact', reference: 'R-1' }],
    0,
  ]);
  expect(server.received).toHaveLength(1);
  expect(server.received[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  expect(server.received[0]?.body).toEqual({ ...inquiry, fillMs: expect.any(Number) as unknown });

  await field(section, 'fullName').fill('Ada');
  expect(await section.locator('[data-receipt]').isVisible()).toBe(false);
});

test.each(['section', 'panel'] as const)(
  'an inquiry from the %s that is accepted without a reference is a success',
  async (place) => {
    const { page, ...forms } = await ready();
    if (place === 'panel') await page.getByRole('button', { name: 'Start Transformation' }).click();
    server.moods.push({ status: 201, body: { success: true, id: '7' } });
    await fill(forms[place]);
    await send(forms[place]).click();
    await toastOf(page).waitFor();
    expect(await toastOf(page).textContent()).toContain("We'll be in touch with you shortly.");
    expect(await toastOf(page).textContent()).not.toContain('reference');
    expect(await field(forms[place], 'fullName').inputValue()).toBe('');
    expect(await page.locator('[data-receipt]:visible').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
  },
);

test('a page that is not from the API, such as a Wi-Fi sign-in page, is an error, and the typed text stays', async () => {
  const { page, section } = await ready();
  server.moods.push({ status: 200, body: ['<h1>Welcome to our hotel</h1>'] });
  await fill(section);
  await send(section).click();
  await toastOf(page).getByText('Submission failed').waitFor();
  expect(await field(section, 'fullName').inputValue()).toBe(inquiry.fullName);
});

test('in the widget a toast reports an empty field, and nothing is sent', async () => {
  const { page, panel } = await ready({ device: 'phone' });
  await page.getByRole('button', { name: 'Start Transformation' }).tap();
  await fill(panel, { ...inquiry, company: ' ' });
  await send(panel).tap();
  expect(await textsOf(toastOf(page))).toEqual([
    'Please fill in all fields',
    'All fields are required to submit the form.',
  ]);
  expect(await toastOf(page).getByRole('alert').count()).toBe(1);
  expect(await messageAt(panel, 'company').textContent()).toBe('Company name is required.');
  expect(await field(panel, 'company').evaluate((element) => element === document.activeElement)).toBe(true);
  expect(server.received).toEqual([]);
});

test('a message from the widget closes it, and the focus returns to its button', async () => {
  const { page, panel } = await ready();
  await page.getByRole('button', { name: 'Start Transformation' }).click();
  await fill(panel);
  await send(panel).click();
  expect(await textsOf(toastOf(page))).toEqual([
    'Message sent successfully!',
    "We'll be in touch with you shortly.",
    'Your reference is R-1.',
  ]);
  expect(await panel.isVisible()).toBe(false);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Start Transformation');
});

test('after an error, the widget stays open with the typed text', async () => {
  const { page, panel } = await ready({ expected: ['status of 500'] });
  await page.getByRole('button', { name: 'Start Transformation' }).click();
  server.moods.push({ status: 500 });
  await fill(panel);
  await send(panel).click();
  expect(await textsOf(toastOf(page))).toEqual([
    'Failed to send message',
    'Please try again later.',
    'Your answers are still in the form.',
  ]);
  expect(await panel.isVisible()).toBe(true);
  expect(await valuesOf(panel)).toMatchObject(inquiry);
});

test('errors from the server appear next to their fields', async () => {
  const { page, section } = await ready({ expected: ['status of 400'] });
  const errors = { email: 'This address takes no mail.' };
  server.moods.push({ status: 400, body: { message: 'Please check the form.', errors } });
  await fill(section);
  await send(section).click();
  expect(await textsOf(toastOf(page))).toEqual(['Submission failed', '400: Please check the form.']);
  expect(await messageAt(section, 'email').textContent()).toBe('This address takes no mail.');
  expect(await field(section, 'email').evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await valuesOf(section)).toMatchObject(inquiry);
  await field(section, 'company').focus();
  expect(await messageAt(section, 'email').isVisible()).toBe(true);
  await field(section, 'email').fill('ada@ledger.example');
  expect(await messageAt(section, 'email').isVisible()).toBe(false);
});

test('after too many attempts, the message says when to try again', async () => {
  const { page, section } = await ready({ expected: ['status of 429'] });
  server.moods.push({ status: 429, body: { message: 'Too many requests.' }, headers: { 'retry-after': '40' } });
  await fill(section);
  await send(section).click();
  expect(await textsOf(toastOf(page))).toEqual([
    'Submission failed',
    '429: Too many requests.',
    'You can try again in 40 seconds.',
  ]);
});

test('after a lost response, the same submission is sent again and stored once', async () => {
  const { page, section } = await ready({ expected: ['ERR_EMPTY_RESPONSE', 'status of 503'] });
  server.moods.push({ cut: 'after' }, { status: 503 });
  await fill(section);
  await send(section).click();
  for (const title of ['Submission failed', 'Submission failed']) {
    expect((await textsOf(toastOf(page)))[0]).toBe(title);
    await toastOf(page).getByRole('button', { name: 'Try again' }).click();
  }
  await section.locator('[data-receipt]').waitFor();
  expect(server.received).toHaveLength(3);
  expect(new Set(server.received.map(({ key }) => key)).size).toBe(1);
  expect([...server.stored.values()]).toEqual([{ reference: 'R-1' }]);
});

test('changed text is a new submission', async () => {
  const { page, section } = await ready({ expected: ['status of 500'] });
  server.moods.push({ status: 500 });
  await fill(section);
  await send(section).click();
  await toastOf(page).waitFor();
  await field(section, 'message').fill('We need help with our books, and soon.');
  await send(section).click();
  await section.locator('[data-receipt]').waitFor();
  expect(new Set(server.received.map(({ key }) => key)).size).toBe(2);
});

test('without a network, an inquiry is kept and sent when the network is back', async () => {
  const { page, section } = await ready({ expected: ['ERR_INTERNET_DISCONNECTED'] });
  await fill(section);
  await page.context().setOffline(true);
  await send(section).click();
  const [title, , note] = await textsOf(toastOf(page));
  expect(title).toBe('Submission failed');
  expect(note).toContain('You’re offline. Your answers are saved');
  await page.context().setOffline(false);
  await section.locator('[data-receipt]').waitFor();
  expect(server.stored.size).toBe(1);
});

test('text that was changed later is not sent automatically', async () => {
  const { page, section } = await ready({ expected: ['ERR_INTERNET_DISCONNECTED'] });
  await fill(section);
  await page.context().setOffline(true);
  await send(section).click();
  await toastOf(page).waitFor();
  await field(section, 'message').fill('Half of a new tho');
  await page.context().setOffline(false);
  await page.waitForTimeout(200);
  expect(server.received).toEqual([]);
});

test('text survives a reload, and sending it again is the same submission', async () => {
  const { page, section } = await ready({ expected: ['status of 500'] });
  server.moods.push({ status: 500 });
  await fill(section);
  await page.locator('#form [name=website]').evaluate((element: HTMLInputElement) => {
    element.value = 'https://robot.example';
  });
  await send(section).click();
  await toastOf(page).waitFor();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('robot');
  await page.reload();
  await enhance(page);
  expect(await valuesOf(section)).toMatchObject({ ...inquiry, website: '' });
  await send(section).click();
  await section.locator('[data-receipt]').waitFor();
  expect(new Set(server.received.map(({ key }) => key)).size).toBe(1);
  expect(server.received[0]?.body['website']).toBe('https://robot.example');
});

test('text that was typed before the script loaded takes precedence over stored text', async () => {
  const { page, section } = await ready();
  await fill(section, { fullName: 'Old Name', company: 'Old Company' });
  await page.reload();
  await field(section, 'fullName').fill('New Name');
  await enhance(page);
  expect(await valuesOf(section)).toMatchObject({ fullName: 'New Name', company: 'Old Company' });
});

test('after leaving and coming back, the page still has the text', async () => {
  const { page, section } = await ready();
  await fill(section);
  await page.goto('/?elsewhere');
  await enhance(page);
  expect(await valuesOf(section)).toMatchObject(inquiry);
});

test.each([
  ['/?service=ecommerce-integrations', 'development'],
  ['/?service=support', 'support'],
  ['/#project-rescue', 'project-recovery'],
  ['/?service=unknown', ''],
])('the URL %s selects %j', async (address, chosen) => {
  const { page, section } = await ready({}, address);
  expect(await field(section, 'serviceInterest').inputValue()).toBe(chosen);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('a link to a service selects it, but never replaces a visitor’s own choice', async () => {
  const { page, section } = await ready();
  await page.getByRole('link', { name: 'Get a rescue' }).click();
  expect(await field(section, 'serviceInterest').inputValue()).toBe('project-recovery');
  await field(section, 'serviceInterest').selectOption('other');
  await page.getByRole('link', { name: 'Get a rescue' }).click();
  expect(await field(section, 'serviceInterest').inputValue()).toBe('other');
});

test('with blocked storage, the form still works', async () => {
  const page = await browser.newPage({ baseURL: server.url });
  await page.addInitScript(() => {
    for (const name of ['sessionStorage', 'localStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
    }
  });
  await page.goto('/');
  await enhance(page);
  const section = page.locator('#form form');
  await fill(section);
  await send(section).click();
  await section.locator('[data-receipt]').waitFor();
  expect(server.stored.size).toBe(1);
});

test('enhancing a form twice has no effect', async () => {
  const { page, section } = await ready();
  await enhance(page);
  await fill(section);
  await send(section).click();
  await section.locator('[data-receipt]').waitFor();
  expect(server.received).toHaveLength(1);
});
