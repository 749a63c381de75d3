import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { inquiryForm } from '../../support/samples/inquiry-form.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { useSite } from '../../support/host/site.ts';

const browser = useBrowser();
const site = useSite();

const queued = (page: Page) => page.evaluate(() => globalThis._hsq as unknown[] | undefined);

/** Focuses a field, so that the page loads all its scripts. */
async function reachForm(page: Page): Promise<void> {
  await page.goto('/contact');
  await page.locator('#section-fullName').focus();
  await page.locator('form[data-enhanced]').waitFor();
}

test.each([
  { is: 'with Global Privacy Control, even after an earlier choice,', choice: 'true', control: true },
  { is: 'whose browser stores a value that is no choice', choice: 'maybe', control: false },
])('A visitor $is is not tracked', async ({ choice, control }) => {
  const cookies = [{ name: 'cookies-accepted', value: choice }];
  const page = await browser.newPage({ baseURL: site.url, cookies });
  await page.addInitScript(
    ([value, globalPrivacyControl]) => {
      localStorage.setItem('cookies-accepted', value);
      Object.defineProperty(navigator, 'globalPrivacyControl', { value: globalPrivacyControl });
    },
    [choice, control] as const,
  );
  await reachForm(page);
  expect(await queued(page)).toBeUndefined();
});

test('On a phone, the largest text of the contact page is its heading and not the banner, which appears later', async () => {
  const page = await browser.newPage({ baseURL: site.url, viewport: { width: 412, height: 823 } });
  await page.goto('/contact');
  await page.getByRole('region', { name: 'Cookies' }).waitFor();
  const largest = page.evaluate(
    () =>
      new Promise((resolve) => {
        const observer = new PerformanceObserver((list) => {
          resolve((list.getEntries().at(-1) as PerformanceEntry & { element: Element | null }).element?.tagName);
        });
        // Two frames after the banner appears, the browser has compared it.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => observer.observe({ type: 'largest-contentful-paint', buffered: true })),
        );
      }),
  );
  expect(await largest).toBe('H1');
});

test('If local storage is full or blocked, the cookie holds the choice of a visitor, and the site does not ask again', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  const banner = page.getByRole('region', { name: 'Cookies' });
  await page.goto('/contact');
  await page.getByRole('button', { name: 'Accept All Cookies' }).click();
  await banner.waitFor({ state: 'detached' });
  expect(await page.context().cookies()).toMatchObject([{ name: 'cookies-accepted', value: 'true' }]);
  const views = [['setPath', '/contact'], ['trackPageView']];
  await page.clock.install();
  await reachForm(page);
  await page.clock.runFor(1_500);
  expect(await banner.isVisible()).toBe(false);
  await expect.poll(() => queued(page)).toEqual(views);

  await page.addInitScript(() => {
    const get = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    Object.defineProperty(window, 'localStorage', { get });
  });
  await reachForm(page);
  await expect.poll(() => queued(page)).toEqual(views);
});

test('On a phone, the cookie banner takes at most 140 px and leaves the first field in view; it, a notice, the contact panel and its button never cover each other', async () => {
  const page = await browser.newPage({ baseURL: site.url, viewport: { width: 360, height: 740 } });
  await page.goto('/contact?service=project-rescue');
  const banner = page.locator('.cookie-banner');
  await banner.waitFor();
  const { y, height } = (await banner.boundingBox())!;
  expect(height).toBeLessThanOrEqual(140);
  expect(await banner.evaluate((element) => element.scrollHeight <= element.clientHeight)).toBe(true);
  const answers = await banner.locator('.cookie-answers > *').all();
  const boxes = await Promise.all(answers.map((answer) => answer.boundingBox()));
  expect(new Set(boxes.map((box) => Math.round(box!.y + box!.height / 2))).size).toBe(1);
  const field = (await page.getByRole('main').getByLabel('Full name').boundingBox())!;
  expect(field.y + field.height).toBeLessThan(y);

  await page.goto('/join-team');
  await banner.waitFor();
  await page.getByRole('button', { name: 'Submit Application' }).click();
  const notice = page.locator('[data-toast]:popover-open');
  await notice.waitFor();
  const [above, below] = [(await notice.boundingBox())!, (await banner.boundingBox())!];
  expect(above.y + above.height).toBeLessThanOrEqual(below.y);

  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto('/');
  const button = page.getByRole('button', { name: 'Start Transformation' });
  const panel = page.getByRole('dialog', { name: 'Start Transformation' });
  await banner.waitFor();
  await expect
    .poll(async () => {
      const [over, under] = [await button.boundingBox(), await banner.boundingBox()];
      return over!.y + over!.height <= under!.y;
    })
    .toBe(true);
  await button.click();
  await panel.waitFor();
  expect(await banner.isVisible()).toBe(false);
  await expect.poll(() => panel.boundingBox()).toMatchObject({ width: 320, height: 500 });
  for (const width of [390, 1023, 1024, 1060, 1099, 1120, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect
      .poll(
        async () => {
          const [under, over] = [await banner.boundingBox(), await panel.boundingBox()];
          return under ? under.x + under.width <= over!.x : width < 1120;
        },
        { message: `at ${width} px` },
      )
      .toBe(true);
  }
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });
  await banner.waitFor();
});

test('A visitor who accepted is counted, and identified once an inquiry succeeds; one who declined is neither', async () => {
  for (const choice of ['true', 'declined']) {
    const page = await browser.newPage({ baseURL: site.url, expected: ['503'] });
    await page.addInitScript((value) => localStorage.setItem('cookies-accepted', value), choice);
    await page.route('**/api/contact', (route) => route.fulfill({ status: 503, json: { message: 'Down.' } }), {
      times: 1,
    });
    await page.goto('/contact');
    const { email, company } = anInquiry();
    const form = inquiryForm(page);
    await form.fill();
    await form.send();
    await page.getByText('Submission failed').waitFor();
    const failed = ['trackCustomBehavioralEvent', { name: 'contact_form_error', properties: {} }];
    const seen = [['setPath', '/contact'], ['trackPageView'], failed];
    await expect.poll(() => queued(page)).toEqual(choice === 'true' ? seen : undefined);
    await form.send();
    await page.getByText('Form submitted successfully!').waitFor();
    if (choice === 'declined') expect(await queued(page)).toBeUndefined();
    else {
      await expect
        .poll(async () => (await queued(page))?.slice(3))
        .toMatchObject([
          ['identify', { email, lastname: 'Whitfield', company }],
          ['trackCustomBehavioralEvent', { name: 'contact_form_submission' }],
        ]);
    }
  }
});

test('The privacy policy names everything that the site stores in the browser of a visitor and of an admin', async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: ['ERR_INTERNET_DISCONNECTED'] });
  await page.goto('/contact');
  await page.getByRole('button', { name: 'Accept All Cookies' }).click();
  await page.locator('form[data-variant="section"]').getByLabel('Full name').pressSequentially('Ada');
  await page.waitForFunction(() => sessionStorage.length > 0);
  const { admin } = site;
  await page.request.post('/api/login', { data: admin, headers: { origin: site.url } });
  await page.goto('/admin');
  await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.goto('/admin?tab=content&section=hero_title');
  await page.getByLabel('Title').waitFor();
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  await page.getByLabel('Title').fill('Unsaved');
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('unsaved:')));
  await page.context().setOffline(false);
  const stored = await page.evaluate(async () => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
    ...(await indexedDB.databases()).map(({ name }) => name ?? ''),
  ]);
  const allCookies = await page.context().cookies();
  const consent = allCookies.find(({ name }) => name === 'cookies-accepted');
  expect(consent).toMatchObject({ value: 'true', path: '/', sameSite: 'Lax' });
  expect(consent!.expires - Date.now() / 1_000).toBeCloseTo(365 * 24 * 3_600, -3);
  const cookies = allCookies.map(({ name }) => name);
  await page.goto('/privacy');
  const named = await page.locator('main table code').allTextContents();
  const isNamed = (name: string) =>
    named.some((entry) => (entry.endsWith('…') ? name.startsWith(entry.slice(0, -1)) : name === entry));
  expect(cookies).toEqual(expect.arrayContaining(['cookies-accepted', 'session']));
  expect([...stored, ...cookies].filter((name) => !isNamed(name))).toEqual([]);
});
