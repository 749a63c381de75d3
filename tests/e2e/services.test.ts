import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();

test('a link to a service selects the service in the form, before anyone touches the form', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  const choice = page.locator('form[data-variant=section] [name=serviceInterest]');
  await page.goto('/services/ecommerce-integrations');
  await page.getByRole('link', { name: 'Contact Us Today' }).click();
  await expect.poll(() => choice.inputValue()).toBe('development');
  // The scripts load five seconds after the page, so the pages are opened together.
  const values = {
    '/contact?service=support': 'support',
    '/contact?service=unknown': '',
    '/contact#project-rescue': 'project-recovery',
  };
  const visit = async ([path, value]: [string, string]) => {
    const contact = await browser.newPage({ baseURL: site.url });
    await contact.goto(path);
    await contact.locator('form[data-variant=section][data-enhanced]').waitFor();
    const chosen = contact.locator('form[data-variant=section] [name=serviceInterest]');
    await expect.poll(() => chosen.inputValue(), { message: path }).toBe(value);
  };
  await Promise.all(Object.entries(values).map(visit));
});

test('the chosen tab is still chosen, at the same place, after Back loads the home page again', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  await page.goto('/');
  await page.locator('#tab-support').click();
  await page.locator('#services-support').waitFor();
  await page.locator('.explorer[data-live]').waitFor();
  const link = page.locator('#services-support').getByRole('link', { name: 'Learn more' });
  await link.scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => scrollY);
  await link.click();
  await page.waitForURL('**/services/support');
  await page.goBack();
  await page.locator('.explorer[data-live] #tab-support[aria-selected=true]').waitFor();
  expect(await page.locator('#services-support').isVisible()).toBe(true);
  await page.locator('html[data-loaded]').waitFor();
  await expect.poll(async () => Math.abs((await page.evaluate(() => scrollY)) - top)).toBeLessThan(100);
});

test('a header link from another page opens the home page at its section', async () => {
  const page = await browser.newPage({ baseURL: site.url, reducedMotion: false });
  await page.addInitScript(() => {
    const tops: number[] = [];
    Object.assign(globalThis, { tops });
    // A section that exists in a frame's callback is painted in this frame, and the task that follows the frame reads
    // where. Without the first condition, the task would also read a section that was parsed after the paint.
    const note = () => {
      const section = document.querySelector('#services');
      setTimeout(() => {
        if (section && tops.length < 200) tops.push(section.getBoundingClientRect().top);
        requestAnimationFrame(note);
      });
    };
    requestAnimationFrame(note);
  });
  await page.goto('/terms');
  await page.locator('header').getByRole('link', { name: 'Services' }).click();
  await page.waitForURL('**/#services');
  await page.locator('html[data-loaded]').waitFor();
  const tops = () => page.evaluate(() => (globalThis as unknown as { tops: number[] }).tops);
  await expect.poll(async () => (await tops()).length).toBeGreaterThan(10);
  expect((await tops()).filter((top) => Math.abs(top - 72) > 200)).toEqual([]);
  await expect.poll(async () => (await tops()).at(-1)).toBeCloseTo(72, 0);
});

test('a URL with an invalid hash does not break the page', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto('/#%');
  await page.locator('#tab-support').click();
  await page.locator('#services-support').waitFor();
  expect(errors).toEqual([]);
});

test('a name with a hyphen does not break in a heading, and only the words of a back link are underlined', async () => {
  const page = await browser.newPage({ baseURL: site.url, viewport: { width: 768, height: 900 } });
  await page.goto('/services/ecommerce-integrations');
  const name = page.getByRole('heading', { name: 'Key Benefits of E-Commerce Integrations' }).locator('span');
  expect(
    await name.evaluate((words) => words.clientHeight / Number.parseFloat(getComputedStyle(words).lineHeight)),
  ).toBeLessThan(2);
  const arrow = page.getByRole('link', { name: 'Back to Services' });
  expect(await arrow.evaluate((link) => getComputedStyle(link, '::before').display)).toBe('inline-block');
});
