import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { answered, inbox, signedIn, startSession } from '../support/inbox.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();
const notice = (page: Page, words: string) => inbox.notice(page).getByText(words, { exact: true });

test('An admin adds a passkey, signs in with it, and removes it', async () => {
  // The site's host name, because passkeys do not work with an IP address.
  const named = { ...site, url: site.url.replace('127.0.0.1', 'localhost') };
  const page = await signedIn(browser, named, await startSession(named), { expected: [answered(401)] });
  await page.goto('/admin?tab=settings');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  const passkeys = panel('Passkeys');
  await passkeys.getByText('You have no passkeys yet.').waitFor();
  await passkeys.getByRole('button', { name: 'Add passkey' }).click();
  await notice(page, 'Passkey added').waitFor();
  await passkeys.getByText('not used yet').waitFor();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/admin/sign-in');
  await page.goto('/admin/sign-in?returnTo=%2Fadmin%3Ftab%3Dsettings');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await passkeys.getByText('last used').waitFor();
  await panel('Activity').getByRole('listitem').filter({ hasText: 'signed in with a passkey' }).waitFor();

  await passkeys.getByRole('button', { name: /^Remove the passkey/ }).click();
  await notice(page, 'Passkey removed').waitFor();
  await passkeys.getByText('You have no passkeys yet.').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/admin/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page
    .getByRole('alert')
    .getByText(/^This site does not know this passkey/)
    .waitFor();
});

test('On a large screen the settings scroll, and no part of the page below them is blank', async () => {
  const page = await signedIn(browser, site, await startSession(site), { viewport: { width: 1440, height: 900 } });
  await page.goto('/admin?tab=settings');
  await page.getByRole('region', { name: 'Activity' }).getByRole('listitem').first().waitFor();
  await page.mouse.move(700, 40);
  await page.mouse.wheel(0, 3_000);
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
});

test('Without scripts, an admin signs in and reaches the requested page', async () => {
  const page = await browser.newPage({ baseURL: site.url, scripts: false });
  await page.goto('/admin/sign-in?returnTo=%2Fprivacy');
  await page.getByLabel('Email').fill(site.admin.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('The email address or password is incorrect.').waitFor();
  await page.getByLabel('Email').fill(site.admin.email);
  await page.getByLabel('Password', { exact: true }).fill(site.admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/privacy');
});

test('An admin reads why a file cannot be the logo, keeps a file whose upload failed, and sends it again', async () => {
  const page = await signedIn(browser, site, await startSession(site), { expected: [answered(502)] });
  const picker = page.locator('input[type="file"]').first();
  const words = { name: 'words.txt', mimeType: 'text/plain', buffer: Buffer.alloc(10, 97) };
  await page.goto('/admin?tab=settings');
  await page.getByText('Default logo').waitFor();
  await picker.setInputFiles(words);
  await notice(page, 'Please select an image file (JPG, PNG, GIF, SVG, WebP)').waitFor();

  // The separate page has other messages.
  await page.goto('/admin/settings');
  await page.getByRole('list', { name: 'Requirements' }).getByText('Max 5MB').waitFor();
  await picker.setInputFiles({ name: 'picture.avif', mimeType: 'image/avif', buffer: Buffer.alloc(10) });
  await notice(page, 'Invalid File Type').waitFor();
  await picker.setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(5_242_881) });
  await notice(page, 'Please select a file smaller than 5MB').waitFor();

  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><rect fill="#123456"/></svg>';
  await picker.setInputFiles({ name: 'late.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) });
  await page.route('**/api/settings/logo', (route) =>
    route.fulfill({ status: 502, body: '<html><body>Bad gateway</body></html>' }),
  );
  await page.getByRole('button', { name: 'Upload Logo' }).click();
  await notice(page, 'Upload Failed').waitFor();
  await notice(page, 'Upload failed').waitFor();
  await page.unroute('**/api/settings/logo');
  await page.getByRole('button', { name: 'Upload Logo' }).press('Enter');
  await notice(page, 'Logo Updated').waitFor();
  expect(await (await fetch(`${site.url}/uploads/logo`)).text()).toContain('#123456');
});
