import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();

test('A mistyped URL returns 404 and suggests the probable page', async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: ['404'] });
  const response = await page.goto('/servces/implementaton');
  expect(response?.status()).toBe(404);
  await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor();
  const suggestion = page.getByRole('region', { name: 'Suggestions' }).getByRole('link').first();
  await suggestion.waitFor();
  await suggestion.click();
  await page.waitForURL('**/services/implementation');
});

test('A URL that is similar to no page returns 404 with links, with and without scripts', async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: ['404'] });
  const later = page.waitForResponse(/missing/);
  await page.goto('/wp-admin/setup-config.php');
  await later;
  await page.getByRole('link', { name: 'All pages' }).waitFor();
  expect(await page.getByText('Did you mean').isVisible()).toBe(false);

  const plain = await browser.newPage({ baseURL: site.url, expected: ['404'], scripts: false });
  await plain.goto('/servces');
  expect(await plain.getByText('Did you mean').isVisible()).toBe(false);
  await plain.getByRole('link', { name: 'All pages' }).click();
  await plain.waitForURL('**/sitemap');
});
