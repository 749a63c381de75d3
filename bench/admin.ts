import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, CDPSession, Page } from 'playwright';
import { type SeededSite, startSeededSite } from '../tests/support/seeded-site.ts';
import { launchBrowser, newSlowPage, untilIdle } from './slow/browser.ts';

/**
 * Measures two waits of an admin on a processor that is slowed down by a factor of four: from the navigation, with an
 * empty browser cache, to the first row of posts; and from a click on a tab to the tab's content.
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
const tabs = ['Media Library', 'Content Editor', 'Contact Submissions', 'Settings', 'Blog Posts'];

type Times = Record<string, number[]>;

const directories = [process.cwd(), ...(values.beside === undefined ? [] : [resolve(values.beside)])];
const sites: { readonly directory: string; readonly site: SeededSite; readonly times: Times }[] = [];
const browser = await launchBrowser();
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
  const { context, page, devtools } = await newSlowPage(within, site);
  try {
    const received = await countBytes(devtools);
    await page.addInitScript(watchContent);
    await page.goto('/admin', { waitUntil: 'commit' });
    note('first row, ms', await paintedAt(page, '.list-row th a'));
    note('KB received by then', received() / 1000);
    // Waits, because an admin reads the list before the first click on a tab.
    await untilIdle(page);
    for (const tab of tabs) {
      await page.getByRole('tab', { name: tab }).click();
      note(`tab ${tab}, ms`, await page.evaluate(() => window.contentAfterPress()));
      await untilIdle(page);
    }
  } finally {
    await context.close();
  }
}

/** @returns a function that returns the number of bytes that the page has received. */
async function countBytes(devtools: CDPSession): Promise<() => number> {
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await devtools.send('Network.enable');
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
        // The frame's layout and paint follow in the same task. The next task has priority, because React's work for
        // later frames would otherwise count too.
        requestAnimationFrame(
          () => void scheduler.postTask(() => done(performance.now()), { priority: 'user-blocking' }),
        );
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
