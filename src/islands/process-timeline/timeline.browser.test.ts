import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../../../tests/support/browser.ts';
import { useSite } from '../../../tests/support/site.ts';

const browser = useBrowser();
const site = useSite();

type Options = Parameters<typeof browser.newPage>[0];

/**
 * Opens a page with a process of seven steps and stops the page's clock. The clock advances only when a test advances
 * it.
 */
async function open(options: Options = {}): Promise<Page> {
  const page = await browser.newPage({ baseURL: site.url, ...options });
  await page.addInitScript(() => localStorage.setItem('cookies-accepted', 'declined'));
  await page.clock.install({ time: new Date('2026-01-05T09:00:00') });
  await page.goto('/services/implementation');
  await page.clock.pauseAt(new Date('2026-01-05T10:00:00'));
  return page;
}

/** Scrolls until the top of the timeline is at the given share of the window's height. */
const bring = (page: Page, share: number) =>
  page
    .locator('.timeline')
    .evaluate(
      (element, at) =>
        window.scrollTo({ top: element.getBoundingClientRect().top + scrollY - innerHeight * at, behavior: 'instant' }),
      share,
    );
const scripts = (page: Page) =>
  page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length);
const place = (page: Page) => page.locator('.timeline-place').textContent();
const button = (page: Page, name: string) => page.locator('.timeline').getByRole('button', { name, exact: true });
const marker = (page: Page, step: number) => page.locator('.step button').nth(step - 1);

/** Returns the animation duration, in milliseconds, of each bar of the current step. */
const drawn = (page: Page) =>
  page
    .locator('.step[data-state=now] rect')
    .evaluateAll((bars) => bars.map((bar) => bar.getAnimations()[0]?.effect?.getTiming().duration));

/** Opens a page and waits until the timeline is in view and has started. */
async function started(options: Options = {}): Promise<Page> {
  const page = await open(options);
  await bring(page, 0.3);
  await page.locator('.timeline[data-drawing]').waitFor();
  return page;
}

describe('A visitor who scrolls to the process', () => {
  test('downloads React only then, and sees it start above 70 % of the window', async () => {
    const page = await open();
    expect(
      await page.evaluate(() => document.querySelectorAll('astro-island[component-url*=Timeline][ssr]').length),
    ).toBe(1);
    await bring(page, 0.85);
    await page.waitForFunction(() => !document.querySelector('astro-island[component-url*=Timeline][ssr]'));
    expect(await page.locator('.timeline[data-drawing]').count()).toBe(0);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await bring(page, 0.65);
    await page.locator('.timeline[data-drawing]').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height);
  });

  test('sees a new step every 3.2 s, until the last one is complete, and can replay it', async () => {
    const page = await started();
    expect(await place(page)).toContain('Step 1 of 7');
    expect(await place(page)).toContain('14% complete');
    expect(await button(page, 'Previous').isDisabled()).toBe(true);
    expect(await drawn(page)).toEqual([800, 800]);
    await page.clock.runFor(3_190);
    expect(await place(page)).toContain('Step 1 of 7');
    await page.clock.runFor(10);
    await expect.poll(() => place(page)).toContain('Step 2 of 7');
    expect(await drawn(page)).toEqual([960, 960]);
    for (const step of [3, 4, 5, 6, 7]) {
      await page.clock.runFor(3_200);
      await expect.poll(() => page.locator('.step button[aria-current]').textContent()).toBe(String(step));
    }
    expect(await place(page)).toContain('Process Complete');
    expect(await place(page)).toContain('100% complete');
    expect(await button(page, 'Next').isDisabled()).toBe(true);
    await button(page, 'Replay').click();
    await expect.poll(() => place(page)).toContain('Step 1 of 7');
    await page.clock.runFor(3_200);
    await expect.poll(() => place(page)).toContain('Step 2 of 7');
  });

  test('can pause and play it', async () => {
    const page = await started();
    await button(page, 'Pause').click();
    await page.clock.runFor(10_000);
    expect(await place(page)).toContain('Step 1 of 7');
    await button(page, 'Play').click();
    await page.clock.runFor(3_200);
    await expect.poll(() => place(page)).toContain('Step 2 of 7');
  });

  test('can go to a step with its marker, Previous and Next, and the timeline pauses there', async () => {
    const page = await started();
    await marker(page, 4).click();
    await expect.poll(() => place(page)).toContain('Step 4 of 7');
    await button(page, 'Next').click();
    await expect.poll(() => place(page)).toContain('Step 5 of 7');
    await button(page, 'Previous').click();
    await expect.poll(() => place(page)).toContain('Step 4 of 7');
    await page.clock.runFor(20_000);
    expect(await place(page)).toContain('Step 4 of 7');
    expect(await page.locator('.timeline [role=status]').textContent()).toBe('Step 4 of 7');
    await button(page, 'Play').waitFor();
  });

  test('can scroll away, and it pauses off screen', async () => {
    const page = await started();
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    // Waits until the browser has notified the page's observers, which it does before it notifies this newer observer.
    await page.locator('.timeline').evaluate(
      (element) =>
        new Promise<void>((resolve) => {
          new IntersectionObserver(() => resolve()).observe(element);
        }),
    );
    await page.clock.runFor(20_000);
    expect(await place(page)).toContain('Step 1 of 7');
  });
});

test('A keyboard user moves through the steps with the arrow keys', async () => {
  const page = await started();
  await marker(page, 1).focus();
  for (const [key, step] of [
    ['ArrowDown', '2'],
    ['ArrowRight', '3'],
    ['ArrowUp', '2'],
    ['ArrowLeft', '1'],
    ['ArrowUp', '1'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(step);
    await expect.poll(() => page.locator('.step button[aria-current]').textContent()).toBe(step);
  }
  await button(page, 'Next').focus();
  for (let presses = 0; presses < 6; presses += 1) await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Replay');
});

test('A visitor who prefers reduced motion finds it paused', async () => {
  const page = await started({ reducedMotion: true });
  await button(page, 'Play').waitFor();
  await page.clock.runFor(20_000);
  expect(await place(page)).toContain('Step 1 of 7');
});

test('A visitor who only reads the top of a service page downloads no script', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  await page.goto('/services/support', { waitUntil: 'networkidle' });
  expect(await scripts(page)).toBe(0);
});

test('Without scripts, the process is an ordered list of steps, without buttons that do nothing', async () => {
  const page = await browser.newPage({ baseURL: site.url, scripts: false });
  await page.goto('/services/implementation');
  expect(await page.locator('.timeline ol > li').count()).toBe(7);
  expect(await page.locator('.timeline').getByRole('button').count()).toBe(0);
  expect(await page.getByRole('heading', { name: 'Hypercare' }).isVisible()).toBe(true);
});
