import { expect, test } from 'vitest';
import { useBrowser } from '../../tests/support/browser.ts';
import { watchShifts } from '../../tests/support/layout-shift.ts';
import { useSite } from '../../tests/support/site.ts';

const browser = useBrowser();
const site = useSite();

test.each(['/', '/contact'])('a font that loads late causes no layout shift on %s', async (path) => {
  const page = await browser.newPage({ baseURL: site.url, device: 'phone', reducedMotion: false });
  const shown = Promise.withResolvers<void>();
  await page.route('**/*.woff2', async (route) => {
    await shown.promise;
    await route.continue();
  });
  const shifted = await watchShifts(page);
  await page.goto(path, { waitUntil: 'domcontentloaded' });
  await page.getByRole('region', { name: 'Cookies' }).waitFor();
  expect(await page.evaluate(() => document.fonts.status)).toBe('loading');
  shown.resolve();
  expect(await shifted()).toEqual([]);
});

test.each(['desktop', 'phone'] as const)('a blog without posts causes no layout shift on a %s', async (device) => {
  const page = await browser.newPage({ baseURL: site.url, device, reducedMotion: false });
  const shifted = await watchShifts(page);
  await page.goto('/blog');
  await page.getByRole('heading', { name: 'No blog posts yet' }).waitFor();
  await page.getByRole('region', { name: 'Cookies' }).waitFor();
  expect(await shifted()).toEqual([]);
});
