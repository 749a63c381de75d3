import { expect, test } from 'vitest';
import { useBrowser } from '../../../tests/support/browser/browser.ts';
import { useSite } from '../../../tests/support/host/site.ts';

const browser = useBrowser();
const site = useSite();

/** Opens a page with a process of seven steps, and stops the page's clock, which advances only by `runFor`. */
async function open(options: Parameters<typeof browser.newPage>[0] = {}) {
  const cookies = [{ name: 'cookies-accepted', value: 'declined' }];
  const page = await browser.newPage({ baseURL: site.url, cookies, ...options });
  await page.clock.install({ time: new Date('2026-01-05T09:00:00') });
  await page.goto('/services/implementation');
  await page.clock.pauseAt(new Date('2026-01-05T10:00:00'));
  const timeline = page.locator('.timeline');
  return {
    page,
    /** Scrolls until the top of the timeline is at the given share of the window's height. */
    bring: (share: number) =>
      timeline.evaluate((element, at) => {
        const top = element.getBoundingClientRect().top + scrollY - innerHeight * at;
        window.scrollTo({ top, behavior: 'instant' });
      }, share),
    started: () => page.locator('.timeline[data-drawing]').waitFor(),
    /** Waits until the browser has notified the page's observers, which it does before it notifies a newer observer. */
    observed: () =>
      timeline.evaluate(
        (element) =>
          new Promise<void>((resolve) => {
            new IntersectionObserver(() => resolve()).observe(element);
          }),
      ),
    says: (text: string) => expect.poll(() => page.locator('.timeline-place').textContent()).toContain(text),
    button: (name: string) => timeline.getByRole('button', { name, exact: true }),
    /** Returns the duration of each animated bar of the current step. */
    drawn: () =>
      page
        .locator('.step[data-state=now] rect')
        .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).animationDuration)),
  };
}

test('The process loads and starts when a visitor reaches it, takes 3.2 s for a step, and pauses off screen', async () => {
  const { page, bring, started, observed, says, button, drawn } = await open({ reducedMotion: 'no-preference' });
  const waiting = page.locator('astro-island[component-url*=Timeline][ssr]');
  expect(await waiting.count()).toBe(1);
  await bring(0.85);
  await waiting.waitFor({ state: 'detached' });
  expect(await page.locator('.timeline[data-drawing]').count()).toBe(0);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await bring(0.65);
  await started();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height);

  await says('Step 1 of 7');
  await says('14% complete');
  expect(await button('Previous').isDisabled()).toBe(true);
  expect(await drawn()).toEqual(['0.8s', '0.8s']);
  await page.clock.runFor(3_190);
  await says('Step 1 of 7');
  await page.clock.runFor(10);
  await says('Step 2 of 7');
  expect(await drawn()).toEqual(['0.96s', '0.96s']);

  await button('Pause').click();
  await page.clock.runFor(10_000);
  await says('Step 2 of 7');
  expect(await page.locator('.timeline [role=status]').textContent()).toBe('Step 2 of 7');
  await button('Play').click();
  await page.clock.runFor(3_200);
  await says('Step 3 of 7');

  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  await observed();
  await page.clock.runFor(20_000);
  await says('Step 3 of 7');
  await bring(0.3);
  await observed();
  for (const step of [4, 5, 6, 7]) {
    await page.clock.runFor(3_200);
    await expect.poll(() => page.locator('.step button[aria-current]').textContent()).toBe(String(step));
  }
  await says('Process Complete');
  await says('100% complete');
  expect(await button('Next').isDisabled()).toBe(true);

  await button('Replay').click();
  await says('Step 1 of 7');
  await page.clock.runFor(3_200);
  await says('Step 2 of 7');
  await page.locator('.step button').nth(4).click();
  await page.clock.runFor(20_000);
  await says('Step 5 of 7');
  await button('Play').waitFor();
});

test('A visitor who prefers reduced motion finds the process paused, and moves through it by keyboard', async () => {
  const { page, bring, started, says, button } = await open();
  await bring(0.3);
  await started();
  await button('Play').waitFor();
  await page.clock.runFor(20_000);
  await says('Step 1 of 7');
  await page.locator('.step button').first().focus();
  for (const [key, step] of [
    ['ArrowDown', '2'],
    ['ArrowLeft', '1'],
    ['ArrowUp', '1'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(step);
    await says(`Step ${step} of 7`);
  }
});
