import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();

const guide = '/resources/netsuite-mcp-guide';

test('without scripts, the list leads to the sections, and no control is shown that would not work', async () => {
  const page = await browser.newPage({ baseURL: site.url, device: 'phone', scripts: false });
  await page.goto(guide);
  await page.getByText('On this page').click();
  await page.locator('.on-this-page').getByRole('link', { name: 'Security practices' }).click();
  const place = () => page.locator('#security-practices').evaluate((heading) => heading.getBoundingClientRect().y);
  await expect.poll(place, { timeout: 10_000 }).toBeLessThan(200);
  expect(await page.locator('.code button').count()).toBe(0);
  expect(await page.locator('.transcript').getAttribute('open')).not.toBeNull();
});

test('the next article opens at the top', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  await page.goto('/resources/netsuite-roi-guide');
  await page.locator('a[rel=next]').click();
  await page.waitForURL('**/resources/netsuite-integration-strategy');
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('on a narrow screen, a table scrolls, also by keyboard, and no word of code is in pieces on any screen', async () => {
  const page = await browser.newPage({ baseURL: site.url, viewport: { width: 320, height: 800 } });
  await page.goto('/resources/netsuite-integration-strategy');
  const table = page.locator('.table-scroll').first();
  expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeGreaterThan(0);
  await table.focus();
  expect(await table.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.goto(guide);
  const codes = page.locator('td code').filter({ hasText: /^\S+$/ });
  expect(await codes.count()).toBeGreaterThan(0);
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const lines = codes.evaluateAll((all) => Math.max(...all.map((code) => code.getClientRects().length)));
    expect(await lines, `at ${width} px`).toBe(1);
  }
});

test('a video is loaded when a reader plays it, and not before', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  const embed = '/embedded-video';
  let played = 0;
  await page.route(`**${embed}`, (route) => {
    played += 1;
    return route.fulfill({ contentType: 'text/html', body: '<title>Video</title>' });
  });
  // This site has no demo video. Changes the page to what a build with `demoVideo` (src/site.config.ts) generates.
  await page.route(`**${guide}`, async (route) => {
    const response = await route.fetch();
    const facade = `<a class="demo-frame" href="/resources" data-embed="${embed}" data-title="The demo">`;
    const body = (await response.text()).replace(/<div class="demo-frame">([\s\S]*?)<\/div>/, `${facade}$1 Play</a>`);
    const policy = response.headers()['content-security-policy']!.replace("frame-src 'none'", "frame-src 'self'");
    await route.fulfill({ response, body, headers: { ...response.headers(), 'content-security-policy': policy } });
  });
  await page.goto(guide);
  await page.locator('.demo-frame').hover();
  await page.locator('.code button').first().waitFor();
  expect(played).toBe(0);
  await page.locator('.demo-frame').click();
  await page.frameLocator('iframe[title="The demo"]').locator('html').waitFor();
  expect(played).toBe(1);
  expect(new URL(page.url()).pathname).toBe(guide);
  const { width, height } = (await page.locator('.demo iframe').boundingBox())!;
  expect(width / height).toBeCloseTo(16 / 9, 1);
});
