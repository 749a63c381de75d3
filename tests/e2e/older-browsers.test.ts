import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { type PageOptions, useBrowser } from '../support/browser.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();

/**
 * Opens a page as in Safari before version 17, which has no popovers. Renames `popover` in HTML and scripts, so the
 * browser does not recognize popovers.
 */
async function openWithoutPopovers(path: string, options: PageOptions): Promise<Page> {
  const page = await browser.newPage({ baseURL: site.url, ...options, context: { bypassCSP: true } });
  const rename = (text: string) => text.replaceAll(/popover/gi, (word) => word.replace(/over$/i, 'ovar'));
  await page.route('**/*', async (route) => {
    const response = await route.fetch({ url: route.request().url().replaceAll('popovar', 'popover') });
    const type = response.headers()['content-type'] ?? '';
    if (!/html|javascript/.test(type)) return route.fulfill({ response });
    return route.fulfill({ response, body: rename(await response.text()) });
  });
  await page.goto(path);
  expect(await page.evaluate(() => CSS.supports('selector(:popovar-open)'))).toBe(false);
  return page;
}

test('On a phone without popovers, the menu stays closed until it is opened, and its links work', async () => {
  const page = await openWithoutPopovers('/', { device: 'phone' });
  const link = page.locator('#menu').getByText('Join the Team');
  expect(await link.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await link.waitFor();
  await page.waitForFunction(() => document.querySelector('main')?.inert);
  await page.getByRole('button', { name: 'Close menu' }).click();
  await link.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await link.click();
  await page.waitForURL('**/join-team');
});

test('Without popovers, the contact panel opens, sends an inquiry and confirms it', async () => {
  const page = await openWithoutPopovers('/', {});
  const panel = page.getByRole('dialog', { name: 'Start Transformation' });
  expect(await panel.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Start Transformation' }).click();
  await panel.waitFor();
  await panel.getByLabel('Full name').fill('Ada Ledger');
  await panel.getByLabel('Email').fill('ada@client.example');
  await panel.getByLabel('Company').fill('Client');
  await panel.getByLabel('Service of interest').selectOption('support');
  await panel.getByLabel('Message').fill('We need help with the close of the month.');
  await panel.getByRole('button', { name: 'Send Inquiry' }).click();
  await page.locator('[data-toast]').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('link', { name: 'Services' }).first().isVisible()).toBe(true);
});
