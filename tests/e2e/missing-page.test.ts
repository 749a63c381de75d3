import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();

test('An unknown URL returns 404 with links to all pages and the search, without scripts', async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: ['404'], scripts: false });
  const response = await page.goto('/servces');
  expect(response?.status()).toBe(404);
  await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor();
  expect(await page.getByRole('link', { name: 'Search this site' }).getAttribute('href')).toBe('/search');
  await page.getByRole('link', { name: 'All pages' }).click();
  await page.waitForURL('**/sitemap');
});
