import { load } from 'cheerio';
import type { Page, Route } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import type { PageOptions } from '../../support/browser/browser.ts';
import { useAdmin } from '../../support/samples/inbox.ts';
import { postsApi } from '../../support/samples/post-editor.ts';
import { pages } from '../../site/built-site.ts';
import { faultsOf } from '../../support/browser/accessibility.ts';
import { watchShifts } from '../../support/browser/layout-shift.ts';
import { stateFaults } from '../../support/faults/state-faults.ts';

const { browser, site, session } = useAdmin();

/** The built pages without those that have a second address, and pages that the site renders on request. */
const built = pages
  .map(({ path }) => path)
  .filter((path) => !/^\/(404|service-not-found|privacy-policy|terms-of-service)$/.test(path));
const rendered = ['/blog', '/blog/closing', '/search?q=ledger', '/contact/sent?reference=7K3M-9QXD'];
const missing = ['/no-such-page', '/services/none'];
const addresses = [...built, ...rendered, ...missing];
/** Pages of one kind have the same styles, so colors and print are checked on the first one, and on the one with code. */
const kindOf = (address: string) =>
  address === '/resources/suitescript-guide' ? address : address.replace(/^(\/[^/]*\/).+/, '$1');
const kinds = Object.entries(Object.groupBy(addresses, kindOf)) as [kind: string, addresses: string[]][];
const firsts = kinds.map(([, [first]]) => first!);

beforeAll(async () => {
  const content = `<h2>Receivables</h2><p>${'Closing the books. '.repeat(20)}</p><table><tr><th>Day</th><td>3</td></tr></table>`;
  await postsApi(site, session).create({ title: 'Closing the books', slug: 'closing', content, status: 'published' });
});

const openPage = (options: PageOptions = {}) =>
  browser.newPage({
    baseURL: site.url,
    expected: ['404', /_astro\/missing/],
    hasTouch: true,
    ...options,
  });

test.each(kinds)(
  '%s: no page has an accessibility fault, moves or prints badly; each shows its typefaces, fits every screen and can be used with a thumb',
  async (_, [first, ...others]) => {
    const page = await openPage();
    for (const address of [first!, ...others]) {
      await page.route('**/*.woff2', holdFont(page));
      await page.setViewportSize({ width: [360, 768, 1440][addresses.indexOf(address) % 3]!, height: 800 });
      const response = await page.goto(address);
      expect(response?.status(), address).toBe(missing.includes(address) ? 404 : 200);
      // The fallback fonts are loaded too.
      const shown = expect.poll(() => page.evaluate(loadedFonts), { message: address });
      await shown.toEqual(expect.arrayContaining(['Newsreader', 'Geist']));
      // A page with a route loads every file without the HTTP cache.
      await page.unroute('**/*.woff2');
      expect(await page.evaluate(moving), address).toEqual([]);
      await page.evaluate(() => void (document.querySelector<HTMLElement>('#cookies')!.hidden = false));
      expect(await stateFaults(page, { looksLikeAnother: address !== first }), address).toEqual([]);
      if (address !== first) continue;
      expect(await darkFaults(page), address).toEqual([]);
      expect(await printFaults(page), address).toEqual([]);
    }
  },
);

/**
 * The largest layout shift that a page may have, in the unit of web.dev. In the facts of a service, a line that breaks at
 * another word is less than 0.005, so an editor may change a word. In an article, it can move all lines below it, so the
 * limit is the sum that web.dev calls good.
 */
const mostShift = (address: string): number => (address.startsWith('/resources/') ? 0.1 : 0.005);

test.each([
  ...[412, 1440].map((width) => ({ width, pages: [...built, '/blog'] })),
  ...[360, 375, 390, 430, 768].map((width) => ({ width, pages: ['/'] })),
])('At $width px, pages hardly move when the fonts arrive after the first paint', async ({ width, pages: shown }) => {
  const page = await openPage({ viewport: { width, height: 823 }, cold: true });
  await page.route('**/*.woff2', holdFont(page));
  const shifted = await watchShifts(page);
  for (const address of shown) {
    await page.goto(address);
    expect.soft(await shifted(mostShift(address)), address).toEqual([]);
  }
});

/** Lets a font arrive after the first paint, as on a slow connection. */
function holdFont(page: Page) {
  return async (route: Route): Promise<void> => {
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    await route.continue();
  };
}

const loadedFonts = () => [...document.fonts].flatMap(({ family, status }) => (status === 'loaded' ? family : []));

/** Lists what moves, although the visitor prefers reduced motion. */
const moving = () =>
  document
    .getAnimations()
    .filter(({ timeline, playState }) => timeline === document.timeline && playState === 'running')
    .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 80));

/** Lists texts that are hard to read in the dark scheme. tests/site/colors.test.ts compares all colors of both schemes. */
async function darkFaults(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  return faultsOf(page, { only: ['color-contrast-enhanced'] });
}

/** Lists what should not be on paper: the menu, the banner, and texts in the pale colors of the dark scheme. */
async function printFaults(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize({ width: 718, height: 1000 });
  const faults = await page.evaluate(() => {
    const shown = (selector: string) =>
      [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    // Browsers do not print the dark background behind pale text.
    const pale = shown('main *, footer *')
      .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim()))
      .filter((element) => {
        const [red = 0, green = 0, blue = 0] = getComputedStyle(element).color.match(/\d+/g)!.map(Number);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 150;
      });
    return [...shown('.skip-link, #menu, #cookies section'), ...pale].map(({ outerHTML }) => outerHTML.slice(0, 80));
  });
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  return faults;
}

test('The open contact panel and the open menu on a phone have no accessibility fault, fit, and can be used with a thumb', async () => {
  const page = await openPage();
  await page.goto('/');
  await page.getByRole('button', { name: 'Start Transformation' }).click();
  await page.getByRole('dialog', { name: 'Start Transformation' }).waitFor();
  expect(await stateFaults(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.waitForFunction(() => document.querySelector('main')?.inert);
  // The rest of the page is inert while the menu is open, so the rules for a whole page do not apply.
  const only = ['color-contrast-enhanced', 'target-size', 'button-name', 'link-name', 'list'];
  expect(await stateFaults(page, { widths: [320, 390], only })).toEqual([]);
});

test('Without scripts, every kind of page shows its text, and no control that needs a script', async () => {
  const page = await openPage({ javaScriptEnabled: false });
  for (const address of firsts) {
    await page.goto(address);
    expect(await page.locator('h1').isVisible(), address).toBe(true);
    expect(await page.locator('#cookies').isVisible(), address).toBe(false);
  }
});

test('Every link, picture and URL of the site works, and every fragment leads to its section', async () => {
  const found = new Map<string, Promise<{ status: number; ids: Set<string>; links: string[] }>>();
  const look = async (address: string) => {
    const response = await fetch(site.url + address);
    const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
    const body = await response.text();
    const $ = load(isPage ? body : '');
    const origins = [site.url, new URL($('link[rel=canonical]').attr('href') ?? site.url).origin];
    const links = $('[href], [src], meta[property="og:image"]')
      .toArray()
      .map(({ attribs }) => new URL((attribs['href'] ?? attribs['src'] ?? attribs['content'])!, site.url + address))
      .filter(({ origin }) => origins.includes(origin))
      .map(({ pathname, search, hash }) => pathname + search + hash);
    const ids = new Set(
      $('[id]')
        .toArray()
        .map(({ attribs }) => attribs['id']!),
    );
    return { status: response.status, ids, links: [...new Set(links)] };
  };
  const visit = (address: string) => found.get(address) ?? found.set(address, look(address)).get(address)!;
  const faults: string[] = [];
  const queue = new Set(addresses.filter((address) => !missing.includes(address)));
  for (const from of queue) {
    for (const link of (await visit(from)).links) {
      const [address = '', fragment] = link.split('#');
      const to = await visit(address || from);
      const isPrivate = /^\/(api|admin)/.test(address);
      if (to.status !== 200 && !isPrivate) faults.push(`${from} → ${link}: ${to.status}`);
      if (fragment && !to.ids.has(decodeURIComponent(fragment))) faults.push(`${from} → ${link}: no such part`);
      if (to.ids.size > 0 && !isPrivate) queue.add(address || from);
    }
  }
  expect(faults).toEqual([]);
  expect(queue.size).toBeGreaterThan(20);
});
