import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type Page, type PageOptions, useEngine } from '../support/person.ts';
import { useSite } from '../support/site.ts';

const browser = useEngine();
const site = useSite();

/** Opens a page as a visitor who answered the cookie banner on an earlier visit. */
const visit = (path: string, options: PageOptions = {}) =>
  newVisitor(path, { cookies: [{ name: 'cookies-accepted', value: 'declined' }], ...options });
const newVisitor = async (path: string, options: PageOptions = {}) => {
  const page = await browser.newPage({ baseURL: site.url, ...options });
  await page.goto(path);
  return page;
};

const focusedLabel = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id);
const topOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => Math.round(element.getBoundingClientRect().top));

describe('The header', () => {
  test('is transparent at the top of the home page, and solid after a visitor scrolls', async () => {
    const page = await visit('/');
    const background = () =>
      page.locator('.site-header').evaluate((header) => getComputedStyle(header).backgroundColor);
    // Matches every color with an alpha of 0, because browser engines write a transparent color in different ways.
    await expect.poll(background).toMatch(/[,/] 0\)$/);
    await page.mouse.move(600, 500);
    await page.mouse.wheel(0, 300);
    await expect.poll(background).not.toMatch(/[,/] 0\)$/);
  });
});

test('The double line above a table of contents is two lines in every engine', async () => {
  const page = await visit('/privacy');
  const { x, y } = await page.locator('.legal-contents').boundingBox();
  const column = { left: Math.round(x + 20), top: Math.floor(y) - 2, width: 1, height: 8 };
  const pixels = await sharp(await page.screenshot())
    .extract(column)
    .toColorspace('b-w')
    .raw()
    .toBuffer();
  expect([...pixels].map((light) => (light < 170 ? 'dark' : 'light')).join()).toContain('dark,light,dark');
});

describe('The menu on a phone', () => {
  test('keeps the focus, closes with Esc, returns the focus, and leads to a section below the header', async () => {
    const page = await visit('/', { device: 'phone' });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.waitForFunction(() => document.querySelector('main')?.inert);
    await expect.poll(() => focusedLabel(page)).toBe('Close menu');
    for (let presses = 0; presses < 10; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('main, footer'))).toBeFalsy();
    }
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('main')?.inert);
    await expect.poll(() => focusedLabel(page)).toBe('Open menu');

    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.locator('#menu').getByRole('link', { name: 'About' }).click();
    await expect.poll(() => topOf(page, '#about')).toBe(64);
    await page.locator('#menu').waitFor({ state: 'hidden' });
  });
});

describe('The services explorer', () => {
  test('works with the mouse, then with the arrow keys', async () => {
    const page = await visit('/');
    await page.locator('#tab-implementation').click();
    await page.locator('#services-implementation').waitFor();
    await page.locator('.explorer[data-live]').waitFor();
    for (const [key, id] of [
      ['Home', 'digital-roadmap'],
      ['ArrowDown', 'project-rescue'],
      ['End', 'support'],
      ['ArrowDown', 'digital-roadmap'],
      ['ArrowUp', 'support'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`#services-${id}`).waitFor();
      expect(await focusedId(page)).toBe(`tab-${id}`);
    }
    expect(await page.locator('.panel').evaluateAll((panels) => panels.filter((p) => p.checkVisibility()).length)).toBe(
      1,
    );
  });

  test.each(['development', 'support'])('opens at %s if the URL names it', async (id) => {
    const page = await visit(`/#services-${id}`);
    await page.locator(`#tab-${id}[aria-selected=true]`).waitFor();
    await page.locator(`#services-${id}`).waitFor();
    await expect.poll(() => topOf(page, '#services')).toBe(80);
  });
});

describe('The process timeline of a service', () => {
  test('starts when a visitor reaches it, and can be paused and stepped through with the mouse and the arrow keys', async () => {
    const page = await visit('/services/implementation');
    const timeline = page.locator('.timeline');
    const place = page.locator('.timeline-place');
    const button = (name: string) => timeline.getByRole('button', { name, exact: true });
    await timeline.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }));
    await page.locator('.timeline[data-drawing]').waitFor();
    await button('Pause').click();
    await button('Play').waitFor();
    await page.locator('.step button').nth(3).click();
    await place.getByText('Step 4 of 7').waitFor();
    await page.keyboard.press('ArrowRight');
    await place.getByText('Step 5 of 7').waitFor();
    await button('Previous').click();
    await place.getByText('Step 4 of 7').waitFor();
    await page.locator('.step button').nth(6).click();
    await place.getByText('Process Complete').waitFor();
    await button('Replay').click();
    await place.getByText('Step 1 of 7').waitFor();
    await place.getByText('Step 2 of 7').waitFor();
  });
});

describe('The cookie banner', () => {
  const stored = (page: Page) => page.evaluate(() => localStorage.getItem('cookies-accepted'));
  const banner = (page: Page) => page.getByRole('region', { name: 'Cookies' });

  test('stores a quick decline', async () => {
    const page = await newVisitor('/');
    await page.getByRole('button', { name: 'Decline', exact: true }).click();
    await banner(page).waitFor({ state: 'detached' });
    expect(await stored(page)).toBe('declined');
    await page.reload();
    expect(await banner(page).isVisible()).toBe(false);
  });

  test('stores an accept, also in a cookie, and counts Esc as declining', async () => {
    const page = await newVisitor('/contact');
    await page.getByRole('button', { name: 'Accept All Cookies' }).click();
    await banner(page).waitFor({ state: 'detached' });
    expect(await stored(page)).toBe('true');
    expect(await page.cookies()).toMatchObject([{ name: 'cookies-accepted', value: 'true' }]);
    await page.goto('/privacy');
    await page.getByRole('button', { name: 'Reset Cookie Preferences' }).click();
    await banner(page).waitFor();
    await page.keyboard.press('Escape');
    await banner(page).waitFor({ state: 'detached' });
    expect(await stored(page)).toBe('declined');
  });
});

describe('The contact widget', () => {
  test('opens over the page, keeps the focus, and returns it after Esc', async () => {
    const page = await visit('/', { device: 'phone' });
    await page.getByRole('button', { name: 'Start Transformation' }).click();
    const panel = page.getByRole('dialog', { name: 'Start Transformation' });
    await panel.waitFor();
    await page.waitForFunction(() => document.querySelector('#contact-panel')?.contains(document.activeElement));
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    await expect.poll(() => focusedLabel(page)).toBe('Start Transformation');
  });
});

describe('The search', () => {
  test('finds a section in spite of a typo, leads to it, and is still there when the reader returns', async () => {
    const page = await visit('/search');
    await page.getByRole('searchbox').fill('concurency');
    const results = page.locator('main ol');
    await results.getByRole('link', { name: 'Capabilities' }).waitFor();
    expect(await results.locator('mark').first().textContent()).toMatch(/^concurrency$/i);
    await results.getByRole('link', { name: 'Capabilities' }).click();
    await page.waitForURL('**/resources/netsuite-mcp-guide#capabilities');
    await page.goBack();
    await results.getByRole('link', { name: 'Capabilities' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('concurency');
  });
});

describe('A reader of an article', () => {
  test('sees the current section in the table of contents, and the reading progress', async () => {
    const page = await visit('/resources/netsuite-mcp-guide');
    const marked = page.locator('.on-this-page [aria-current=location]');
    const progress = () => page.locator('.progress').evaluate((bar) => bar.getBoundingClientRect().width / innerWidth);
    await page.mouse.move(400, 400);
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Capabilities' }).click();
    await marked.filter({ hasText: 'Capabilities' }).waitFor();
    await expect.poll(progress).toBeGreaterThan(0.05);
    const early = await progress();
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Conclusion' }).click();
    await marked.filter({ hasText: 'Conclusion' }).waitFor();
    expect(await marked.count()).toBe(1);
    await expect.poll(progress).toBeGreaterThan(early);
  });

  test('copies code and pastes it', async () => {
    const page = await visit('/resources/suitescript-guide');
    const code = page.locator('.code').first();
    await code.hover();
    await code.getByRole('button').click();
    await expect.poll(() => code.getByRole('button').textContent()).toBe('Copied');
    await page.goto('/contact');
    const message = page.locator('form[data-variant=section]').getByLabel('Message');
    await message.click();
    await page.keyboard.press('Control+v');
    await expect.poll(() => message.inputValue()).toMatch(/^\/\*\*\n \* @NApiVersion 2\.1\n/);
  });
});
