import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { type BrowserHarness, type Expected, type PageOptions, unexpectedOf, useBrowser } from '../browser.ts';
import { type FirefoxSession, connectToFirefox } from './firefox.ts';
import { EnginePage } from './page.ts';
import type { Tab, Viewport } from './tab.ts';
import { openWebkitTab } from './webkit.ts';

export type EngineHarness = Omit<BrowserHarness, 'browser'>;

interface Watch {
  readonly tab: Tab;
  readonly page: EnginePage;
  readonly expected: Expected[];
}

/**
 * Provides the browser of the current project: Firefox, WebKit, or Chromium for every other project. In Chromium the
 * pages are Playwright's. In the other two, pages have the same methods, as far as the tests of `tests/engines` need
 * them.
 */
export function useEngine(): EngineHarness {
  const engine = inject('engine') as ReturnType<typeof inject<'engine'>> | undefined;
  if (!engine) return useBrowser();
  let firefox: FirefoxSession | undefined;
  const openTab = (viewport: Viewport): Promise<Tab> => {
    if (engine.name === 'webkit') return openWebkitTab(engine.screen, viewport);
    if (!firefox) throw new Error('Firefox is not connected yet.');
    return firefox.openTab(viewport);
  };
  const watches = new Map<Page, Watch>();

  beforeAll(async () => {
    if (engine.name === 'firefox') firefox = await connectToFirefox(engine.url);
  });
  afterAll(() => firefox?.close());
  afterEach(async ({ task }) => {
    const open = [...watches.values()];
    watches.clear();
    for (const { page, tab } of open) {
      if (task.result?.state === 'fail') await keepScreenshot(`${engine.name}-${task.name}`, tab);
      await page.finish().finally(() => tab.close());
    }
    const unexpected = open.flatMap(({ tab, expected }) => unexpectedOf({ problems: tab.problems, expected }));
    if (unexpected.length > 0) throw new Error(`The page had problems:\n${unexpected.join('\n')}`);
  });

  return {
    async newPage(options: PageOptions = {}) {
      const viewport = options.viewport ?? (options.device === 'phone' ? phone : desktop);
      const tab = await openTab(viewport);
      const page = new EnginePage(tab, engine.locators, options.baseURL ?? '');
      const asPage = page as unknown as Page;
      watches.set(asPage, { tab, page, expected: [...(options.expected ?? [])] });
      const stored = options.context?.storageState;
      if (typeof stored === 'object') await tab.addCookies(stored.cookies, options.baseURL ?? '');
      return asPage;
    },
    expectProblem: (page, ...expected) => void watches.get(page)?.expected.push(...expected),
    problemsOf: (page) => watches.get(page)?.tab.problems ?? [],
  };
}

/** Saves a screenshot of a failed test's page in `.cache/test-reports`. */
async function keepScreenshot(name: string, tab: Tab): Promise<void> {
  const file = join('.cache/test-reports', `${name.replaceAll(/\W+/g, '-').slice(0, 100)}.png`);
  await mkdir(dirname(file), { recursive: true });
  await tab.screenshot().then(
    (picture) => writeFile(file, picture),
    () => undefined,
  );
}

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 900 };
