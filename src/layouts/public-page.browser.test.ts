import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBrowser } from '../../tests/support/browser.ts';
import { type Site, startSite } from '../../tests/support/site.ts';

const browser = useBrowser();
let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const addresses = ['/', '/contact', '/contact/sent?reference=7K3M-9QXD', '/contact/review', '/no-such-page'];

async function open(address: string, options: Parameters<typeof browser.newPage>[0] = {}) {
  const page = await browser.newPage({ baseURL: site.url, ...options });
  if (address === '/no-such-page') browser.expectProblem(page, '404');
  await page.goto(address);
  return page;
}

describe.each(addresses)('%s', (address) => {
  test.each([
    ['light', 'desktop'],
    ['dark', 'phone'],
  ] as const)('has nothing that axe objects to, in the %s scheme on a %s', async (colorScheme, device) => {
    const page = await open(address, { colorScheme, device });
    await page.getByRole('region', { name: 'Cookies' }).waitFor();
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag2aaa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
  });

  test('is never wider than the screen', async () => {
    const page = await open(address, { scripts: true });
    for (const width of [320, 360, 480, 640, 768, 895, 1024, 1280, 1920, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(beyond, `${width} px`).toBeLessThanOrEqual(0);
    }
  });
});

test('every control on a phone is at least 44 px high and wide', async () => {
  const page = await open('/', { device: 'phone' });
  await page.getByRole('region', { name: 'Cookies' }).waitFor();
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('a, button, input, select, textarea')]
      // A link within a sentence is as high as the sentence; what people cannot see has no size.
      .filter((control) => control.checkVisibility() && !control.closest('.honeypot, .skip-link, form p'))
      .map((control) => ({ control: control.textContent, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ control }) => control),
  );
  expect(small).toEqual([]);
});

test.each(['/', '/contact'])('a late font moves nothing on %s', async (path) => {
  const page = await browser.newPage({ baseURL: site.url, device: 'phone' });
  await page.route('**/*.woff2', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800));
    await route.continue();
  });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(path);
  await page.getByRole('region', { name: 'Cookies' }).waitFor();
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(500);
  const total = await page.evaluate(() =>
    (window as unknown as { shifts: number[] }).shifts.reduce((sum, shift) => sum + shift, 0),
  );
  expect(total).toBeLessThan(0.001);
});
