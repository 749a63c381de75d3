import { expect, test } from 'vitest';
import { useBrowser } from '../../tests/support/browser/browser.ts';
import { watchShifts } from '../../tests/support/browser/layout-shift.ts';
import { useSite } from '../../tests/support/host/site.ts';

const browser = useBrowser();
const site = useSite();

test.each(['desktop', 'phone'] as const)(
  'On a %s, neither a font that loads late nor a blog without posts causes a layout shift',
  async (device) => {
    const page = await browser.newPage({ baseURL: site.url, device, reducedMotion: false });
    const shifted = await watchShifts(page);
    await page.goto('/blog');
    await page.getByRole('heading', { name: 'No blog posts yet' }).waitFor();
    await page.getByRole('region', { name: 'Cookies' }).waitFor();
    expect(await shifted()).toEqual([]);

    let shown = Promise.withResolvers<void>();
    await page.route('**/*.woff2', async (route) => {
      await shown.promise;
      await route.continue();
    });
    for (const path of ['/', '/contact', '/blog']) {
      shown = Promise.withResolvers();
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await page.getByRole('region', { name: 'Cookies' }).waitFor();
      expect(await page.evaluate(() => document.fonts.status)).toBe('loading');
      shown.resolve();
      expect(await shifted(), path).toEqual([]);
    }
  },
);
