import { load } from 'cheerio';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { inboxPath, send, signedIn, useSession } from '../support/inbox.ts';
import { layoutFaults, paintFaults } from '../support/layout.ts';
import { postsApi } from '../support/post-editor.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();
const session = useSession(site);

/** Paths of one page of each kind. A kind is all pages with the same first path segment. */
let kinds: string[] = [];
beforeAll(async () => {
  const content = `<p>${'Closing the books in order. '.repeat(20)}</p><h2>Receivables</h2><table><tbody><tr><th>Day</th><td>3</td></tr></tbody></table>`;
  await postsApi(site, session).create({ title: 'Closing the books', slug: 'closing', content, status: 'published' });
  await send(site, { fullName: 'Maximiliane Featherstone', company: 'Northwind Traders' });
  const $ = load(await (await fetch(`${site.url}/sitemap`)).text());
  const listed = $('main a')
    .toArray()
    .map((link) => $(link).attr('href')!);
  const kindOf = (address: string) => address.replace(/^(\/[^/]*\/).+/, '$1');
  const first = new Map(listed.toReversed().map((address) => [kindOf(address), address]));
  kinds = [
    ...first.values(),
    '/blog/closing',
    '/search?q=ledger',
    '/contact/sent?reference=7K3M-9QXD',
    '/contact/review',
    '/no-such-page',
    '/services/none',
    '/resources/suitescript-guide',
  ];
});

/** Window sizes in pixels, and text sizes in percent. 320 x 256 is a desktop window of 1280 x 1024 at 400% zoom. */
const sizes = [
  { width: 320, height: 256, text: 100 },
  { width: 320, height: 640, text: 100 },
  { width: 360, height: 740, text: 100 },
  { width: 360, height: 740, text: 200 },
  { width: 1024, height: 768, text: 100 },
  { width: 1060, height: 768, text: 100 },
  { width: 1099, height: 768, text: 100 },
  { width: 1280, height: 1024, text: 200 },
  { width: 1280, height: 800, text: 100 },
];

const shots = process.env.SHOTS;

async function faultsAt(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  const session = await page.context().newCDPSession(page);
  for (const { text, ...size } of sizes) {
    await page.setViewportSize(size);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 0.16 * text } });
    // React may render again for the new size, in the next frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const where = `${name} at ${size.width} x ${size.height}, text ${text} %`;
    found.push(...(await layoutFaults(page)).map((fault) => `${where}: ${fault}`));
    if (shots)
      await page.screenshot({
        path: `${shots}/${name.replaceAll(/\W+/g, '_')}-${size.width}x${size.height}-${text}.png`,
      });
  }
  return found;
}

const showBanner = (page: Page) =>
  page.evaluate(() => {
    document.querySelector<HTMLElement>('#cookies')!.hidden = false;
  });

describe('At 400 % zoom, with text at twice the size, and at the widths where the layout changes', () => {
  test('each kind of page shows everything without overlaps', { timeout: 170_000 }, async () => {
    const page = await browser.newPage({
      baseURL: site.url,
      expected: ['404', /_astro\/missing/],
      reducedMotion: true,
    });
    const found: string[] = [];
    for (const address of kinds) {
      await page.goto(address);
      await showBanner(page);
      found.push(...(await faultsAt(page, address)));
    }
    expect(found).toEqual([]);
  });

  test('the open menu and the open contact panel show everything without overlaps', async () => {
    const page = await browser.newPage({ baseURL: site.url, reducedMotion: true });
    await page.goto('/');
    await showBanner(page);
    await page.getByRole('button', { name: 'Start Transformation' }).click();
    const found = await faultsAt(page, 'contact panel');
    await page.reload();
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.waitForFunction(() => document.querySelector('main')?.inert);
    found.push(...(await layoutFaults(page)).map((fault) => `menu: ${fault}`));
    expect(found).toEqual([]);
  });

  test('each screen of the admin area shows everything without overlaps', { timeout: 170_000 }, async () => {
    const page = await signedIn(browser, site, session, { reducedMotion: true });
    const found: string[] = [];
    const screens: Record<string, () => Promise<void>> = {
      '/admin': () => page.getByText('Closing the books').first().waitFor(),
      '/admin?tab=media': () => page.getByRole('heading', { name: 'No files yet' }).waitFor(),
      '/admin?tab=content': () => page.getByText('Home').first().waitFor(),
      [inboxPath]: () => page.getByText('Maximiliane').first().waitFor(),
      '/admin?tab=settings': () => page.getByRole('heading', { level: 2 }).first().waitFor(),
      '/admin/settings': () => page.getByRole('heading', { level: 2 }).first().waitFor(),
      '/admin/sign-in': () => page.getByLabel('Password').first().waitFor(),
    };
    for (const [address, shown] of Object.entries(screens)) {
      await page.setViewportSize({ width: 1280, height: 1024 });
      await page.goto(address);
      await shown().catch(() => found.push(`${address} did not appear`));
      found.push(...(await faultsAt(page, address)));
    }
    expect(found).toEqual([]);
  });

  test(
    'the dialogs of the admin area and the form for a post show everything without overlaps',
    { timeout: 170_000 },
    async () => {
      const page = await signedIn(browser, site, session, { reducedMotion: true });
      const found: string[] = [];
      const dialogs: Record<string, [address: string, ...buttons: string[]]> = {
        'Edit Blog Post': ['/admin', 'Closing the books'],
        'Versions of this post': ['/admin', 'Closing the books', 'Versions'],
        'Delete this post?': ['/admin', 'Delete “Closing the books”'],
        'Keyboard shortcuts': ['/admin', 'Keyboard shortcuts'],
        'Maximiliane Featherstone': [inboxPath, 'Maximiliane Featherstone'],
      };
      for (const [name, [address, ...buttons]] of Object.entries(dialogs)) {
        await page.setViewportSize({ width: 1280, height: 1024 });
        await page.goto(address);
        for (const button of buttons) {
          await page
            .getByRole('button', { name: button })
            .or(page.getByRole('link', { name: button }))
            .first()
            .click();
        }
        await page.getByRole('heading', { name }).waitFor();
        found.push(...(await faultsAt(page, name)));
      }
      expect(found).toEqual([]);
    },
  );
});

test('On a phone each figure of the home page is on one line', async () => {
  const page = await browser.newPage({ baseURL: site.url, viewport: { width: 360, height: 740 }, reducedMotion: true });
  await page.goto('/');
  const lines = await page.locator('#stats strong').evaluateAll((figures) =>
    figures.map((figure) => {
      const range = document.createRange();
      range.selectNodeContents(figure);
      return [figure.textContent.trim(), range.getClientRects().length];
    }),
  );
  expect(lines).toEqual([
    ['100+', 1],
    ['60+', 1],
    ['25+', 1],
  ]);
});

test('In forced colors, light and dark, each control has a visible icon, and with reduced motion nothing moves', async () => {
  const page = await browser.newPage({
    baseURL: site.url,
    expected: ['404', /_astro\/missing/],
    reducedMotion: true,
    forcedColors: true,
  });
  const found: string[] = [];
  for (const address of kinds) {
    await page.goto(address);
    await showBanner(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await paintFaults(page)).map((fault) => `${address} in ${colorScheme} colors: ${fault}`));
      if (shots)
        await page.screenshot({ path: `${shots}/forced-${colorScheme}${address.replaceAll(/\W+/g, '_')}.png` });
    }
  }
  expect(found).toEqual([]);
});
