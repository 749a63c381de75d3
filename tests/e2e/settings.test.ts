import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PageOptions, useBrowser } from '../support/browser.ts';
import { type Session, answered, signIn, signedIn, startSession } from '../support/inbox.ts';
import { sizeOf } from '../support/layout.ts';
import { type Site, useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();
/** The same site with a host name in its URL, because passkeys do not work with an IP address. */
let named: Site;
let session: Session;
beforeAll(async () => {
  named = { ...site, url: site.url.replace('127.0.0.1', 'localhost') };
  session = await startSession(named);
});

async function openSettings(options: PageOptions = {}): Promise<Page> {
  const page = await signedIn(browser, named, session, options);
  await page.goto('/admin?tab=settings');
  await panel(page, 'Activity').getByRole('listitem').first().waitFor();
  return page;
}
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const toast = (page: Page, text: string) => page.locator('[data-toast]').getByText(text);

describe('An admin in the settings', () => {
  test('sees the activity, and that the site works', async () => {
    await fetch(`${site.url}/api/cms/content/hero_title`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', cookie: `session=${session.cookies[0]?.value}` },
      body: JSON.stringify({ title: 'Books that agree' }),
    });
    const page = await openSettings();
    const [first] = await panel(page, 'Activity').getByRole('listitem').all();
    expect(await first?.innerText()).toMatch(
      /^\w{3} \d+, \d{4} \d+:\d{2} [AP]M\s+owner@firm\.example changed the text “Main heading”$/,
    );
    const status = panel(page, 'Site status');
    for (const text of ['Database: working', 'Files: working', 'Email: working', 'Pages: working']) {
      await status.getByRole('listitem').filter({ hasText: text }).waitFor();
    }
    expect(await status.getByText(/^Built/).innerText()).toMatch(/^Built \w{3} \d+, \d{4} .*, version \d+\.\d+\.\d+$/);
  });

  test('filters the activity record by kind', async () => {
    for (let n = 0; n < 2; n += 1) {
      await fetch(`${site.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'https://elsewhere.example' },
        body: JSON.stringify(site.admin),
      });
    }
    const page = await openSettings();
    const activity = panel(page, 'Activity');
    await activity.getByRole('button', { name: 'Sign-ins' }).click();
    await activity
      .getByText(/owner@firm\.example signed in/)
      .first()
      .waitFor();
    await activity.getByRole('button', { name: 'Automatic' }).click();
    await activity.getByText('No activity yet.').waitFor();
  });

  test('opens the logo page from the Settings tab, and returns', async () => {
    const page = await openSettings();
    await panel(page, 'Logo Upload').getByRole('link', { name: 'Open logo settings' }).click();
    await page.getByText('Manage your website settings and branding').waitFor();
    await page.getByRole('link', { name: 'Admin Dashboard' }).click();
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
  });

  test('sends a test email, and reads the mail server’s response, good or bad', async () => {
    const page = await openSettings();
    await page.getByRole('button', { name: 'Send test email' }).click();
    await page.getByText('The email to owner@firm.example was accepted').waitFor();
    await page.getByText(/^250 /).first().waitFor();
    await site.mail.waitFor((mail) => mail.envelope.to.includes('owner@firm.example'));
    site.mail.fail('refuse-recipients');
    await page.getByRole('button', { name: 'Send test email' }).click();
    await page
      .getByRole('alert')
      .getByText(/No such mailbox/)
      .first()
      .waitFor();
  });

  test('ends another session, which then has to sign in', async () => {
    const other = await browser.newPage({ baseURL: site.url, expected: [answered(401)] });
    await other.goto('/admin/sign-in');
    await signIn(site, other);
    await other.getByRole('tab', { name: 'Settings' }).waitFor();
    const page = await openSettings();
    const sessions = panel(page, 'Sessions').getByRole('listitem');
    await sessions.filter({ hasText: 'This browser' }).waitFor();
    const before = await sessions.count();
    await sessions.filter({ hasText: 'Chrome' }).getByRole('button').first().click();
    await toast(page, 'Session ended').waitFor();
    await expect.poll(() => sessions.count()).toBe(before - 1);
    await other.getByRole('tab', { name: 'Settings' }).click();
    await other.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  });

  test('changes the password, sees errors in it, and signs in with the new one', async () => {
    // Changing the password ends the session that all tests share.
    await signInAnew();
    const page = await openSettings({ expected: [answered(400)] });
    const form = panel(page, 'Password');
    const change = async (current: string, next: string) => {
      await form.getByLabel('Current password', { exact: true }).fill(current);
      await form.getByLabel('New password', { exact: true }).fill(next);
      await form.getByRole('button', { name: 'Change password' }).click();
    };
    await change(site.admin.password, 'short');
    await form.getByText('Please use at least 12 characters.', { exact: true }).waitFor();
    await change(site.admin.password, 'password123456');
    await form.getByText('This password is too easy to guess.').waitFor();
    await change('not the password', 'another good password');
    await form.getByText('This is not your current password.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('current');
    await change(site.admin.password, 'another good password');
    await toast(page, 'Password changed').waitFor();
    expect(await form.getByLabel('New password', { exact: true }).inputValue()).toBe('');
    const entered = await browser.newPage({ baseURL: site.url });
    await entered.goto('/admin/sign-in');
    await signIn({ ...site, admin: { ...site.admin, password: 'another good password' } }, entered);
    await entered.getByRole('tab', { name: 'Settings' }).waitFor();
    // Restores the password for the following tests.
    await change('another good password', site.admin.password);
    await expect
      .poll(() => form.getByLabel('New password', { exact: true }).inputValue(), { timeout: 15_000 })
      .toBe('');
    await signInAnew();
  });

  test('adds a passkey, signs in with it, and removes it', async () => {
    const page = await openSettings({ expected: [answered(401)] });
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
    const passkeys = panel(page, 'Passkeys');
    await passkeys.getByText('You have no passkeys yet.').waitFor();
    await passkeys.getByRole('button', { name: 'Add passkey' }).click();
    await toast(page, 'Passkey added').waitFor();
    await passkeys.getByText('not used yet').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/admin/sign-in');
    await page.goto('/admin/sign-in?returnTo=%2Fadmin%3Ftab%3Dsettings');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await passkeys.getByText('last used').waitFor();
    await panel(page, 'Activity').getByRole('listitem').filter({ hasText: 'signed in with a passkey' }).waitFor();

    await passkeys.getByRole('button', { name: /^Remove the passkey/ }).click();
    await toast(page, 'Passkey removed').waitFor();
    await passkeys.getByText('You have no passkeys yet.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/admin/sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page
      .getByRole('alert')
      .getByText(/^This site does not know this passkey/)
      .waitFor();
  });
});

/** Starts a new session after a test has ended the shared session. */
async function signInAnew(): Promise<void> {
  session = await startSession(named);
}

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

describe('An admin with the logo', () => {
  beforeAll(signInAnew);
  const open = async (path: string, options: PageOptions = {}): Promise<Page> => {
    const page = await signedIn(browser, named, session, options);
    await page.goto(path);
    return page;
  };
  const picker = (page: Page) => page.locator('input[type="file"]').first();
  const words = { name: 'words.txt', mimeType: 'text/plain', buffer: Buffer.alloc(10, 97) };
  const notice = (page: Page, exactly: string) => page.locator('[data-toast]').getByText(exactly, { exact: true });
  const svg = (name: string, fill: string) => ({
    name,
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><rect width="200" height="60" fill="${fill}"/></svg>`,
    ),
  });
  const shown = async () => await (await fetch(`${site.url}/uploads/logo`)).text();

  test('previews a selected file until Upload or Cancel, and restores the previous logo', async () => {
    const page = await open('/admin?tab=settings', { device: 'phone' });
    const before = await shown();
    const upload = panel(page, 'Logo Upload');
    await upload.getByText('Default logo').waitFor();
    await picker(page).setInputFiles(words);
    await notice(page, 'Please select an image file (JPG, PNG, GIF, SVG, WebP)').waitFor();
    await picker(page).setInputFiles(svg('green.svg', '#0b4f36'));
    await upload.getByRole('group', { name: 'Selected file' }).getByText('0.00 MB').waitFor();
    await upload.getByRole('button', { name: 'Cancel' }).click();
    expect(await shown()).toBe(before);
    await picker(page).setInputFiles(svg('green.svg', '#0b4f36'));
    expect(await sizeOf(upload.getByRole('group', { name: 'Selected file' }).locator('img'))).toEqual([200, 60]);
    await upload.getByRole('button', { name: 'Upload Logo' }).click();
    await notice(page, 'Your logo has been uploaded successfully').waitFor();
    await page.getByText(/^Live since .*: Logo green\.svg$/).waitFor();
    expect(await shown()).toContain('#0b4f36');
    await upload.getByRole('button', { name: 'Restore previous logo' }).click();
    await upload.getByText('Default logo').waitFor();
    await page.getByText(/^Live since .*: Logo logo\.svg$/).waitFor();
    expect(await shown()).toBe(before);
  });

  test('finds the same functions on a separate page, with different messages', async () => {
    const page = await open('/admin/settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByText('Manage your website settings and branding').waitFor();
    await page.getByRole('list', { name: 'Requirements' }).getByText('Max 5MB').waitFor();
    await picker(page).setInputFiles(words);
    await notice(page, 'Invalid File Type').waitFor();
    await picker(page).setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(5_242_881) });
    await notice(page, 'Please select a file smaller than 5MB').waitFor();
    await picker(page).setInputFiles(svg('red.svg', '#8c1f0b'));
    await page.getByRole('group', { name: 'Selected file' }).waitFor();
    await page.getByRole('button', { name: 'Upload Logo' }).focus();
    await page.keyboard.press('Enter');
    await notice(page, 'Logo Updated').waitFor();
    await page.getByText(/^Live since .*: Logo red\.svg$/).waitFor();
    expect(await shown()).toContain('#8c1f0b');
  });

  test('learns that an upload failed, keeps the selected file, and sends it again', async () => {
    const page = await open('/admin/settings', { expected: [answered(502)] });
    await picker(page).setInputFiles(svg('late.svg', '#123456'));
    await page.route('**/api/settings/logo', (route) =>
      route.fulfill({ status: 502, body: '<html><body>Bad gateway</body></html>' }),
    );
    await page.getByRole('button', { name: 'Upload Logo' }).click();
    await notice(page, 'Upload Failed').waitFor();
    await notice(page, 'Upload failed').waitFor();
    await page.unroute('**/api/settings/logo');
    await page.getByRole('button', { name: 'Upload Logo' }).click();
    await notice(page, 'Logo Updated').waitFor();
    expect(await shown()).toContain('#123456');
  });

  test('without a session is sent to the home page', async () => {
    const page = await browser.newPage({ baseURL: site.url, expected: [answered(401)] });
    await page.goto('/admin/settings');
    await page.getByText('Access Denied').waitFor();
    await page.getByText('You need to be logged in to access settings.').waitFor();
    await page.waitForURL(`${site.url}/`);
  });
});
