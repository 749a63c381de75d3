import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { load } from 'cheerio';
import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { faultsOf } from '../support/accessibility.ts';
import { useBrowser } from '../support/browser.ts';
import { layoutFaults } from '../support/layout.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();
/** The pages of the sitemap, and pages that are not listed but that visitors can reach. */
let addresses: string[] = [];
beforeAll(async () => {
  const $ = load(await (await fetch(`${site.url}/sitemap`)).text());
  const listed = $('main a')
    .toArray()
    .map((link) => $(link).attr('href')!);
  // Skips broken links of the sitemap, because the test of all links below reports them.
  const answers = await Promise.all(listed.map(async (address) => (await fetch(site.url + address)).ok));
  addresses = [
    ...listed.filter((_, index) => answers[index]),
    '/contact/sent?reference=7K3M-9QXD',
    '/contact/review',
    '/no-such-page',
    '/services/none',
  ];
});

const missing = /no-such-page|none$/;

async function open(page: Page, address: string): Promise<void> {
  const response = await page.goto(address);
  expect(response?.status(), address).toBe(missing.test(address) ? 404 : 200);
}

const showBanner = (page: Page) =>
  page.evaluate(() => {
    document.querySelector<HTMLElement>('#cookies')!.hidden = false;
  });

/** Finds text that is too pale to read on paper. Browsers do not print the dark background behind such text. */
const paleTexts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *, footer *')]
      .filter((element) =>
        [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim() !== ''),
      )
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        const [red = 0, green = 0, blue = 0] = getComputedStyle(element).color.match(/\d+/g)!.map(Number);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 150;
      })
      .map((element) => `"${element.textContent.trim().slice(0, 40)}" is pale`),
  );

/** Returns the number of bytes that an HTTP/1.1 response takes, including its headers. */
async function sentBytes(address: string): Promise<number> {
  const [answer] = (await once(get(site.url + address, { headers: { 'accept-encoding': 'br' } }), 'response')) as [
    IncomingMessage,
  ];
  answer.resume();
  const headers = answer.rawHeaders.join('').length + 2 * answer.rawHeaders.length;
  return headers + Number(answer.headers['content-length']);
}

/** A server sends ten packets of 1,460 bytes before it waits for an acknowledgment from the browser. */
const firstFlight = 14_600;

test('Every page except an article fits in the first flight of packets, together with everything sent before it', async () => {
  const heavy: string[] = [];
  for (const address of addresses.filter((one) => !one.startsWith('/resources/'))) {
    const bytes = await sentBytes(address);
    if (!(bytes <= firstFlight)) heavy.push(`${address}: ${bytes}`);
  }
  expect(heavy).toEqual([]);
});

test('No page has an axe violation, in either color scheme', { timeout: 240_000 }, async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: ['404', /_astro\/missing/], reducedMotion: true });
  const faults: string[] = [];
  const seenInTheDark = new Set<string>();
  const withCode = '/resources/suitescript-guide';
  expect(addresses).toContain(withCode);
  for (const address of addresses) {
    await open(page, address);
    await showBanner(page);
    faults.push(...(await faultsOf(page)));
    // Pages with the same first path segment have the same colors, so dark colors are checked on only one of these
    // pages. The page with code is always checked.
    const kind = address.split('/')[1] ?? '';
    if (seenInTheDark.has(kind) && address !== withCode) continue;
    seenInTheDark.add(kind);
    await page.emulateMedia({ colorScheme: 'dark' });
    faults.push(...(await faultsOf(page, ['color-contrast', 'color-contrast-enhanced'])));
    await page.emulateMedia({ colorScheme: 'light' });
  }
  expect(faults).toEqual([]);
});

test('The open menu on a phone and the open contact widget have no axe violation', async () => {
  const page = await browser.newPage({ baseURL: site.url, device: 'phone', reducedMotion: true });
  await page.goto('/');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.waitForFunction(() => document.querySelector('main')?.inert);
  // The rest of the page is inert while the menu is open, so only the menu is checked.
  const faults = await faultsOf(page, ['color-contrast-enhanced', 'target-size', 'button-name', 'link-name', 'list']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Start Transformation' }).click();
  await page.getByRole('dialog', { name: 'Start Transformation' }).waitFor();
  expect([...faults, ...(await faultsOf(page))]).toEqual([]);
});

test('No page is wider than its screen, from 320 to 2560 px', { timeout: 120_000 }, async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: ['404', /_astro\/missing/] });
  const wide: string[] = [];
  for (const address of addresses) {
    await open(page, address);
    await showBanner(page);
    for (const width of [320, 360, 640, 768, 1024, 1060, 1099, 1280, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (beyond > 0) wide.push(`${address} at ${width} px by ${beyond}`);
    }
  }
  expect(wide).toEqual([]);
});

test('On a phone every control is at least 44 px high and wide', { timeout: 120_000 }, async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: ['404', /_astro\/missing/], device: 'phone' });
  const small: string[] = [];
  for (const address of addresses) {
    await open(page, address);
    await showBanner(page);
    const found = await page.evaluate(() =>
      [...document.querySelectorAll('a, button, input, select, textarea, summary')]
        // Excludes links within a sentence, because they are as high as the line, and controls inside a label, because
        // the label enlarges them. Invisible controls have no size.
        .filter((control) => control.checkVisibility() && !control.closest('.honeypot, .skip-link, label'))
        .filter(
          (control) =>
            control.parentElement!.textContent.trim() === control.textContent.trim() ||
            control.matches('button, input, select, textarea'),
        )
        .map((control) => ({ text: control.textContent, box: control.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
        .map(({ text, box }) => `${text.trim()} (${Math.round(box.width)} x ${Math.round(box.height)})`),
    );
    small.push(...found.map((control) => `${address}: ${control}`));
  }
  expect(small).toEqual([]);
});

test('A printed page contains nothing that works only on a screen', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  // The window is as large as the printed area of a sheet. The visitor uses the dark color scheme on the screen.
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const faults: string[] = [];
  for (const address of [
    '/',
    '/contact',
    '/join-team',
    '/project-rescue',
    '/services/implementation',
    '/resources/suitescript-guide',
    '/privacy',
  ]) {
    await open(page, address);
    expect(await page.locator('.skip-link, .dock').filter({ visible: true }).count(), address).toBe(0);
    faults.push(...[...(await layoutFaults(page)), ...(await paleTexts(page))].map((fault) => `${address}: ${fault}`));
  }
  expect(faults).toEqual([]);
});

test('A printed template has no header, no footer and no link back to its article', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  await page.emulateMedia({ media: 'print' });
  await open(page, '/templates/roi-model');
  expect(await page.locator('header, footer, .back').filter({ visible: true }).count()).toBe(0);
});

test('In forced colors, the pale table rows have no background', async () => {
  const page = await browser.newPage({ baseURL: site.url, forcedColors: true });
  await page.goto('/');
  const painted = await page.evaluate(() =>
    ['.hero', '.hero .reconciliation']
      .map((part) => getComputedStyle(document.querySelector(part)!))
      .map(({ backgroundImage, borderImageSource }) => `${backgroundImage} ${borderImageSource}`),
  );
  expect(painted).toEqual(['none none', 'none none']);
});

test('Without scripts, every page shows its text, and no control that needs a script', async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: ['404'], scripts: false });
  for (const address of addresses) {
    await open(page, address);
    expect(await page.locator('h1').isVisible(), address).toBe(true);
    expect(await page.locator('#cookies').isVisible(), address).toBe(false);
  }
});

test('Every link, picture and URL of the site works, and every fragment leads to its section', async () => {
  const found = new Map<string, Promise<{ status: number; ids: Set<string>; links: string[] }>>();
  const faults: string[] = [];
  const visit = (address: string) => {
    const known = found.get(address) ?? look(address);
    found.set(address, known);
    return known;
  };
  async function look(address: string) {
    const response = await fetch(site.url + address, { redirect: 'follow' });
    const type = response.headers.get('content-type') ?? '';
    const $ = load(type.startsWith('text/html') ? await response.text() : '');
    if (!type.startsWith('text/html')) await response.body?.cancel();
    const canonical = $('link[rel=canonical]').attr('href');
    const origin = canonical ? new URL(canonical).origin : site.url;
    const links = $('[href], [src], meta[property="og:image"]')
      .toArray()
      .map((element) => $(element).attr('href') ?? $(element).attr('src') ?? $(element).attr('content')!)
      .map((link) => new URL(link, site.url + address))
      .filter((link) => link.origin === site.url || link.origin === origin)
      .map(({ pathname, search, hash }) => pathname + search + hash);
    const ids = new Set($('[id]').toArray().map((element) => $(element).attr('id')!)); // prettier-ignore
    return { status: response.status, ids, links: [...new Set(links)] };
  }
  const queue = ['/', '/sitemap', ...addresses.filter((address) => !missing.test(address))];
  const queued = new Set(queue);
  for (const from of queue) {
    const { links } = await visit(from);
    for (const link of links) {
      const [address = '', fragment] = link.split('#');
      const to = await visit(address || from);
      if (to.status !== 200 && !/^\/(api|admin)/.test(address)) faults.push(`${from} → ${link}: ${to.status}`);
      if (fragment && !to.ids.has(decodeURIComponent(fragment))) faults.push(`${from} → ${link}: no such part`);
      if (!queued.has(address) && to.ids.size > 0 && !/^\/(api|admin)/.test(address)) {
        queued.add(address);
        queue.push(address);
      }
    }
  }
  expect(faults).toEqual([]);
  expect(queue.length).toBeGreaterThan(20);
});
