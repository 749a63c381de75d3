import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright';
import { afterAll, afterEach } from 'vitest';
import { browserVariables } from '../../../scripts/browser.mjs';
import { type Expected, unexpectedOf } from './problems.ts';

/**
 * Returns `CHROMIUM_PATH`, or the path of the system's browser. If both are missing, returns undefined, and Playwright
 * uses the browser that it downloaded.
 */
export function chromiumPath(): string | undefined {
  const path = browserVariables().CHROMIUM_PATH;
  if (path !== undefined && !existsSync(path)) throw new Error(`CHROMIUM_PATH names ${path}, which does not exist.`);
  return path;
}

/**
 * Chromium features to turn off. The first three are pop-ups of the address bar: Chromium would load them for each new
 * context, which takes a second of processor time. The others are the features that Playwright turns off. They are
 * repeated here, because this list replaces Playwright's list.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  // A process in reserve for the next site. Tests open one site only.
  'SpareRendererForSitePerProcess',
];

/** Arguments for a browser that has no background activity and sends only the requests of its pages. */
export const browserArguments: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join()}`,
];

function launchBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  return chromium.launch({ ...(executablePath && { executablePath }), args: [...browserArguments], timeout: 120_000 });
}

export interface PageOptions extends BrowserContextOptions {
  /** A phone of 360 x 740 with touch, or a desktop of 1440 x 900 (the default). */
  device?: 'phone' | 'desktop';
  /** Cookies of the site at `baseURL`. */
  cookies?: readonly { readonly name: string; readonly value: string }[];
  /** Problems of the page that the test causes on purpose. */
  expected?: readonly Expected[];
  /** True for a browser without the files of earlier pages in its cache. */
  cold?: boolean;
}

const desktop: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  locale: 'en-US',
  colorScheme: 'light',
  // Painting each frame of a movement takes much processor time.
  reducedMotion: 'reduce',
};
const phone: BrowserContextOptions = {
  ...desktop,
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

declare global {
  /** The browser of this worker. The test files of a worker share it, and it ends with the worker. */
  var chromium: Promise<Browser> | undefined;
}

/** A page in a separate context. */
interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly options: BrowserContextOptions;
  /** True after a test changed the tab for all later pages in it. */
  isChanged: boolean;
}

/** Events that tests listen to. */
const pageEvents = ['console', 'pageerror', 'request', 'requestfailed', 'requestfinished', 'response'];

async function openTab(options: BrowserContextOptions): Promise<Tab> {
  const browser = await (globalThis.chromium ??= launchBrowser());
  const context = await browser.newContext(options);
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const tab: Tab = { context, page, options, isChanged: false };
  const noteCalls = (object: object, name: string) => {
    const call = (Reflect.get(object, name) as (...given: unknown[]) => unknown).bind(object);
    Reflect.set(object, name, (...given: unknown[]) => {
      tab.isChanged = true;
      return call(...given);
    });
  };
  const route = page.route.bind(page);
  page.route = async (...given) => {
    const routed = await route(...given);
    const isOpen = page.url().startsWith('http') && !page.url().endsWith(withoutScripts);
    if (isOpen) await waitForInterception(page, route);
    return routed;
  };
  noteCalls(page, 'addInitScript');
  noteCalls(page.clock, 'install');
  noteCalls(context, 'newCDPSession');
  return tab;
}

/**
 * Waits until Chromium intercepts the requests of the open page. For a moment after `page.route`, a page can still send
 * requests past it.
 */
async function waitForInterception(page: Page, route: Page['route']): Promise<void> {
  const path = `${withoutScripts}?intercepted`;
  await route(`**${path}`, (request) => request.fulfill({ status: 204 }));
  while ((await page.evaluate(async (probe) => (await fetch(probe)).status, path)) !== 204);
}

/** Holds the page's requests to these addresses. @returns a function that lets them continue. */
export async function hold(page: Page, addresses: string, options?: Parameters<Page['route']>[2]): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(addresses, (route) => promise.then(() => route.continue()), options);
  return resolve;
}

/** A page without scripts. The site's other pages store unsaved text when a person leaves them. */
const withoutScripts = '/robots.txt';

/** Removes from a tab what its site stored and what the test set up. */
async function emptyTab(tab: Tab): Promise<void> {
  const { context, page, options } = tab;
  const { origin } = new URL(page.url());
  for (const event of pageEvents) page.removeAllListeners(event);
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await page.goto(origin + withoutScripts);
  await page.evaluate(() => sessionStorage.clear());
  await page.mouse.move(0, 0);
  await page.setViewportSize(options.viewport!);
  await page.emulateMedia({ media: null, colorScheme: options.colorScheme! });
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
  await context.clearCookies();
  tab.isChanged = false;
}

/** Provides pages in Chromium. Call it once, at the top of a test file. It checks and closes every page after each test. */
export function useBrowser() {
  const open: { tab: Tab; problems: string[]; expected: readonly Expected[] }[] = [];
  /** Emptied tabs. They have the site's scripts in their memory, so the next page takes an eighth less processor time. */
  const idle: Tab[] = [];

  afterEach(async ({ task }) => {
    const tabs = open.splice(0);
    const passed = task.result?.state !== 'fail';
    await Promise.all(
      tabs.map(async ({ tab }) => {
        if (!passed || tab.isChanged || !tab.page.url().startsWith('http')) return tab.context.close();
        await emptyTab(tab);
        idle.push(tab);
      }),
    );
    const unexpected = tabs.flatMap(unexpectedOf);
    if (unexpected.length > 0) throw new Error(`The page had problems:\n${unexpected.join('\n')}`);
  });
  afterAll(async () => void (await Promise.all(idle.map(({ context }) => context.close()))));

  return {
    /**
     * Opens a page as a new visitor. The test fails if the page logged a warning or an error, threw, or had a failed
     * request, unless the problem is expected.
     */
    async newPage(options: PageOptions = {}): Promise<Page> {
      const { device = 'desktop', cookies = [], expected = [], cold = false, ...changes } = options;
      const wanted = { ...(device === 'phone' ? phone : desktop), ...changes };
      const used = cold ? -1 : idle.findIndex((one) => isDeepStrictEqual(one.options, wanted));
      const tab = used < 0 ? await openTab(wanted) : idle.splice(used, 1)[0]!;
      await tab.context.addCookies(cookies.map(({ name, value }) => ({ name, value, url: wanted.baseURL! })));
      const problems: string[] = [];
      open.push({ tab, problems, expected });
      listen(tab.page, problems);
      return tab.page;
    },
  };
}

function listen(page: Page, problems: string[]): void {
  page.on('console', (message) => {
    const type = message.type();
    if (type !== 'warning' && type !== 'error' && type !== 'assert') return;
    problems.push(`console ${type}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(`page error: ${error.stack ?? error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed';
    // Leaving a page aborts its open requests, and a download aborts its own navigation.
    const ended = reason === 'net::ERR_ABORTED';
    // The browser may drop a prefetched or prerendered page at any time.
    const guessed = request.headers()['sec-purpose'] !== undefined;
    if (!ended && !guessed) problems.push(`request failed: ${request.method()} ${request.url()} ${reason}`);
  });
}
