import type { Locator, Page, Request } from 'playwright';
import { expect, test } from 'vitest';
import { hold } from '../../support/browser/browser.ts';
import { answered, inbox, inboxPath, send, signIn, signedIn, useAdmin } from '../../support/samples/inbox.ts';
import { watchShifts } from '../../support/browser/layout-shift.ts';
import { aPost } from '../../support/samples/posts.ts';

const { browser, site, session, open, call } = useAdmin();

test('If the session cannot be checked or a screen fails to load, the admin is told, and continues', async () => {
  const expected = [answered(503), /ERR_FAILED|dynamically imported module/];
  const page = await signedIn(browser, site, session, { expected });
  await page.route('**/api/auth/status', (route) => route.fulfill({ status: 503, json: { message: 'Back soon.' } }));
  await page.route('**/_astro/MediaScreen.*', (route) => route.abort());
  await page.goto('/admin');
  await page.getByText('Failed to check auth status').waitFor();
  await page.getByText('Back soon.').waitFor();
  await page.unroute('**/api/auth/status');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('tab', { name: 'Media Library' }).click();
  await page.getByText('Couldn’t load this screen').waitFor();
  await page.unroute('**/_astro/MediaScreen.*');
  await page.getByRole('button', { name: 'Reload page' }).click();
  await page.getByRole('heading', { name: 'No files yet' }).waitFor();
});

test('An admin waits for no code before the first requests, and for none at another tab', async () => {
  const page = await signedIn(browser, site, session);
  const sent: string[] = [];
  const first = ['/api/auth/status', '/api/cms/blog-posts'];
  const begun = new Promise<void>((resolve) => {
    page.on('request', (request) => {
      sent.push(new URL(request.url()).pathname);
      if (first.every((path) => sent.includes(path))) resolve();
    });
  });
  await page.route('**/_astro/*.js', async (route) => {
    await begun;
    await route.continue();
  });
  const loading = new Set<Request>();
  page.on('request', (request) => request.url().endsWith('.js') && loading.add(request));
  page.on('requestfinished', (request) => loading.delete(request));
  // The screens load one after the other, the settings last.
  const last = page.waitForRequest('**/_astro/SettingsScreen.*');
  await page.goto('/admin');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  for (const path of first) expect(sent.filter((one) => one === path)).toHaveLength(1);
  await last;
  await expect.poll(() => loading.size).toBe(0);
  await page.unroute('**/_astro/*.js');
  // From here on, no more code arrives.
  await page.route('**/_astro/*.js', () => undefined);
  for (const name of ['Media Library', 'Content Editor', 'Contact Submissions', 'Settings']) {
    await page.getByRole('tab', { name }).click();
    await page.getByRole('tabpanel', { name }).getByRole('button').first().waitFor();
  }
  await page.getByRole('tab', { name: 'Blog Posts' }).click();
  await page.getByRole('button', { name: 'Drafts' }).waitFor();
  const isMarkedAtOnce = await page.getByRole('tab', { name: 'Settings' }).evaluate(async (tab: HTMLElement) => {
    tab.click();
    await Promise.resolve();
    return tab.ariaSelected;
  });
  expect(isMarkedAtOnce).toBe('true');
  await page.getByRole('tabpanel', { name: 'Settings' }).getByText('Logo Upload').waitFor();
});

test('An admin who signs in after a company account failed, or from a forged link, reaches only pages of this site', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  await page.goto('/admin/sign-in?returnTo=%2Fadmin%3Ftab%3Dmedia#oidc-unavailable');
  await page.getByRole('button', { name: 'Show password' }).waitFor();
  await page.getByRole('link', { name: 'Sign in with your company account' }).click();
  // This site has no OpenID provider, so the server redirects back to the sign-in page.
  await page.waitForURL((url) => url.hash === '');
  await signIn(site, page);
  await page.waitForURL('**/admin?tab=media');
  // Leaves the admin area first, because its requests would be refused without the session.
  await page.goto('/contact');
  await page.context().clearCookies();
  await page.goto('/admin/sign-in?returnTo=//evil.example/admin');
  await signIn(site, page);
  await page.getByRole('tab', { name: 'Contact Submissions' }).waitFor();
  expect(page.url()).toBe(`${site.url}/admin`);
});

test('An admin who tried too many passwords sees when to try again, and then can', async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: [answered(429)] });
  await page.clock.install();
  await page.route('**/api/login', (route) => route.fulfill({ status: 429, headers: { 'retry-after': '90' } }), {
    times: 1,
  });
  await page.goto('/admin/sign-in');
  await signIn(site, page);
  const button = page.getByRole('button', { name: /^Try again in 1:[0-3]\d$/ });
  await button.waitFor();
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  await page.clock.runFor(91_000);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/admin');
});

test('A person without a session is sent to the sign-in page, or from the logo page to the home page', async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: [answered(401)] });
  for (const [path, next, title, words, end] of [
    ['/admin', '/api/login', 'Unauthorized', 'You are logged out. Logging in again...', '/admin/sign-in'],
    ['/admin/settings', '/', 'Access Denied', 'You need to be logged in to access settings.', '/'],
  ] as const) {
    // The notice stays for half a second, so the next page waits until the notice was seen.
    const leave = await hold(page, site.url + next, { times: 1 });
    await page.goto(path, { waitUntil: 'commit' });
    await page.getByText(title).waitFor();
    await page.getByText(words).waitFor();
    leave();
    await page.waitForURL(site.url + end);
  }
});

test('An admin reads and reaches the first posts before the app’s script arrives, and the app keeps their place and the focus', async () => {
  const title = 'Close <b>faster</b>';
  const { id } = await call('/api/cms/blog-posts', 'POST', aPost({ title, slug: 'close-faster', status: 'published' }));
  await call('/api/cms/blog-posts', 'POST', aPost({ title: 'Not ready', slug: 'not-ready', status: 'draft' }));
  const page = await signedIn(browser, site, session, { cold: true });
  const shifted = await watchShifts(page);
  const start = await hold(page, '**/_astro/start.*.js');
  await page.goto('/admin', { waitUntil: 'commit' });
  const rows = page.getByRole('table', { name: 'Blog posts' }).locator('tbody tr');
  const shown = async () => ({
    texts: (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
    places: await rows.evaluateAll((all) => all.map((row) => JSON.stringify(row.getBoundingClientRect()))),
  });
  const link = rows.getByRole('link', { name: title, exact: true });
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe(`?post=${id}`);
  expect(await page.getByRole('tab').first().isVisible()).toBe(true);
  // The controls that do not work yet are not in the tab order.
  while (
    !(await rows
      .getByRole('link')
      .first()
      .evaluate((first) => first === document.activeElement))
  ) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('button, input'))).toBeNull();
  }
  await page.keyboard.press('Tab');
  expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
  // Letters of the fallback font move a little if the fonts arrive after the first paint.
  const moved = await shifted();
  const before = await shown();
  expect(before.texts).toHaveLength(2);
  start();
  await page.getByText(site.admin.email).first().waitFor();
  expect(await shown()).toEqual(before);
  expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await shifted()).toEqual(moved);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Title').waitFor();
});

test('Nothing moves while the admin area loads', async () => {
  await send(site, { fullName: 'Steady Row' });
  const page = await signedIn(browser, site, session, { cold: true });
  const shifted = await watchShifts(page);
  await page.goto(inboxPath);
  await inbox.row(page, 'Steady Row').waitFor();
  expect(await shifted()).toEqual([]);
});

test('An open row far down the list is in view, whether its list is loaded or was loaded before', async () => {
  await send(site, { fullName: 'Far Down' });
  for (let number = 1; number <= 30; number += 1) await send(site, { fullName: `Person ${number}` });
  const page = await open(inboxPath);
  const row = inbox.row(page, 'Far Down');
  await row.getByRole('link').first().click();
  const panel = inbox.opened(page, 'Far Down');
  /** Browsers round the scroll position, so half a pixel of the last row may be below the list. */
  const isInView = async () => {
    await panel.waitFor();
    return await row.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const list = element.closest('.list-rows')!.getBoundingClientRect();
      return top >= list.top && bottom < list.bottom + 1;
    });
  };
  await expect.poll(isInView).toBe(true);
  await page.reload();
  await expect.poll(isInView).toBe(true);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByText('Logo Upload').waitFor();
  await page.goBack();
  await expect.poll(isInView).toBe(true);
});

/** Ways to turn text into elements or code. An attacker could use them through a flaw in one of the page's scripts. */
const sinks = {
  innerHTML: () => void (document.createElement('div').innerHTML = '<b>x</b>'),
  insertAdjacentHTML: () => document.createElement('div').insertAdjacentHTML('beforeend', '<b>x</b>'),
  DOMParser: () => void new DOMParser().parseFromString('<b>x</b>', 'text/html'),
  script: () => void (document.createElement('script').src = '/_astro/any.js'),
};

test('No text becomes an element or code in the admin area', async () => {
  const refused: string[] = [];
  const page = await signedIn(browser, site, session, { expected: [/TrustedHTML|TrustedScript|TrustedTypePolicy/] });
  for (const path of ['/admin', '/admin/settings']) {
    await page.goto(path);
    for (const [name, use] of Object.entries(sinks)) {
      await page.evaluate(use).catch(() => refused.push(`${path} ${name}`));
    }
    const another = page.evaluate(() =>
      (
        window as unknown as { trustedTypes: { createPolicy: (name: string, rules: object) => unknown } }
      ).trustedTypes.createPolicy('another', {}),
    );
    await another.then(
      () => undefined,
      () => refused.push(`${path} another policy`),
    );
  }
  const all = [...Object.keys(sinks), 'another policy'];
  expect(refused).toEqual(['/admin', '/admin/settings'].flatMap((path) => all.map((name) => `${path} ${name}`)));
});

const notice = (page: Page, words: string) =>
  page.locator('[data-toast]:popover-open').getByText(words, { exact: true });

test('A notice does not cover the button of the form that an admin fills in', async () => {
  const page = await open('/admin?tab=content&section=about_title');
  await page.setViewportSize({ width: 1280, height: 900 });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await page.getByLabel('Title').fill('A new heading');
  await save.click();
  // A notice under the mouse stays open.
  await notice(page, 'Content updated successfully!').hover();
  await page.getByRole('link', { name: 'About: description' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Title').fill('New words');
  const [shown, button] = [await boxOf(page.locator('[data-toast]:popover-open')), await boxOf(save)];
  expect(shown.y + shown.height <= button.y || button.y + button.height <= shown.y).toBe(true);
});

const boxOf = async (element: Locator) => (await element.boundingBox())!;

test('An admin with the texts of the home page continues an unsaved text after a reload, gets it back after Cancel, and finds it after a save failed behind another tab', async () => {
  const page = await open('/admin?tab=content&section=cta_title', { expected: [answered(503)] });
  const title = page.getByLabel('Title');
  const saved = await title.inputValue();
  await title.fill('A thought');
  await page.reload();
  await expect.poll(() => title.inputValue()).toBe('A thought');
  await page.getByText(/^Unsaved changes, last edited/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await notice(page, 'Changes discarded').waitFor();
  await page.getByRole('link', { name: 'Contact: heading' }).click();
  expect(await title.inputValue()).toBe(saved);
  await page.goBack();
  await page.locator('[data-toast]:popover-open').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => title.inputValue()).toBe('A thought');

  const reply = Promise.withResolvers<undefined>();
  await page.route('**/api/cms/content/cta_title', async (route) => {
    await reply.promise;
    await route.fulfill({ status: 503, json: { message: 'The database is away.' } });
  });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Password' }).waitFor();
  reply.resolve(undefined);
  await notice(page, 'Failed to update content').waitFor();
  expect(new URL(page.url()).search).toBe('?tab=settings');
  await page.getByRole('tab', { name: 'Content Editor' }).click();
  await page.getByRole('list', { name: 'Sections' }).getByText('Unsaved changes by you').waitFor();
  await page.getByRole('link', { name: 'Contact: heading' }).click();
  await expect.poll(() => title.inputValue()).toBe('A thought');
});
