import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright';
import { browserArguments, chromiumPath } from '../tests/support/browser.ts';
import { type SeededSite, startSeededSite } from '../tests/support/seeded-site.ts';

/**
 * Measures how long an admin waits for the dashboard on a processor that is slowed down by a factor of four: the time
 * from the navigation, with an empty browser cache, to the first row of posts, and from a click on a tab to the tab's
 * content.
 *
 * npm run bench admin
 * npm run bench admin -- --rounds 5
 * npm run bench admin -- --beside ../before     also measures a second built checkout, alternating with this one
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { rounds: { type: 'string', default: '15' }, beside: { type: 'string' } },
});
const rounds = Number(values.rounds);
const slowdown = 4;
const tabs = ['Media Library', 'Content Editor', 'Contact Submissions', 'Settings', 'Blog Posts'];

type Times = Record<string, number[]>;

const directories = [process.cwd(), ...(values.beside === undefined ? [] : [resolve(values.beside)])];
const sites: { readonly directory: string; readonly site: SeededSite; readonly times: Times }[] = [];
const executablePath = chromiumPath();
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: [...browserArguments] });
try {
  for (const directory of directories) {
    sites.push({ directory, site: await startSeededSite(directory), times: {} });
  }
  for (const { site } of sites) await measure(browser, site, {});
  for (let round = 0; round < rounds; round += 1) {
    for (const { site, times } of sites) await measure(browser, site, times);
    process.stderr.write(`\rround ${round + 1} of ${rounds}`);
  }
  process.stderr.write('\n');
  for (const { directory, times } of sites) {
    console.log(directory);
    console.table(
      Object.fromEntries(
        Object.entries(times).map(([name, all]) => {
          const sorted = [...all].sort((one, other) => one - other);
          return [name, { median: sorted[Math.floor(sorted.length / 2)], least: sorted[0], most: sorted.at(-1) }];
        }),
      ),
    );
  }
} finally {
  await browser.close();
  for (const { site } of sites) await site.stop();
}

async function measure(within: Browser, site: SeededSite, times: Times): Promise<void> {
  const note = (name: string, value: number) => (times[name] ??= []).push(Math.round(value));
  const context = await within.newContext({
    baseURL: site.url,
    storageState: site.session,
    viewport: { width: 1440, height: 900 },
  });
  try {
    const page = await context.newPage();
    const received = await slow(context, page);
    await page.addInitScript(watchContent);
    await page.goto('/admin', { waitUntil: 'commit' });
    note('first row, ms', await paintedAt(page, '.list-row th a'));
    note('KB received by then', received() / 1000);
    // An admin reads the list before the first click on a tab.
    await page.waitForTimeout(3_000);
    for (const tab of tabs) {
      await page.getByRole('tab', { name: tab }).click();
      note(`tab ${tab}, ms`, await page.evaluate(() => window.contentAfterPress()));
      await page.waitForTimeout(500);
    }
  } finally {
    await context.close();
  }
}

/** Slows down the processor. @returns a function that returns the number of bytes that the page has received. */
async function slow(context: BrowserContext, page: Page): Promise<() => number> {
  const session = await context.newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await session.send('Network.enable');
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return () => bytes;
}

async function paintedAt(page: Page, selector: string): Promise<number> {
  return await page.evaluate((found) => window.painted(() => document.querySelector(found) !== null), selector);
}

declare global {
  interface Window {
    /** Returns the time in milliseconds from the navigation to the first frame in which `has` is true. */
    painted(has: () => boolean): Promise<number>;
    /** Returns the time in milliseconds from the last click to the first frame with the content of the tab. */
    contentAfterPress(): Promise<number>;
  }
}

function watchContent(): void {
  let pressedAt = 0;
  let contentAt: Promise<number> = Promise.resolve(0);
  window.painted = (has) =>
    new Promise((done) => {
      const look = () => {
        if (!has()) return;
        observer.disconnect();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => done(performance.now());
          port2.postMessage(null);
        });
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { childList: true, subtree: true });
      look();
    });
  window.contentAfterPress = async () => (await contentAt) - pressedAt;
  addEventListener(
    'click',
    (event) => {
      pressedAt = event.timeStamp;
      const before = document.querySelector('[role="tabpanel"]')?.lastElementChild;
      contentAt = window.painted(() => {
        const panel = document.querySelector('[role="tabpanel"]');
        return panel?.lastElementChild !== before && !panel?.querySelector('.skeleton, .screen-skeleton');
      });
    },
    true,
  );
}
