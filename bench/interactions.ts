import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright';
import { type SeededSite, startSeededSite } from '../tests/support/seeded-site.ts';
import { launchBrowser, newSlowPage, untilIdle } from './slow/browser.ts';

/**
 * Presses the controls of the site and of the admin on a processor that is slowed down by a factor of four: buttons,
 * tabs, fields, and everything in the dialogs and panels that they open. Prints the time from each press to the next
 * frame, as the metric Interaction to Next Paint counts it, and then the five slowest presses.
 *
 * npm run bench interactions
 * npm run bench interactions -- --pages contact     only the pages whose path contains this text
 * npm run bench interactions -- --rounds 3          the median of several rounds
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { pages: { type: 'string', default: '' }, rounds: { type: 'string', default: '1' } },
});
const goalMs = 100;
/** A page can offer new controls after each press, so the bench stops after this number of presses per page. */
const mostPresses = 40;
const paths = [
  '/',
  '/contact',
  '/resources/netsuite-implementation-guide',
  '/join-team',
  '/blog',
  '/search',
  '/admin',
  '/admin?post=new',
  '/admin?tab=media',
  '/admin?tab=content',
  '/admin?tab=content&section=hero',
  '/admin?tab=submissions',
  '/admin?tab=settings',
  '/admin/settings',
].filter((path) => path.includes(values.pages));

/** Names of controls that the bench skips: they leave the page, download a file, or open a window of the system. */
const notPressed = /sign out|download|csv|reply|passkey|choose|browse|website/i;

interface Control {
  readonly key: string;
  readonly name: string;
  readonly kind: 'press' | 'type' | 'select';
}

const times = new Map<string, number[]>();
const browser = await launchBrowser();
const site = await startSeededSite();
try {
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const path of paths) {
      process.stderr.write(`\r\x1b[K${path}`);
      await pressAll(browser, site, path);
    }
  }
} finally {
  await browser.close();
  await site.stop();
}
process.stderr.write('\r\x1b[K');

const measured = [...times]
  .map(([control, all]) => ({ control, ms: all.sort((one, other) => one - other)[all.length >> 1] ?? 0 }))
  .sort((one, other) => other.ms - one.ms);
console.table(measured);
console.log('The slowest five:');
console.table(measured.slice(0, 5));
const late = measured.filter(({ ms }) => ms >= goalMs).length;
console.log(
  late === 0
    ? `Met: each of ${measured.length} interactions takes less than ${goalMs} ms.`
    : `Not met: ${late} of ${measured.length} interactions take ${goalMs} ms or more.`,
);

async function pressAll(within: Browser, seeded: SeededSite, path: string): Promise<void> {
  const { context, page } = await newSlowPage(within, seeded);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.addInitScript(watchInteractions);
  const pressed = new Set<string>();
  const open = async () => {
    await page.goto(path);
    await untilIdle(page);
  };
  const note = async (name: string, act: () => Promise<void>) => {
    await act();
    const ms = await page.evaluate(() => window.slowestInteraction());
    const label = `${path}  ${name}`;
    times.set(label, [...(times.get(label) ?? []), ms]);
  };
  try {
    await open();
    for (let presses = 0; presses < mostPresses; presses += 1) {
      const control = await page.evaluate(nextControl, { pressed: [...pressed], notPressed: notPressed.source, path });
      if (!control) {
        const inDialog = await page.evaluate(() => document.querySelector('dialog[open]') !== null);
        if (!inDialog) return;
        await note('Esc closes the dialog', () => page.keyboard.press('Escape'));
        if (await page.evaluate(() => document.querySelector('dialog[open]') !== null)) await open();
        continue;
      }
      pressed.add(control.key);
      try {
        await note(control.name, () => use(page, control));
      } catch {
        // The control was covered, or the press led to another page.
        await page.waitForLoadState();
      }
      if (new URL(page.url()).pathname !== new URL(path, seeded.url).pathname) await open();
    }
  } finally {
    await context.close();
  }
}

async function use(page: Page, { kind }: Control): Promise<void> {
  const element = page.locator('[data-next-control]');
  if (kind === 'select') {
    await element.focus();
    await page.keyboard.press('ArrowDown');
    return;
  }
  await element.click({ timeout: 1_000 });
  if (kind === 'type') for (const key of ['s', 'a', 'Backspace']) await page.keyboard.press(key);
}

declare global {
  interface Window {
    /** Returns the longest interaction since the last call, in milliseconds; 0 if none took at least 16 ms. */
    slowestInteraction(): Promise<number>;
  }
}

function watchInteractions(): void {
  let slowest = 0;
  const note = (entries: PerformanceEntryList) => {
    for (const entry of entries as PerformanceEventTiming[]) {
      if (entry.interactionId) slowest = Math.max(slowest, entry.duration);
    }
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  // Changes a pixel in the frame after each press. If a press changes nothing, as on the tab that is already open, the
  // browser shows no frame, and would count the time until the frame of the next press.
  const pixel = document.createElement('div');
  pixel.style.cssText = 'position: fixed; inset: auto 0 0 auto; width: 1px; height: 1px; pointer-events: none';
  let presses = 0;
  addEventListener(
    'pointerdown',
    () =>
      requestAnimationFrame(() => {
        presses += 1;
        if (!pixel.isConnected) document.documentElement.append(pixel);
        pixel.style.background = presses % 2 === 0 ? 'black' : 'white';
      }),
    true,
  );
  window.slowestInteraction = async () => {
    // The browser reports an interaction only after the frame that follows the interaction.
    await new Promise((done) => setTimeout(done, 150));
    note(observer.takeRecords());
    const found = slowest;
    slowest = 0;
    return found;
  };
}

/** Marks the first control that can be pressed now and has not been pressed yet. Returns null if there is none. */
function nextControl(given: { pressed: readonly string[]; notPressed: string; path: string }): Control | null {
  document.querySelector('[data-next-control]')?.removeAttribute('data-next-control');
  const within = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const skipped = new RegExp(given.notPressed, 'i');
  const offered = within.querySelectorAll<HTMLElement>(
    'button, summary, select, textarea, input:not([type="file"]), [contenteditable="true"], a[href^="#"], a[href^="?"]',
  );
  for (const element of offered) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('[inert], [aria-hidden="true"]'))
      continue;
    // On the URL of one admin tab, such as /admin?tab=media, does not press the tabs: another tab would replace the
    // controls that this URL should measure. The tabs themselves are pressed on /admin.
    if (element.role === 'tab' && element.closest('.admin-main') && given.path !== '/admin') continue;
    const { width, height } = element.getBoundingClientRect();
    if (width < 4 || height < 4) continue;
    const label = element.closest('label')?.textContent ?? (element as HTMLInputElement).labels?.[0]?.textContent;
    const text = element.ariaLabel ?? label ?? element.textContent;
    const name = (text || element.title || element.id || element.className).replaceAll(/\s+/g, ' ').trim().slice(0, 50);
    if (skipped.test(name)) continue;
    const row = element.closest('tr, li');
    // All rows of a list have the same controls. The keys of these controls omit the name, which differs in each row,
    // so only the controls of one row are pressed.
    const key = `${element.tagName} ${row ? element.className || row.className : name}`;
    if (given.pressed.includes(key)) continue;
    element.setAttribute('data-next-control', '');
    const typed =
      element.isContentEditable ||
      element.tagName === 'TEXTAREA' ||
      (element instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(element.type));
    const kind = element.tagName === 'SELECT' ? 'select' : typed ? 'type' : 'press';
    return { key, name: `${kind} “${name}”`, kind };
  }
  return null;
}
