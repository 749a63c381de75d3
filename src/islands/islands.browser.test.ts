import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../../tests/support/browser.ts';
import { useSite } from '../../tests/support/site.ts';

const browser = useBrowser();
const site = useSite();

/** Opens a page for a visitor who has already declined cookies. */
async function returning(options: Parameters<typeof browser.newPage>[0] = {}): Promise<Page> {
  const page = await browser.newPage({ baseURL: site.url, ...options });
  await page.addInitScript(() => localStorage.setItem('cookies-accepted', 'declined'));
  return page;
}

/** Delays scripts, as on a slow phone connection. */
async function slowScripts(page: Page): Promise<void> {
  await page.route('**/_astro/*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

describe('A visitor who only reads', () => {
  test('downloads no scripts', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    const scripts: string[] = [];
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
    await page.goto('/', { waitUntil: 'networkidle' });
    await page.waitForTimeout(1_500);
    expect(scripts).toEqual([]);
  });
});

describe('The menu', () => {
  test('opens on a phone, keeps the focus inside, closes with Esc and returns the focus', async () => {
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

  test('scrolls to the top on the home page, and leads there from other pages', async () => {
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
});

describe('The services explorer', () => {
  test('opens the tab in the URL, even after a choice', async () => {
    const page = await returning();
    await page.goto('/#services-development');
    await page.locator('#services-development').waitFor();
    await page.locator('#tab-support').click();
    await page.locator('#services-support').waitFor();
    await page.goto('/#services-project-rescue');
    await page.locator('#services-project-rescue').waitFor();
  });

  test('keeps the focus and the arrow keys if the first tap comes before the script', async () => {
    const page = await returning({ device: 'phone' });
    await slowScripts(page);
    await page.goto('/');
    const tab = page.locator('#tab-implementation');
    await tab.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    await tab.tap();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('tab-implementation');
    await page.locator('#services-implementation').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('tab-implementation');
    expect(await page.evaluate(() => scrollY)).toBe(before);
    await page.keyboard.press('ArrowDown');
    await page.locator('#services-development').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('tab-development');
  });

  test('opens the tab if the script fails to load', async () => {
    const page = await returning({ expected: [/_astro/, /ERR_FAILED/] });
    await page.route('**/_astro/*.js', (route) => route.abort());
    await page.goto('/');
    await page.locator('#tab-implementation').click();
    await page.locator('#services-implementation').waitFor();
    expect(await page.locator('.panel:visible').count()).toBe(1);
  });

  test('works without scripts', async () => {
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

  test('appears after one second, and never again after the visitor accepts', async () => {
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

  test('counts "Close and decline" as declining', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    await page.goto('/contact');
    await page.getByRole('button', { name: 'Close and decline' }).click();
    await banner(page).waitFor({ state: 'detached' });
    expect(await choice(page)).toBe('declined');
  });

  test('keeps a choice that was made before its script loaded', async () => {
    const page = await browser.newPage({ baseURL: site.url, device: 'phone' });
    await slowScripts(page);
    await page.goto('/');
    await page.getByRole('button', { name: 'Decline', exact: true }).tap();
    await banner(page).waitFor({ state: 'detached' });
    expect(await choice(page)).toBe('declined');
  });

  test('does not appear without scripts', async () => {
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
    // After hydration, the widget moves the focus into its panel.
    await page.waitForFunction(() => document.querySelector('#contact-panel')?.contains(document.activeElement));
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    // The focus moves on the `toggle` event, which the browser dispatches after the panel is hidden.
    await expect.poll(() => focused(page)).toBe('Start Transformation');
    await banner.waitFor();
  });

  test('is next to the banner on a wide screen', async () => {
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

  test('opens and closes without scripts', async () => {
    const page = await browser.newPage({ baseURL: site.url, scripts: false });
    await page.goto('/');
    await page.getByRole('button', { name: 'Start Transformation' }).click();
    await page.locator('#floating-fullName').waitFor();
    await page.locator('#contact-panel').getByRole('button', { name: 'Close' }).click();
    await page.locator('#floating-fullName').waitFor({ state: 'hidden' });
  });
});
