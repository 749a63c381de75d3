import { type Browser, type BrowserContext, type CDPSession, type Page, chromium } from 'playwright';
import { browserArguments, chromiumPath } from '../../tests/support/browser.ts';
import type { SeededSite } from '../../tests/support/seeded-site.ts';

/** The factor by which the processor is slowed down, as on a mid-range phone. */
const slowdown = 4;

export function launchBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  return chromium.launch({ ...(executablePath && { executablePath }), args: [...browserArguments] });
}

/**
 * Waits until the page has nothing to do: no request for half a second, and no script that is ready to run. On the
 * admin page, the code of all tabs has then been loaded.
 */
export async function untilIdle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => new Promise<unknown>((done) => requestIdleCallback(done)));
}

/** Opens an empty page with an empty cache, in which an admin is signed in and the processor is slow. */
export async function newSlowPage(
  browser: Browser,
  site: SeededSite,
): Promise<{ context: BrowserContext; page: Page; devtools: CDPSession }> {
  const context = await browser.newContext({
    baseURL: site.url,
    storageState: site.session,
    viewport: { width: 1440, height: 900 },
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return { context, page, devtools };
}
