import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../../tests/support/browser.ts';
import { useSite } from '../../tests/support/site.ts';

const browser = useBrowser();
const site = useSite();

/** A visitor who has answered the cookie banner before. */
async function returning(options: Parameters<typeof browser.newPage>[0] = {}): Promise<Page> {
  const page = await browser.newPage({ baseURL: site.url, ...options });
  await page.addInitScript(() => localStorage.setItem('cookies-accepted', 'declined'));
  return page;
}

/** Lets scripts arrive late, as on a slow phone. */
async function slowScripts(page: Page): Promise<void> {
  await page.route('**/_astro/*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
}

const topOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => Math.round(element.getBoundingClientRect().top));
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

describe('Somebody who only reads', () => {
  test('downloads no script at all', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    const scripts: string[] = [];
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
    await page.goto('/', { waitUntil: 'networkidle' });
    await page.waitForTimeout(1_500);
    expect(scripts).toEqual([]);
  });
});

describe('The menu', () => {
  test('slides in on a phone, keeps the focus, closes with Esc and gives the focus back', async () => {
    const page = await returning({ device: 'phone' });
    await slowScripts(page);
    await page.goto('/');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('link', { name: 'Join the Team' }).first().waitFor();
    await page.waitForFunction(() => document.querySelector('main')?.inert);
    expect(await focused(page)).toBe('Close menu');
    for (let presses = 0; presses < 10; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('main, footer'))).toBeNull();
    }
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('main')?.inert);
    expect(await focused(page)).toBe('Open menu');
  });

  test('closes after a choice, which stands clear of the header', async () => {
    const page = await returning({ device: 'phone' });
    await page.goto('/');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.waitForFunction(() => document.querySelector('main')?.inert);
    await page.locator('#menu').getByRole('link', { name: 'About' }).click();
    await expect.poll(() => topOf(page, '#about')).toBe(64);
    expect(await page.locator('#menu').evaluate((menu) => menu.matches(':popover-open'))).toBe(false);
  });

  test('leads to the top of home when home is shown already, and back home from elsewhere', async () => {
    const page = await returning();
    await page.goto('/#about');
    await page.locator('#menu').getByRole('link', { name: 'Home' }).hover();
    await page.waitForFunction(() => !document.querySelector('astro-island[component-url*=Header][ssr]'));
    await page.locator('#menu').getByRole('link', { name: 'Home' }).click();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    expect(new URL(page.url()).hash).toBe('');
    await page.goto('/contact');
    await page.locator('#menu').getByRole('link', { name: 'Services' }).click();
    await page.waitForURL('**/#services');
  });

  test('stands on a header that is clear at the top of home and solid after 10 px', async () => {
    const page = await returning();
    await page.goto('/');
    const solid = () =>
      page.locator('.site-header').evaluate((header) => !/[,/] 0\)$/.test(getComputedStyle(header).backgroundColor));
    await expect.poll(solid).toBe(false);
    await page.evaluate(() => scrollTo({ top: 40, behavior: 'instant' }));
    await expect.poll(solid).toBe(true);
  });
});

describe('The services explorer', () => {
  test.each(['development', 'support'])('opens at %s when the address says so', async (id) => {
    const page = await returning();
    await page.goto(`/#services-${id}`);
    await page.locator(`#tab-${id}[aria-selected=true]`).waitFor();
    await page.locator(`#services-${id}`).waitFor();
    await expect.poll(() => topOf(page, '#services')).toBe(80);
    expect(await page.locator('.panel:visible').count()).toBe(1);
  });

  test('is walked through with the keyboard', async () => {
    const page = await returning();
    await page.goto('/');
    await page.locator('#tab-digital-roadmap').focus();
    await page.locator('.explorer[data-live]').waitFor();
    for (const [key, id] of [
      ['ArrowDown', 'project-rescue'],
      ['End', 'support'],
      ['ArrowDown', 'digital-roadmap'],
      ['ArrowUp', 'support'],
      ['Home', 'digital-roadmap'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`#services-${id}`).waitFor();
      expect(await page.evaluate(() => document.activeElement?.id)).toBe(`tab-${id}`);
    }
  });

  test('follows a link from elsewhere on the page, again and again', async () => {
    const page = await returning();
    await page.goto('/');
    const link = page.getByRole('link', { name: 'Already off course?' });
    await link.click();
    await page.locator('#services-project-rescue').waitFor();
    await page.locator('#tab-support').click();
    await page.locator('#services-support').waitFor();
    await link.click();
    await page.locator('#services-project-rescue').waitFor();
  });

  test('works with scripts off', async () => {
    const page = await browser.newPage({ baseURL: site.url, scripts: false });
    await page.goto('/');
    await page.locator('#tab-development').click();
    await page.getByText('View E-Commerce Integration Solutions').waitFor();
    expect(await page.locator('.panel:visible').count()).toBe(1);
  });
});

describe('The cookie banner', () => {
  const choice = (page: Page) => page.evaluate(() => localStorage.getItem('cookies-accepted'));
  const banner = (page: Page) => page.getByRole('region', { name: 'Cookies' });

  test('comes after a second, and is gone for good once accepted', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    await page.goto('/');
    expect(await banner(page).isVisible()).toBe(false);
    await banner(page).waitFor();
    const [accept, decline] = await Promise.all(
      ['Accept All Cookies', 'Decline'].map((name) => page.getByRole('button', { name, exact: true }).boundingBox()),
    );
    expect([accept?.width, accept?.height]).toEqual([decline?.width, decline?.height]);
    await page.getByRole('button', { name: 'Accept All Cookies' }).click();
    await banner(page).waitFor({ state: 'detached' });
    expect(await choice(page)).toBe('true');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'cookies-accepted', value: 'true', path: '/', sameSite: 'Lax' });
    expect((cookie?.expires ?? 0) * 1_000 - Date.now()).toBeGreaterThan(364 * 86_400_000);
    await page.reload();
    await page.waitForTimeout(1_500);
    expect(await banner(page).isVisible()).toBe(false);
  });

  test.each(['Decline', 'Close and decline'])('takes "%s" for a no', async (name) => {
    const page = await browser.newPage({ baseURL: site.url });
    await page.goto('/contact');
    await page.getByRole('button', { name, exact: true }).click();
    await banner(page).waitFor({ state: 'detached' });
    expect(await choice(page)).toBe('declined');
  });

  test('takes Esc for a no, wherever the focus is', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    await page.goto('/contact');
    await banner(page).waitFor();
    await page.keyboard.press('Escape');
    await banner(page).waitFor({ state: 'detached' });
    expect(await choice(page)).toBe('declined');
  });

  test('keeps an answer that was given before its script came', async () => {
    const page = await browser.newPage({ baseURL: site.url, device: 'phone' });
    await slowScripts(page);
    await page.goto('/');
    await page.getByRole('button', { name: 'Decline', exact: true }).tap();
    await banner(page).waitFor({ state: 'detached' });
    expect(await choice(page)).toBe('declined');
  });

  test('is not there with scripts off', async () => {
    const page = await browser.newPage({ baseURL: site.url, scripts: false });
    await page.goto('/');
    expect(await page.getByText('We use cookies').isVisible()).toBe(false);
  });
});

describe('The contact widget', () => {
  test('fits a small phone, closes with Esc, and never covers the cookie banner', async () => {
    const page = await browser.newPage({ baseURL: site.url, viewport: { width: 360, height: 640 } });
    await page.goto('/');
    const banner = page.getByRole('region', { name: 'Cookies' });
    await banner.waitFor();
    const button = page.getByRole('button', { name: 'Start Transformation' });
    await expect
      .poll(async () => {
        const [above, below] = [await button.boundingBox(), await banner.boundingBox()];
        return above!.y + above!.height <= below!.y;
      })
      .toBe(true);
    await button.click();
    const panel = page.getByRole('dialog', { name: 'Start Transformation' });
    await panel.waitFor();
    expect(await banner.isVisible()).toBe(false);
    await expect.poll(() => panel.boundingBox()).toMatchObject({ width: 320, height: 500 });
    // Hydrated, the widget moves the focus into its panel.
    await page.waitForFunction(() => document.querySelector('#contact-panel')?.contains(document.activeElement));
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    // The focus moves with the `toggle` event, which comes after the panel is gone.
    await expect.poll(() => focused(page)).toBe('Start Transformation');
    await banner.waitFor();
  });

  test('stands beside the banner on a wide screen', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    await page.goto('/');
    const banner = page.getByRole('region', { name: 'Cookies' });
    await banner.waitFor();
    await page.getByRole('button', { name: 'Start Transformation' }).click();
    const panel = page.getByRole('dialog', { name: 'Start Transformation' });
    await panel.waitFor();
    const [left, right] = [await banner.boundingBox(), await panel.boundingBox()];
    expect(left!.x + left!.width).toBeLessThanOrEqual(right!.x);
  });

  test('opens and closes with scripts off', async () => {
    const page = await browser.newPage({ baseURL: site.url, scripts: false });
    await page.goto('/');
    await page.getByRole('button', { name: 'Start Transformation' }).click();
    await page.locator('#floating-fullName').waitFor();
    await page.locator('#contact-panel').getByRole('button', { name: 'Close' }).click();
    await page.locator('#floating-fullName').waitFor({ state: 'hidden' });
  });
});
