import { expect, test } from 'vitest';
import { useBrowser } from '../../tests/support/browser/browser.ts';
import { watchShifts } from '../../tests/support/browser/layout-shift.ts';
import { useSite } from '../../tests/support/host/site.ts';

const browser = useBrowser();
const site = useSite();

test.each(['desktop', 'phone'] as const)('On a %s, a blog without posts causes no layout shift', async (device) => {
  const page = await browser.newPage({ baseURL: site.url, device, reducedMotion: 'no-preference' });
  const shifted = await watchShifts(page);
  await page.goto('/blog');
  await page.getByRole('heading', { name: 'No blog posts yet' }).waitFor();
  await page.getByRole('region', { name: 'Cookies' }).waitFor();
  expect(await shifted()).toEqual([]);
});
