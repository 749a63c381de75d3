import { expect, test } from 'vitest';
import { faultsOf } from '../support/accessibility.ts';
import { useBrowser } from '../support/browser.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();

test('Search words in the URL are searched immediately; an index that failed is loaded again, and the words stay', async () => {
  const page = await browser.newPage({
    baseURL: site.url,
    expected: ['503'],
    device: 'phone',
    colorScheme: 'dark',
  });
  await page.route('**/search.json', (route) => route.fulfill({ status: 503 }), { times: 1 });
  const words = '<b>saved</b> searches';
  await page.goto(`/search?${new URLSearchParams({ q: words })}`);
  await page.getByText('We couldn’t load the search.').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe(words);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page
    .locator('main ol mark', { hasText: /^saved$/i })
    .first()
    .waitFor();
  expect(await faultsOf(page)).toEqual([]);
  expect(await page.getByRole('status').textContent()).toContain(`for “${words}”`);

  await page.locator('.cookie-banner').waitFor();
  await page.getByRole('searchbox').press('Escape');
  expect(await page.evaluate(() => localStorage.getItem('cookies-accepted'))).toBeNull();

  await page.getByRole('searchbox').fill('xylophone');
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
});
