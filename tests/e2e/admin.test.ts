import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { faultsOf } from '../support/accessibility.ts';
import { answered, inbox, inboxPath, send, signIn, signedIn, useInbox } from '../support/inbox.ts';
import { watchShifts } from '../support/layout-shift.ts';

const { opened, row } = inbox;
const { browser, site, session, openInbox } = useInbox();

test('If the session cannot be checked, the admin stays on the page and continues as soon as it can', async () => {
  const page = await signedIn(browser, site, session, { expected: [answered(503)] });
  await page.route('**/api/auth/status', (route) => route.fulfill({ status: 503, json: { message: 'Back soon.' } }));
  await page.goto('/admin');
  await page.getByText('Failed to check auth status').waitFor();
  await page.getByText('Back soon.').waitFor();
  await page.unroute('**/api/auth/status');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('tab', { name: 'Blog Posts' }).waitFor();
});

test('If a screen fails to load, the admin is told, and sees it after a reload', async () => {
  const page = await signedIn(browser, site, session, { expected: [/ERR_FAILED|dynamically imported module/] });
  await page.route('**/_astro/MediaScreen.*', (route) => route.abort());
  await page.goto('/admin');
  await page.getByRole('tab', { name: 'Media Library' }).click();
  await page.getByText('We couldn’t load this screen').waitFor();
  await page.unroute('**/_astro/MediaScreen.*');
  await page.getByRole('button', { name: 'Reload page' }).click();
  await page.getByRole('heading', { name: 'No files yet' }).waitFor();
});

test('An admin who opens the dashboard waits for no code before the first requests, and each request is sent once', async () => {
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
  await page.goto('/admin');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  for (const path of first) expect(sent.filter((one) => one === path)).toHaveLength(1);
});

test('On the first visit, the list appears before any font is requested, and after at most 130 KB', async () => {
  const page = await signedIn(browser, site, session);
  const bytes: number[] = [];
  const devtools = await page.context().newCDPSession(page);
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => bytes.push(encodedDataLength));
  await devtools.send('Network.enable');
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url());
  });
  let atList: { fonts: number; bytes: number } | undefined;
  await page.exposeFunction('atList', () => {
    atList ??= { fonts: fonts.length, bytes: bytes.reduce((sum, size) => sum + size, 0) };
  });
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const list = document.querySelector('.list-screen');
      if (list && !list.querySelector('.skeleton')) (window as unknown as { atList: () => void }).atList();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/admin');
  await expect.poll(() => fonts.length).toBe(2);
  expect(atList?.fonts).toBe(0);
  expect(atList?.bytes).toBeLessThanOrEqual(130_000);

  // The fonts are now in the browser's cache, so the page uses them from the start.
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      document.documentElement.dataset['atStart'] = document.documentElement.className;
    });
  });
  await page.reload();
  expect(await page.locator('html').getAttribute('data-at-start')).toBe('');
});

test('An admin who opens another tab waits for no code, because the dashboard has already loaded it', async () => {
  const page = await signedIn(browser, site, session);
  const loaded = page.waitForResponse('**/_astro/SettingsScreen.*');
  await page.goto('/admin');
  await loaded;
  await page.route('**/_astro/*.js', (route) => route.abort());
  for (const tab of ['Media Library', 'Content Editor', 'Contact Submissions', 'Settings']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect.poll(() => page.locator('.screen-skeleton').count()).toBe(0);
    await page.getByRole('tabpanel', { name: tab }).getByRole('button').first().waitFor();
  }
});

test('A tab is marked immediately, and the old screen stays until the new one is ready', async () => {
  const page = await signedIn(browser, site, session);
  await page.goto('/admin');
  await page.getByRole('tabpanel', { name: 'Blog Posts' }).getByRole('button').first().waitFor();
  const settings = page.getByRole('tab', { name: 'Settings' });
  const afterPress = await settings.evaluate(async (tab: HTMLElement) => {
    tab.click();
    await Promise.resolve();
    const panel = document.querySelector('[role="tabpanel"]');
    return { marked: tab.ariaSelected, old: panel?.querySelector('.list-screen') !== null };
  });
  expect(afterPress).toEqual({ marked: 'true', old: true });
  await page.getByRole('tabpanel', { name: 'Settings' }).getByText('Logo Upload').waitFor();
  expect(await page.locator('.list-screen').count()).toBe(0);
  await page.goBack();
  await page.getByRole('tabpanel', { name: 'Blog Posts' }).getByRole('button').first().waitFor();
  expect(await settings.getAttribute('aria-selected')).toBe('false');
});

test('A tab that is pressed requests its data once, and asks an admin whose session has ended to sign in', async () => {
  const page = await signedIn(browser, site, session, { expected: [answered(401)] });
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  await page.goto('/admin');
  const panel = (name: string) => page.getByRole('tabpanel', { name });
  await page.getByRole('tab', { name: 'Settings' }).click();
  await panel('Settings').getByAltText('The current logo').waitFor();
  // The lower panels of Settings send their requests later.
  await page.waitForLoadState('networkidle');
  await page.context().clearCookies();
  await page.getByRole('tab', { name: 'Content Editor' }).click();
  const asked = page.getByRole('dialog', { name: 'Sign in again' });
  await asked.getByLabel('Email').waitFor();
  await signIn(site, asked);
  await panel('Content Editor').getByRole('list', { name: 'Sections' }).waitFor();
  // After the sign-in, the page repeats only the request that the server refused.
  expect(sent.filter((path) => path === '/api/cms/content')).toHaveLength(2);
  expect(sent.filter((path) => path === '/api/settings/logo')).toHaveLength(1);
});

test('The text of each kind of button stays readable under the pointer, in either color scheme', async () => {
  const page = await signedIn(browser, site, session, { reducedMotion: true });
  await page.goto('/admin');
  const buttons = ['New post', 'Drafts', 'Sign out'].map((name) => page.getByRole('button', { name }).first());
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const button of [...buttons, page.getByRole('link', { name: 'View Website' })]) {
      await button.hover();
      faults.push(...(await faultsOf(page, ['color-contrast-enhanced'])));
    }
  }
  expect(faults).toEqual([]);
});

test('An admin who views the website still has the admin area open, with their work', async () => {
  const page = await openInbox();
  const [website] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'View Website' }).click(),
  ]);
  await website.waitForURL(`${site.url}/`);
  expect(new URL(page.url()).pathname).toBe('/admin');
});

describe('An admin who is signed out', () => {
  test('sees a message, signs in, and reaches the inquiry that the email links to', async () => {
    const { id } = await send(site, { fullName: 'Link Follower' });
    const page = await browser.newPage({ baseURL: site.url, expected: [answered(401)] });
    await page.goto(`/admin?submission=${id}`);
    await page.getByText('Unauthorized').waitFor();
    await page.getByText('You are logged out. Logging in again...').waitFor();
    await page.waitForURL('**/admin/sign-in?returnTo=*');
    await signIn(site, page);
    await opened(page, 'Link Follower').waitFor();
    expect(new URL(page.url()).search).toBe(`?submission=${id}`);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key !== 'admin-fonts'))).toEqual([]);
  });

  test('still reaches the requested page after a company account failed', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    await page.goto('/admin/sign-in?returnTo=%2Fadmin%3Ftab%3Dmedia#oidc-unavailable');
    await page.getByRole('button', { name: 'Show password' }).waitFor();
    await page.getByRole('link', { name: 'Sign in with your company account' }).click();
    // This site has no OpenID provider, so the server redirects back to the sign-in page.
    await page.waitForURL((url) => url.hash === '');
    await signIn(site, page);
    await page.waitForURL('**/admin?tab=media');
  });

  test('is not redirected to another site by a forged link', async () => {
    const page = await browser.newPage({ baseURL: site.url });
    await page.goto('/admin/sign-in?returnTo=//evil.example/admin');
    await signIn(site, page);
    await page.getByRole('tab', { name: 'Contact Submissions' }).waitFor();
    expect(page.url()).toBe(`${site.url}/admin`);
  });
});

describe('Every state of the admin area', () => {
  test('is complete, even if its page arrives in pieces', async () => {
    const html = await (await fetch(`${site.url}/admin`)).text();
    const still = html.replaceAll(/<script[\s\S]*?<\/script>/g, '');
    const cut = still.indexOf('Blog Posts');
    const slow = createServer((request, response) => {
      if (request.url !== '/admin')
        return void response.writeHead(307, { location: `${site.url}${request.url}` }).end();
      response.writeHead(200, { 'content-type': 'text/html' }).write(still.slice(0, cut));
      setTimeout(() => response.end(still.slice(cut)), 300);
    });
    await once(slow.listen(0, '127.0.0.1'), 'listening');
    const page = await browser.newPage({ expected: [/CORS|ERR_FAILED/] });
    const shifted = await watchShifts(page);
    await page.goto(`http://127.0.0.1:${(slow.address() as AddressInfo).port}/admin`);
    expect(await shifted()).toBeLessThan(0.001);
    slow.close();
  });

  test('keeps its announced size: nothing moves while it loads', async () => {
    await send(site, { fullName: 'Steady Row' });
    const page = await signedIn(browser, site, session);
    const shifted = await watchShifts(page);
    await page.goto(inboxPath);
    await row(page, 'Steady Row').waitFor();
    expect(await shifted()).toBeLessThan(0.001);
  });
});
