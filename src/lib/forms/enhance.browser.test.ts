import { expect, test } from 'vitest';
import {
  enhance,
  field,
  fill,
  inquiry,
  messageAt,
  send,
  textsOf,
  toastOf,
  valuesOf,
  useEnhancedForms,
} from '../../../tests/support/enhanced-forms.ts';

const forms = useEnhancedForms();
const { ready } = forms;

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
  expect(forms.server.received).toEqual([]);
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
  forms.server.moods.push({ delay: 400 });
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
  expect(forms.server.received).toHaveLength(1);
  expect(forms.server.received[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  expect(forms.server.received[0]?.body).toEqual({ ...inquiry, fillMs: expect.any(Number) as unknown });

  await field(section, 'fullName').fill('Ada');
  expect(await section.locator('[data-receipt]').isVisible()).toBe(false);
});

test.each(['section', 'panel'] as const)(
  'an inquiry from the %s that is accepted without a reference is a success',
  async (place) => {
    const { page, ...places } = await ready();
    if (place === 'panel') await page.getByRole('button', { name: 'Start Transformation' }).click();
    forms.server.moods.push({ status: 201, body: { success: true, id: '7' } });
    await fill(places[place]);
    await send(places[place]).click();
    await toastOf(page).waitFor();
    expect(await toastOf(page).textContent()).toContain("We'll be in touch with you shortly.");
    expect(await toastOf(page).textContent()).not.toContain('reference');
    expect(await field(places[place], 'fullName').inputValue()).toBe('');
    expect(await page.locator('[data-receipt]:visible').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
  },
);

test('a page that is not from the API, such as a Wi-Fi sign-in page, is an error, and the typed text stays', async () => {
  const { page, section } = await ready();
  forms.server.moods.push({ status: 200, body: ['<h1>Welcome to our hotel</h1>'] });
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
  expect(forms.server.received).toEqual([]);
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
  forms.server.moods.push({ status: 500 });
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
  forms.server.moods.push({ status: 400, body: { message: 'Please check the form.', errors } });
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
  forms.server.moods.push({ status: 429, body: { message: 'Too many requests.' }, headers: { 'retry-after': '40' } });
  await fill(section);
  await send(section).click();
  expect(await textsOf(toastOf(page))).toEqual([
    'Submission failed',
    '429: Too many requests.',
    'You can try again in 40 seconds.',
  ]);
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

test('enhancing a form twice has no effect', async () => {
  const { page, section } = await ready();
  await enhance(page);
  await fill(section);
  await send(section).click();
  await section.locator('[data-receipt]').waitFor();
  expect(forms.server.received).toHaveLength(1);
});
