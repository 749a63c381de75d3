import type { Request } from 'playwright';
import { expect, test } from 'vitest';
import { answered, inbox, inboxPath, send, signIn, signedIn, useAdmin } from '../support/inbox.ts';
import { watchShifts } from '../support/layout-shift.ts';

const { browser, site, session } = useAdmin();

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
  await page.getByText('We couldn’t load this screen').waitFor();
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

test('A person without a session is sent to the sign-in page, or from the logo page to the home page', async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: [answered(401)] });
  // The page soon leads to the sign-in, so the test looks from the start.
  await page.goto('/admin', { waitUntil: 'commit' });
  await page.getByText('Unauthorized').waitFor();
  await page.getByText('You are logged out. Logging in again...').waitFor();
  await page.waitForURL('**/admin/sign-in');
  await page.goto('/admin/settings', { waitUntil: 'commit' });
  await page.getByText('Access Denied').waitFor();
  await page.getByText('You need to be logged in to access settings.').waitFor();
  await page.waitForURL(`${site.url}/`);
});

test('Nothing moves while the admin area loads', async () => {
  await send(site, { fullName: 'Steady Row' });
  const page = await signedIn(browser, site, session, { cold: true });
  const shifted = await watchShifts(page);
  await page.goto(inboxPath);
  await inbox.row(page, 'Steady Row').waitFor();
  expect(await shifted()).toEqual([]);
});
