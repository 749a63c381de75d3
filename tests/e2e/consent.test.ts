import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

const browser = useBrowser();
let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const queued = (page: Page) => page.evaluate(() => globalThis._hsq as unknown[] | undefined);

/** A page on which the behavior that waits for a touch is running. */
async function touched(page: Page, address: string): Promise<void> {
  await page.goto(address);
  const loaded = page.waitForResponse(/_astro\/LaterScript/);
  await page.keyboard.press('Tab');
  await loaded;
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

describe('A visitor who has not said yes', () => {
  test.each([null, 'declined'])('is not followed, whatever they do (choice: %s)', async (choice) => {
    const page = await browser.newPage({ baseURL: site.url });
    if (choice) await page.addInitScript((value) => localStorage.setItem('cookies-accepted', value), choice);
    const foreign: string[] = [];
    page.on('request', (request) => request.url().startsWith(site.url) || foreign.push(request.url()));
    await touched(page, '/contact');
    await sendInquiry(page);
    await page.getByText('Form submitted successfully!').waitFor();
    expect(await queued(page)).toBeUndefined();
    expect(foreign).toEqual([]);
  });

  test('is one whose browser sends Global Privacy Control, whatever was stored', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    await page.addInitScript(() => {
      localStorage.setItem('cookies-accepted', 'true');
      Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
    });
    await touched(page, '/contact');
    expect(await queued(page)).toBeUndefined();
  });
});

describe('A visitor who accepted', () => {
  test('is counted from that moment, once a page', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    await page.goto('/contact');
    await page.getByRole('button', { name: 'Accept All Cookies' }).click();
    await expect.poll(() => queued(page)).toEqual([['setPath', '/contact'], ['trackPageView']]);
    await page.goto('/');
    await expect.poll(() => queued(page)).toEqual([['setPath', '/'], ['trackPageView']]);
  });

  test('is known by what they send in an inquiry', async () => {
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

  test('is counted, but not named, where an inquiry fails', async () => {
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
