import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { anInquiry } from '../support/inquiries.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();
const cookies = [{ name: 'cookies-accepted', value: 'declined' }];

const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id);
const focusedLabel = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

test('A visitor who only reads downloads no scripts, and a reader of an article never downloads React', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  // The page loads its scripts after five seconds without input. The test turns this off, because it may take longer.
  await page.addInitScript(() => {
    const later = setTimeout;
    globalThis.setTimeout = ((run: () => void, ms = 0) => (ms === 5_000 ? 0 : later(run, ms))) as typeof setTimeout;
  });
  for (const path of ['/', '/services/support', '/resources/netsuite-mcp-guide']) {
    await page.goto(path);
    await page.getByRole('region', { name: 'Cookies' }).waitFor();
    expect(scripts).toEqual([]);
  }
  await page.mouse.move(300, 500);
  await page.locator('.code button').first().waitFor();
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((url) => /react|client/i.test(url))).toEqual([]);
});

test('A visitor on a phone who presses before the scripts have loaded gets what was pressed', async () => {
  const page = await browser.newPage({ baseURL: site.url, device: 'phone' });
  let waiting = Promise.withResolvers<void>();
  await page.route('**/_astro/*.js', async (route) => {
    await waiting.promise;
    await route.continue();
  });
  const open = async (path: string) => {
    waiting = Promise.withResolvers();
    await page.goto(path);
  };

  await open('/');
  const banner = page.getByRole('region', { name: 'Cookies' });
  await page.getByRole('button', { name: 'Decline', exact: true }).tap();
  waiting.resolve();
  await banner.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => localStorage.getItem('cookies-accepted'))).toBe('declined');

  await open('/');
  const tab = page.locator('#tab-implementation');
  await tab.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  await tab.tap();
  expect(await focusedId(page)).toBe('tab-implementation');
  waiting.resolve();
  await page.locator('#services-implementation').waitFor();
  expect(await focusedId(page)).toBe('tab-implementation');
  expect(await page.evaluate(() => scrollY)).toBe(before);
  await page.keyboard.press('ArrowDown');
  await page.locator('#services-development').waitFor();
  expect(await focusedId(page)).toBe('tab-development');

  await open('/');
  await page.getByRole('button', { name: 'Open menu' }).tap();
  await page.getByRole('link', { name: 'Join the Team' }).first().waitFor();
  waiting.resolve();
  await page.waitForFunction(() => document.querySelector('main')?.inert);
  await expect.poll(() => focusedLabel(page)).toBe('Close menu');

  for (const [path, form, messages] of [
    ['/contact', '[data-variant=section]', ['Name must be at least 2 characters.', 'Please select a service.']],
    ['/join-team', '[data-enhance=career]', ['Please enter your full name.', 'Please upload your resume to continue.']],
  ] as const) {
    await open(path);
    await page.locator(`${form} [type=submit]`).tap();
    waiting.resolve();
    for (const message of messages) await page.locator(form).getByText(message).first().waitFor();
    const required = await page.locator(`${form} [required]`).count();
    expect(await page.locator(`${form} [aria-invalid]`).count()).toBe(required);
  }
});

test('A visitor whose scripts fail to load can pick a service and send an inquiry', async () => {
  const page = await browser.newPage({
    ...{ baseURL: site.url, cookies, device: 'phone' },
    expected: [/_astro/, /ERR_FAILED/, /import/, 'status of 400'],
  });
  await page.route('**/_astro/*.js', (route) => route.abort());
  await page.goto('/');
  await page.locator('#tab-implementation').tap();
  await page.locator('#services-implementation').waitFor();
  expect(await page.locator('.panel:visible').count()).toBe(1);

  await page.goto('/contact');
  const form = page.locator('form[data-variant=section]');
  await form.locator('[type=submit]').tap();
  await form.locator('[name=fullName]:focus').waitFor();
  const { serviceInterest, ...texts } = anInquiry({ company: 'Lost Scripts', message: '   short   ' });
  for (const [name, text] of Object.entries(texts)) await form.locator(`[name=${name}]`).fill(text);
  await form.locator('[name=serviceInterest]').selectOption(serviceInterest);
  await form.locator('[type=submit]').tap();
  await page.getByText('Message must be at least 10 characters.').first().waitFor();
});
