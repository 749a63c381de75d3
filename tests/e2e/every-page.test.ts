import { load } from 'cheerio';
import { beforeAll, expect, test } from 'vitest';
import { type PageOptions, useBrowser } from '../support/browser.ts';
import { useSession } from '../support/inbox.ts';
import { postsApi } from '../support/post-editor.ts';
import { pages } from '../site/built-site.ts';
import { useSite } from '../support/site.ts';
import { stateFaults } from '../support/state-faults.ts';

const browser = useBrowser();
const site = useSite();
const session = useSession(site);

/** The built pages, and pages that the site renders on request. */
const rendered = ['/blog', '/blog/closing', '/search?q=ledger', '/contact/sent?reference=7K3M-9QXD'];
const missing = ['/no-such-page', '/services/none'];
const built = pages.map(({ path }) => path).filter((path) => !/^\/(404|service-not-found)$/.test(path));
const addresses = [...built, ...rendered, ...missing];
/** Pages of one kind have the same colors, so the dark colors of only the first one are checked. */
const kindOf = (address: string) => address.replace(/^(\/[^/]*\/).+/, '$1');
const firsts = [...new Map(addresses.toReversed().map((address) => [kindOf(address), address])).values()];
const inTheDark = [...firsts, '/resources/suitescript-guide'];

beforeAll(async () => {
  const content = `<h2>Receivables</h2><p>${'Closing the books. '.repeat(20)}</p><table><tr><th>Day</th><td>3</td></tr></table>`;
  await postsApi(site, session).create({ title: 'Closing the books', slug: 'closing', content, status: 'published' });
});

const openPage = (options: PageOptions = {}) =>
  browser.newPage({
    baseURL: site.url,
    expected: ['404', /_astro\/missing/],
    reducedMotion: true,
    context: { hasTouch: true },
    ...options,
  });

test.each(addresses)(
  '%s has no accessibility fault, fits every screen, and can be used with a thumb',
  async (address) => {
    const page = await openPage();
    const response = await page.goto(address);
    expect(response?.status(), address).toBe(missing.includes(address) ? 404 : 200);
    await page.evaluate(() => void (document.querySelector<HTMLElement>('#cookies')!.hidden = false));
    expect(await stateFaults(page, { dark: inTheDark.includes(address) })).toEqual([]);
  },
);

test('The open contact panel has no accessibility fault, fits every screen, and can be used with a thumb', async () => {
  const page = await openPage();
  await page.goto('/');
  await page.getByRole('button', { name: 'Start Transformation' }).click();
  await page.getByRole('dialog', { name: 'Start Transformation' }).waitFor();
  expect(await stateFaults(page)).toEqual([]);
});

test('The open menu on a phone has no accessibility fault, fits the screen, and can be used with a thumb', async () => {
  const page = await openPage({ viewport: { width: 390, height: 800 } });
  await page.goto('/');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.waitForFunction(() => document.querySelector('main')?.inert);
  // The rest of the page is inert while the menu is open, so the rules for a whole page do not apply.
  const rules = ['color-contrast-enhanced', 'target-size', 'button-name', 'link-name', 'list'];
  expect(await stateFaults(page, { widths: [320, 390], rules })).toEqual([]);
});

test('Without scripts, every page shows its text, and no control that needs a script', async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: ['404'], scripts: false });
  for (const address of addresses) {
    await page.goto(address);
    expect(await page.locator('h1').isVisible(), address).toBe(true);
    expect(await page.locator('#cookies').isVisible(), address).toBe(false);
  }
});

test('With reduced motion nothing moves, and a printed page has no menu, no banner and no pale text', async () => {
  const page = await browser.newPage({
    baseURL: site.url,
    reducedMotion: true,
    viewport: { width: 718, height: 1000 },
  });
  for (const address of ['/', '/contact', '/services/implementation', '/resources/suitescript-guide', '/privacy']) {
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await page.goto(address);
    const moving = () =>
      document
        .getAnimations()
        .filter(({ timeline, playState }) => timeline === document.timeline && playState === 'running').length;
    expect(await page.evaluate(moving), address).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.skip-link, #menu, #cookies section').filter({ visible: true }).count(), address).toBe(
      0,
    );
    // Browsers do not print the dark background behind pale text.
    const pale = await page.locator('main *, footer *').evaluateAll((elements) =>
      elements
        .filter(
          (element) =>
            element.checkVisibility() &&
            [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim()),
        )
        .filter((element) => {
          const [red = 0, green = 0, blue = 0] = getComputedStyle(element).color.match(/\d+/g)!.map(Number);
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 150;
        })
        .map((element) => element.textContent.trim().slice(0, 40)),
    );
    expect(pale, address).toEqual([]);
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
  const queue = new Set(['/', ...addresses.filter((address) => !missing.includes(address))]);
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
