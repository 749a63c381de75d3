import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { overflow } from '../support/layout.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();

const guide = '/resources/netsuite-mcp-guide';

test('without scripts, the list leads to the sections, and no control is shown that would not work', async () => {
  const page = await browser.newPage({ baseURL: site.url, device: 'phone', scripts: false, reducedMotion: true });
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
  // Leaving the first page may abort its open requests.
  browser.expectProblem(page, 'net::ERR_ABORTED');
  await page.goto('/resources/netsuite-roi-guide');
  await page.locator('a[rel=next]').click();
  await page.waitForURL('**/resources/netsuite-integration-strategy');
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test.each([320, 768, 1440])(
  'at %d pixels, the longest article fits the screen, and its tables scroll',
  async (width) => {
    const page = await browser.newPage({ baseURL: site.url, viewport: { width, height: 800 } });
    await page.goto('/resources/netsuite-integration-strategy');
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    const table = page.locator('.table-scroll').first();
    const beyond = await table.evaluate((element) => element.scrollWidth - element.clientWidth);
    if (width === 320) expect(beyond).toBeGreaterThan(0);
    await page.goto('/resources/netsuite-mcp-guide');
    const inPieces = await page
      .locator('td code')
      .evaluateAll((codes) =>
        codes.filter((code) => /^\S+$/.test(code.textContent) && code.getClientRects().length > 1),
      );
    expect(inPieces).toHaveLength(0);
    await page.goBack();
    await table.focus();
    expect(await table.evaluate((element) => element === document.activeElement)).toBe(true);
  },
);

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
