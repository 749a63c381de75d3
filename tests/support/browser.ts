import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright';
import { afterEach, beforeAll } from 'vitest';
import { systemChromium } from '../../scripts/browser.mjs';
import { type Expected, unexpectedOf } from './problems.ts';

/**
 * Returns `CHROMIUM_PATH`, or the path of the system's browser. If both are missing, returns undefined, and Playwright
 * uses the browser that it downloaded.
 */
export function chromiumPath(): string | undefined {
  const path = systemChromium();
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
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...browserArguments],
  });
}

export interface PageOptions {
  /** A phone of 360 x 740 with touch, or a desktop of 1440 x 900 (the default). */
  device?: 'phone' | 'desktop';
  viewport?: { width: number; height: number };
  /** False turns scripts off. The default is true. */
  scripts?: boolean;
  colorScheme?: 'light' | 'dark';
  reducedMotion?: boolean;
  forcedColors?: boolean;
  /** A factor: `4` makes the processor four times as slow. */
  cpuSlowdown?: number;
  offline?: boolean;
  baseURL?: string;
  timezoneId?: string;
  /** Cookies of the site at `baseURL`. */
  cookies?: readonly { readonly name: string; readonly value: string }[];
  /** See {@link BrowserHarness.expectProblem}. */
  expected?: readonly Expected[];
  /** More options for the Playwright context. */
  context?: BrowserContextOptions;
}

export interface BrowserHarness {
  readonly browser: Browser;
  /**
   * Opens a page in a separate context, which is closed after the test. The test fails if the page logged a warning or
   * an error, threw, or had a failed request, unless the test declared the problem as expected.
   */
  newPage(options?: PageOptions): Promise<Page>;
  /**
   * Declares problems of a page that are expected. Each value is a part of the problem's text, or a pattern that
   * matches it.
   */
  expectProblem(page: Page, ...expected: Expected[]): void;
  /** Returns all problems of a page so far, expected or not. */
  problemsOf(page: Page): readonly string[];
}

interface Watch {
  readonly context: BrowserContext;
  readonly problems: string[];
  readonly expected: Expected[];
}

declare global {
  /** The browser of this worker. The test files of a worker share it, and it ends with the worker. */
  var chromium: Promise<Browser> | undefined;
}

/** Provides a browser. Call it once, at the top of a test file. It checks and closes every page after each test. */
export function useBrowser(): BrowserHarness {
  let browser: Browser | undefined;
  const watches = new Map<Page, Watch>();

  beforeAll(async () => {
    browser = await (globalThis.chromium ??= launchBrowser());
  });
  afterEach(async () => {
    const unexpected = [...watches.values()].flatMap(unexpectedOf);
    const contexts = [...watches.values()].map(({ context }) => context);
    watches.clear();
    await Promise.all(contexts.map((context) => context.close()));
    if (unexpected.length > 0) throw new Error(`The page had problems:\n${unexpected.join('\n')}`);
  });

  const watchOf = (page: Page): Watch => {
    const watch = watches.get(page);
    if (!watch) throw new Error('This page was not opened by newPage, or in another test.');
    return watch;
  };
  const running = (): Browser => {
    if (!browser) throw new Error('The browser runs only inside tests.');
    return browser;
  };

  return {
    get browser() {
      return running();
    },
    async newPage(options = {}) {
      const context = await running().newContext(contextOptions(options));
      context.setDefaultTimeout(60_000);
      await context.addInitScript(hideMouseInCorner);
      const { cookies = [], baseURL = '' } = options;
      await context.addCookies(cookies.map(({ name, value }) => ({ name, value, url: baseURL })));
      const page = await context.newPage();
      const watch: Watch = { context, problems: [], expected: [...(options.expected ?? [])] };
      watches.set(page, watch);
      listen(page, watch.problems);
      if (options.cpuSlowdown !== undefined) {
        const session = await context.newCDPSession(page);
        await session.send('Emulation.setCPUThrottlingRate', { rate: options.cpuSlowdown });
      }
      return page;
    },
    expectProblem: (page, ...expected) => void watchOf(page).expected.push(...expected),
    problemsOf: (page) => watchOf(page).problems,
  };
}

/** Hides from scripts the mouse that a headless browser reports in the corner of each new page. */
function hideMouseInCorner(): void {
  const hide = (event: PointerEvent) => event.clientX + event.clientY === 0 && event.stopImmediatePropagation();
  addEventListener('pointerover', hide, true);
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

function contextOptions(options: PageOptions): BrowserContextOptions {
  const device: BrowserContextOptions =
    options.device === 'phone'
      ? { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
      : { viewport: { width: 1440, height: 900 } };
  return {
    ...device,
    locale: 'en-US',
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
    forcedColors: options.forcedColors ? 'active' : 'none',
    javaScriptEnabled: options.scripts ?? true,
    offline: options.offline ?? false,
    ...(options.viewport ? { viewport: options.viewport } : {}),
    ...(options.baseURL === undefined ? {} : { baseURL: options.baseURL }),
    ...(options.timezoneId === undefined ? {} : { timezoneId: options.timezoneId }),
    ...options.context,
  };
}
