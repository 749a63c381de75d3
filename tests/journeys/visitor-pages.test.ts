import sharp from 'sharp';
import { expect, test } from 'vitest';
import { inquiryForm, readAWhile } from '../support/samples/inquiry-form.ts';
import { focusedId, focusedLabel, notice, useVisitors } from '../support/browser/journeys.ts';
import type { Page } from '../support/browser/person.ts';

const { site, visit, newVisitor, emailTo } = useVisitors();

const topOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => Math.round(element.getBoundingClientRect().top));
const headerColor = (page: Page) =>
  page.locator('.site-header').evaluate((header) => getComputedStyle(header).backgroundColor);
/** Matches every color with an alpha of 0, because browser engines write a transparent color in different ways. */
const transparent = /[,/] 0\)$/;

test('A controller picks a service, reads how it works, and sends an inquiry about it', async () => {
  const page = await visit('/');
  await expect.poll(() => headerColor(page)).toMatch(transparent);
  await page.mouse.move(600, 500);
  await page.mouse.wheel(0, 300);
  await expect.poll(() => headerColor(page)).not.toMatch(transparent);
  const filter = () => page.locator('.site-header').evaluate((header) => getComputedStyle(header).backdropFilter);
  await expect.poll(filter).toBe('blur(12px)');

  await page.locator('#tab-development').click();
  await page.locator('#services-development').waitFor();
  await page.locator('.explorer[data-live]').waitFor();
  for (const [key, id] of [
    ['End', 'support'],
    ['ArrowDown', 'digital-roadmap'],
    ['ArrowUp', 'support'],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator(`#services-${id}`).waitFor();
    expect(await focusedId(page)).toBe(`tab-${id}`);
  }
  await page.locator('#tab-implementation').click();
  await page.locator('#services-implementation').waitFor();
  expect(await page.locator('.panel').evaluateAll((all) => all.filter((one) => one.checkVisibility()).length)).toBe(1);
  await page.locator('#services-implementation').getByRole('link', { name: 'Learn more' }).click();
  await page.waitForURL('**/services/implementation');

  const timeline = page.locator('.timeline');
  const step = (text: string | RegExp) => page.locator('.timeline-place').getByText(text).waitFor();
  const button = (name: string) => timeline.getByRole('button', { name, exact: true });
  await timeline.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }));
  await page.locator('.timeline[data-drawing]').waitFor();
  await button('Pause').click();
  await button('Play').waitFor();
  await page.locator('.step button').nth(3).click();
  await step('Step 4 of 7');
  await page.keyboard.press('ArrowRight');
  await step('Step 5 of 7');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('5');
  await page.locator('.step button').nth(5).click();
  await button('Next').click();
  await step('Process Complete');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Replay');
  await button('Replay').click();
  await step(/^Step [1-6] of 7/);

  await page.getByRole('link', { name: 'Get started today' }).click();
  await page.waitForURL('**/contact?service=implementation#contact');
  const inquiry = inquiryForm(page);
  await inquiry.enhanced();
  await expect.poll(() => inquiry.field('serviceInterest').inputValue()).toBe('implementation');
  await inquiry.fill({
    fullName: 'Dana Whitfield',
    company: 'Corrected Foods',
    email: 'dana@whitfield',
    message: 'short',
  });
  await readAWhile(page);
  await inquiry.send();
  await inquiry.errorAt('email').getByText('Please enter a valid email address.').waitFor();
  await inquiry.errorAt('message').getByText('Message must be at least 10 characters.').waitFor();
  await inquiry.form.locator('[data-error-summary]').getByRole('link', { name: 'Message' }).click();
  await expect.poll(() => focusedId(page)).toBe('section-message');
  await page.keyboard.type(' no longer');
  await inquiry.errorAt('message').waitFor({ state: 'hidden' });
  await inquiry.field('email').fill('dana@whitfield-foods.example');
  await inquiry.send();
  await notice(page).getByText('Form submitted successfully!').waitFor();
  const reference = await inquiry.reference();
  expect(await inquiry.field('message').inputValue()).toBe('');
  expect((await emailTo(site.firmAddress, 'Corrected Foods')).subject).toContain(reference);
  await emailTo('dana@whitfield-foods.example', `We received your inquiry (${reference})`);
});

test('A visitor on a phone follows a link to a service, uses the menu by keyboard, and lands below the header', async () => {
  const page = await visit('/#services-development', { device: 'phone' });
  const opens = async (id: string) => {
    await page.locator(`#tab-${id}[aria-selected=true]`).waitFor();
    await page.locator(`#services-${id}`).waitFor();
    // A browser may scroll by whole pixels of the screen only.
    await expect.poll(() => topOf(page, '#services').then((top) => Math.abs(top - 80))).toBeLessThanOrEqual(1);
  };
  await opens('development');
  await page.locator('#tab-implementation').click();
  await page.locator('#services-implementation').waitFor();
  await page.evaluate(() => void (location.hash = 'services-support'));
  await opens('support');

  const open = page.getByRole('button', { name: 'Open menu' });
  const link = (name: string) => page.locator('#menu').getByRole('link', { name });
  await open.press('Enter');
  await page.waitForFunction(() => document.querySelector('main')?.inert);
  await expect.poll(() => focusedLabel(page)).toBe('Close menu');
  for (let presses = 0; presses < 10; presses += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main, footer'))).toBeFalsy();
  }
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('main')?.inert);
  await expect.poll(() => focusedLabel(page)).toBe('Open menu');

  await page.keyboard.press('Enter');
  // The opened menu takes the focus.
  await expect.poll(() => focusedLabel(page)).toBe('Close menu');
  await link('About').press('Enter');
  await expect.poll(() => topOf(page, '#about')).toBe(64);
  await page.locator('#tab-support[aria-selected=true]').waitFor();
  await page.locator('#menu').waitFor({ state: 'hidden' });
  await open.click();
  await link('Home').click();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  expect(new URL(await page.url()).hash).toBe('');
  await expect.poll(() => headerColor(page)).toMatch(transparent);

  // Opening hours with two lines keep their distance from the border above.
  const hours = page.locator('.contact dd').last();
  const gap = await hours.evaluate(
    (part) => part.getBoundingClientRect().top - part.parentElement!.getBoundingClientRect().top,
  );
  expect(gap).toBeGreaterThan(8);
  await page.goto('/contact');
  await open.click();
  await link('Services').click();
  await page.waitForURL('**/#services');
});

test('A visitor declines cookies, later accepts them, and resets the choice', async () => {
  const stored = () => page.evaluate(() => localStorage.getItem('cookies-accepted'));
  const queued = () => page.evaluate(() => (globalThis as { _hsq?: unknown[] })._hsq);
  const page = await newVisitor('/contact');
  const banner = page.getByRole('region', { name: 'Cookies' });
  const answer = (name: string) => page.getByRole('button', { name, exact: true });
  await banner.waitFor();
  const [accept, decline] = [await answer('Accept All Cookies').boundingBox(), await answer('Decline').boundingBox()];
  // Browsers round the widths of equal columns to parts of a pixel.
  expect(accept.width).toBeCloseTo(decline.width, 1);
  expect(accept.height).toBe(decline.height);
  await answer('Decline').click();
  await banner.waitFor({ state: 'detached' });
  expect(await stored()).toBe('declined');
  await page.reload();
  await page.waitForFunction(() => performance.now() > 1_500);
  expect(await banner.isVisible()).toBe(false);
  expect(await queued()).toBeFalsy();

  await page.goto('/privacy');
  await answer('Reset Cookie Preferences').click();
  await banner.waitFor();
  expect(await page.cookies()).toEqual([]);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await answer('Accept All Cookies').click();
  await banner.waitFor({ state: 'detached' });
  expect(await stored()).toBe('true');
  expect(await page.cookies()).toMatchObject([{ name: 'cookies-accepted', value: 'true' }]);
  await expect.poll(queued).toEqual([['setPath', '/privacy'], ['trackPageView']]);

  await page.goto('/privacy-policy#cookie-policy');
  await answer('Reset Cookie Preferences').click();
  await banner.waitFor();
  await page.keyboard.press('Escape');
  await banner.waitFor({ state: 'detached' });
  expect(await stored()).toBe('declined');
});

test('A developer reads a guide, copies code, and searches in spite of a typo', async () => {
  const page = await visit('/resources/netsuite-mcp-guide');
  const marked = page.locator('.on-this-page [aria-current=location]');
  const section = (name: string) =>
    page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name }).click();
  const progress = () => page.locator('.progress').evaluate((bar) => bar.getBoundingClientRect().width / innerWidth);
  await section('Capabilities');
  await marked.filter({ hasText: 'Capabilities' }).waitFor();
  await expect.poll(progress).toBeGreaterThan(0.05);
  const early = await progress();
  await section('Conclusion');
  await marked.filter({ hasText: 'Conclusion' }).waitFor();
  expect(await marked.count()).toBe(1);
  await expect.poll(progress).toBeGreaterThan(early);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await expect.poll(() => marked.count()).toBe(0);

  await page.goto('/resources/suitescript-guide');
  const code = page.locator('.code').first();
  await code.hover();
  await code.getByRole('button').click();
  await expect.poll(() => code.getByRole('button').textContent()).toBe('Copied');
  const lines = (await code.locator('pre').textContent())?.trimEnd();
  expect(lines).toMatch(/^\/\*\*\n \* @NApiVersion 2\.1\n/);
  await page.goto('/contact');
  const { field } = inquiryForm(page);
  await field('message').click();
  await page.keyboard.press('Control+v');
  await expect.poll(() => field('message').inputValue()).toBe(lines);

  await page.goto('/search');
  const search = page.getByRole('searchbox');
  await search.fill('concurency');
  const results = page.locator('main ol');
  await results.getByRole('link', { name: 'Capabilities' }).waitFor();
  expect(await results.locator('mark').first().textContent()).toMatch(/^concurrency$/i);
  await page.waitForURL('**/search?q=concurency');
  expect(await page.getByRole('status').textContent()).toMatch(/^\d+ results for “concurency”$/);
  await results.getByRole('link', { name: 'Capabilities' }).click();
  await page.waitForURL('**/resources/netsuite-mcp-guide#capabilities');
  await page.goBack();
  await results.getByRole('link', { name: 'Capabilities' }).waitFor();
  expect(await search.inputValue()).toBe('concurency');
});

test('The double line below the heading of a page is two lines in every engine', async () => {
  const page = await visit('/privacy');
  const { x, y, height } = await page.locator('article > header').boundingBox();
  const column = { left: Math.round(x + 5), top: Math.floor(y + height) - 5, width: 1, height: 8 };
  const pixels = await sharp(await page.screenshot())
    .extract(column)
    .toColorspace('b-w')
    .raw()
    .toBuffer();
  expect([...pixels].map((light) => (light < 170 ? 'dark' : 'light')).join()).toContain('dark,light,dark');
});
