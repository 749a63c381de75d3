import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBrowser, type PageOptions } from '../../../tests/support/browser.ts';
import { bundle } from '../../../tests/support/bundle.ts';
import type { ToastOptions, showToast } from './toast.ts';

declare global {
  interface Window {
    showToast: typeof showToast;
    chosen: number;
  }
}

const browser = useBrowser();
let server: Server;
let baseURL: string;

const page = `<!doctype html><html lang="en"><title>Toast</title><link rel="icon" href="data:,">
  <meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/page.css">
  <button popovertarget="panel">Open</button><div id="panel" popover>Panel</div>
  <dialog><button>Inside</button></dialog>
  <label>Field <input class="low"></label></html>`;
const styles = `body { min-height: 200vh } .low { position: fixed; bottom: 1rem; left: 1rem; width: 50% }
  #panel { inset: 0; width: auto; height: auto; margin: 0 }`;

beforeAll(async () => {
  const script = await bundle("import { showToast } from '/src/lib/toast/toast.ts'; window.showToast = showToast;");
  const files: Record<string, [type: string, text: string]> = {
    '/': ['text/html', page],
    '/lib.js': ['text/javascript', script],
    '/page.css': ['text/css', styles],
  };
  server = createServer((request, response) => {
    const [type, text] = files[request.url ?? ''] ?? ['text/plain', ''];
    response.writeHead(200, {
      'content-type': type,
      'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:",
    });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function open(options: PageOptions = {}): Promise<{ page: Page; toast: Locator }> {
  const opened = await browser.newPage({ baseURL, ...options });
  await opened.goto('/');
  await opened.addScriptTag({ url: '/lib.js', type: 'module' });
  return { page: opened, toast: opened.locator('[data-toast]:popover-open') };
}

const saved = { title: 'Saved', description: 'All of it.' };

async function show(page: Page, options: ToastOptions): Promise<void> {
  await page.evaluate((given) => window.showToast(given), options);
  await page.locator('[data-toast]:popover-open').getByText(options.title, { exact: true }).waitFor();
}

test('there is one toast at a time, announced politely or immediately', async () => {
  const { page, toast } = await open();
  await show(page, saved);
  expect(await toast.getByRole('status').allInnerTexts()).toEqual(['Saved\n\nAll of it.']);
  await show(page, { title: 'Lost', variant: 'destructive' });
  expect(await page.locator('[data-toast]').count()).toBe(1);
  expect(await toast.getByRole('alert').allInnerTexts()).toEqual(['Lost']);
});

test('a toast is announced after it appears, by inserting its text again', async () => {
  const { page } = await open();
  await page.evaluate(
    (options) =>
      new Promise<void>((announced) => {
        const watch = (changes: MutationRecord[]) => {
          if (changes.some(({ target }) => (target as Element).role === 'status')) announced();
        };
        new MutationObserver(watch).observe(document.body, { childList: true, subtree: true });
        window.showToast(options);
      }),
    saved,
  );
});

test('a toast disappears after five seconds, but not under the pointer or with the focus inside', async () => {
  const { page, toast } = await open();
  await page.clock.install();
  await show(page, saved);
  await page.clock.runFor(3_000);
  expect(await toast.count()).toBe(1);
  const box = await toast.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
  await page.clock.runFor(60_000);
  expect(await toast.count()).toBe(1);
  await toast.getByRole('button', { name: 'Close' }).focus();
  await page.mouse.move(1, 1);
  await page.clock.runFor(60_000);
  expect(await toast.count()).toBe(1);
  await page.locator('input').focus();
  await page.clock.runFor(2_500);
  expect(await page.locator('[data-toast]').count()).toBe(0);
});

test('its timer pauses in a hidden tab', async () => {
  const { page, toast } = await open();
  await page.clock.install();
  await page.evaluate((options) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    window.showToast(options);
  }, saved);
  await page.clock.runFor(60_000);
  expect(await toast.count()).toBe(1);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => false });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.clock.runFor(5_100);
  expect(await toast.count()).toBe(0);
});

test('Escape and the close button close it, and the focus returns', async () => {
  const { page, toast } = await open({ reducedMotion: true });
  await page.locator('input').focus();
  await show(page, saved);
  const close = toast.getByRole('button', { name: 'Close' });
  const box = await close.boundingBox();
  expect(box?.width).toBeGreaterThanOrEqual(44);
  expect(box?.height).toBeGreaterThanOrEqual(44);
  await close.focus();
  await page.keyboard.press('Enter');
  expect(await toast.count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await show(page, saved);
  await page.keyboard.press('Escape');
  expect(await toast.count()).toBe(0);
});

test('its action closes it and runs once', async () => {
  const { page, toast } = await open();
  await page.evaluate(() => {
    window.chosen = 0;
    window.showToast({
      title: 'Failed',
      variant: 'destructive',
      durationMs: Infinity,
      action: { label: 'Try again', onSelect: () => (window.chosen += 1) },
    });
  });
  await toast.getByRole('button', { name: 'Try again' }).click();
  expect(await toast.count()).toBe(0);
  expect(await page.evaluate(() => window.chosen)).toBe(1);
});

test('it is above an open popover, and can be used above a modal dialog', async () => {
  const { page, toast } = await open();
  await page.getByRole('button', { name: 'Open' }).click();
  await show(page, { ...saved, durationMs: Infinity });
  await toast.getByRole('button', { name: 'Close' }).click();
  await page.evaluate((options) => {
    document.querySelector('dialog')?.showModal();
    window.showToast({ ...options, durationMs: Infinity });
  }, saved);
  await toast.getByRole('button', { name: 'Close' }).focus();
  await page.evaluate(() => document.querySelector('dialog')?.close());
  await toast.getByRole('button', { name: 'Close' }).click();
  expect(await toast.count()).toBe(0);
});

test('it covers nothing in the remaining dialog when the front dialog closes', async () => {
  const { page, toast } = await open({ reducedMotion: true });
  await page.evaluate((options) => {
    const first = document.querySelector('dialog');
    const second = document.createElement('dialog');
    const foot = document.createElement('p');
    foot.className = 'low';
    foot.dataset['keepClear'] = '';
    foot.textContent = 'Saved';
    first?.append(foot);
    document.body.append(second);
    first?.showModal();
    second.showModal();
    window.showToast({ ...options, durationMs: Infinity });
    second.close();
    second.remove();
  }, saved);
  await toast.getByRole('button', { name: 'Close' }).click({ trial: true });
  const [above, below] = [await toast.boundingBox(), await page.locator('p.low').boundingBox()];
  expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
});

test('it can be used above the remaining dialog when the front dialog closes', async () => {
  const { page, toast } = await open();
  await page.evaluate((options) => {
    const first = document.querySelector('dialog');
    const second = document.createElement('dialog');
    document.body.append(second);
    first?.showModal();
    second.showModal();
    window.showToast({ ...options, durationMs: Infinity });
    second.close();
    second.remove();
  }, saved);
  await toast.getByRole('button', { name: 'Close' }).click();
  expect(await toast.count()).toBe(0);
});

test('on a phone, it never covers the focused field', async () => {
  const { page, toast } = await open({ device: 'phone', reducedMotion: true });
  await show(page, { ...saved, durationMs: Infinity });
  const low = await toast.boundingBox();
  expect(low?.y).toBeGreaterThan(500);
  expect(low?.x).toBeCloseTo(16, 0);
  expect(low?.width).toBeCloseTo(328, 0);
  await page.locator('input').focus();
  expect((await toast.boundingBox())?.y).toBeCloseTo(16, 0);
});

test('it moves only if the visitor does not prefer reduced motion', async () => {
  for (const reducedMotion of [true, false]) {
    const { page, toast } = await open({ reducedMotion });
    await show(page, saved);
    const duration = await toast.evaluate((element) => getComputedStyle(element).transitionDuration);
    expect(duration === '0s').toBe(reducedMotion);
  }
});

test('it has an outline in forced colors, and its text can be selected', async () => {
  const { page, toast } = await open({ forcedColors: true });
  await show(page, saved);
  const look = await toast.evaluate((element) => {
    const { borderTopStyle, borderTopWidth } = getComputedStyle(element);
    const line = element.querySelector('p');
    return [borderTopStyle, borderTopWidth, line && getComputedStyle(line).userSelect];
  });
  expect(look).toEqual(['solid', '1px', 'text']);
});

test('it is just above elements that must stay visible', async () => {
  const { page, toast } = await open({ reducedMotion: true });
  await page.evaluate(() => {
    const banner = document.createElement('div');
    banner.className = 'low';
    banner.dataset['keepClear'] = '';
    banner.textContent = 'A question';
    document.body.append(banner);
  });
  await show(page, saved);
  const [above, below] = [await toast.boundingBox(), await page.getByText('A question').boundingBox()];
  const gap = below!.y - (above!.y + above!.height);
  expect(gap).toBeGreaterThanOrEqual(0);
  expect(gap).toBeLessThan(32);
});
