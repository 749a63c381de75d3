import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();

const queued = (page: Page) => page.evaluate(() => globalThis._hsq as unknown[] | undefined);

/** Opens the contact page and focuses the form. The form's script starts at the first interaction. */
async function touchedForm(page: Page): Promise<void> {
  await page.goto('/contact');
  await page.locator('#section-fullName').focus();
  await page.locator('form[data-enhanced]').waitFor();
}

async function sendInquiry(page: Page, email = 'ada@lovelace.example'): Promise<void> {
  const form = page.locator('form[data-variant="section"]');
  await form.getByLabel('Full name').fill('Ada King Lovelace');
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Company').fill('Analytical Engines');
  await form.getByLabel(/service/i).selectOption('implementation');
  await form.getByLabel('Message').fill('We need help with our ledger.');
  await form.getByRole('button', { name: /send|submit/i }).click();
}

describe('A visitor who has not accepted', () => {
  test.each([null, 'declined'])('is not tracked (choice: %s)', async (choice) => {
    const page = await browser.newPage({ baseURL: site.url });
    if (choice) await page.addInitScript((value) => localStorage.setItem('cookies-accepted', value), choice);
    const foreign: string[] = [];
    page.on('request', (request) => request.url().startsWith(site.url) || foreign.push(request.url()));
    await touchedForm(page);
    await sendInquiry(page);
    await page.getByText('Form submitted successfully!').waitFor();
    expect(await queued(page)).toBeUndefined();
    expect(foreign).toEqual([]);
  });

  test('with Global Privacy Control is not tracked, even after an earlier choice', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    await page.addInitScript(() => {
      localStorage.setItem('cookies-accepted', 'true');
      Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
    });
    await touchedForm(page);
    expect(await queued(page)).toBeUndefined();
  });
});

describe('A visitor who opens the contact panel before choosing', () => {
  test.each([390, 1023, 1024, 1060, 1099, 1120, 1280])('sees no banner under the panel at %i px', async (width) => {
    const page = await browser.newPage({ baseURL: site.url, viewport: { width, height: 800 } });
    await page.goto('/');
    const banner = page.locator('.cookie-banner');
    await banner.waitFor();
    await page.locator('.widget-button').click();
    const panel = page.locator('#contact-panel');
    await panel.waitFor();
    const [under, over] = [await banner.boundingBox(), await panel.boundingBox()];
    expect(over).not.toBeNull();
    if (under && over) expect(under.x + under.width).toBeLessThanOrEqual(over.x);
    else expect(width).toBeLessThan(1120);
  });
});

describe('A visitor who accepted', () => {
  test('is counted from that moment, once per page', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    await page.goto('/contact');
    await page.getByRole('button', { name: 'Accept All Cookies' }).click();
    await expect.poll(() => queued(page)).toEqual([['setPath', '/contact'], ['trackPageView']]);
    await page.goto('/');
    await expect.poll(() => queued(page)).toEqual([['setPath', '/'], ['trackPageView']]);
  });

  test('is identified by the data that they send in an inquiry', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    await page.addInitScript(() => localStorage.setItem('cookies-accepted', 'true'));
    await page.goto('/contact');
    await sendInquiry(page);
    await page.getByText('Form submitted successfully!').waitFor();
    const person = {
      email: 'ada@lovelace.example',
      firstname: 'Ada',
      lastname: 'King Lovelace',
      company: 'Analytical Engines',
      service_interest: 'implementation',
      message: 'We need help with our ledger.',
    };
    expect((await queued(page))?.slice(2)).toEqual([
      ['identify', person],
      [
        'trackCustomBehavioralEvent',
        { name: 'contact_form_submission', properties: { service_interest: 'implementation' } },
      ],
    ]);
  });

  test('is counted, but not identified, if an inquiry fails', async () => {
    const page = await browser.newPage({ baseURL: site.url, expected: ['503'] });
    await page.addInitScript(() => localStorage.setItem('cookies-accepted', 'true'));
    await page.route('**/api/contact', (route) => route.fulfill({ status: 503, json: { message: 'Down.' } }));
    await page.goto('/contact');
    await sendInquiry(page);
    await page.getByText('Submission failed').waitFor();
    expect((await queued(page))?.slice(2)).toEqual([
      ['trackCustomBehavioralEvent', { name: 'contact_form_error', properties: {} }],
    ]);
  });
});

describe('The privacy policy', () => {
  test.each(['/privacy', '/privacy-policy#cookie-policy'])(
    'allows visitors to withdraw their choice at %s',
    async (address) => {
      const page = await browser.newPage({ baseURL: site.url });
      await page.goto('/');
      await page.getByRole('button', { name: 'Accept All Cookies' }).click();
      await expect.poll(() => page.context().cookies()).toHaveLength(1);
      await page.goto(address);
      await page.getByRole('button', { name: 'Reset Cookie Preferences' }).click();
      await page.getByRole('region', { name: 'Cookies' }).waitFor();
      expect(await page.context().cookies()).toEqual([]);
      expect(await page.evaluate(() => localStorage.length)).toBe(0);
    },
  );

  test('explains without scripts how to withdraw it', async () => {
    const page = await browser.newPage({ baseURL: site.url, scripts: false });
    await page.goto('/privacy');
    await page.locator('noscript p').waitFor();
    expect(await page.getByRole('button', { name: 'Reset Cookie Preferences' }).isVisible()).toBe(false);
  });

  test('names everything that the site stores in the browser of a visitor and of an admin', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    await page.goto('/contact');
    await page.getByRole('button', { name: 'Accept All Cookies' }).click();
    await page.locator('form[data-variant="section"]').getByLabel('Full name').pressSequentially('Ada');
    await page.waitForFunction(() => sessionStorage.length > 0);
    const { admin } = site;
    await page.request.post('/api/login', { data: admin, headers: { origin: site.url } });
    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.goto('/admin?tab=content&section=hero_title');
    await page.getByRole('textbox').first().pressSequentially('Unsaved');
    await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('section-draft:')));
    const stored = await page.evaluate(async () => [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
      ...(await indexedDB.databases()).map(({ name }) => name ?? ''),
    ]);
    const cookies = (await page.context().cookies()).map(({ name }) => name);
    await page.goto('/privacy');
    const named = await page.locator('main table code').allTextContents();
    const isNamed = (name: string) =>
      named.some((entry) => (entry.endsWith('…') ? name.startsWith(entry.slice(0, -1)) : name === entry));
    expect(cookies).toEqual(expect.arrayContaining(['cookies-accepted', 'session']));
    expect([...stored, ...cookies].filter((name) => !isNamed(name))).toEqual([]);
  });
});
