import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { answered, inbox, inboxPath, send, signedIn, startSession, visitInbox } from '../../support/samples/inbox.ts';
import { sendJson } from '../../support/host/ask.ts';
import { useSite } from '../../support/host/site.ts';

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

test('An admin reads why a file cannot be the logo, keeps a file whose upload failed, sends it again, and restores the previous logo although the request is sent twice', async () => {
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
  const shown = async () => (await fetch(`${site.url}/uploads/logo`)).text();
  expect(await shown()).toContain('#123456');

  await page.route('**/api/settings/logo/restore', async (route) => {
    await route.fetch();
    await route.continue();
  });
  await page.getByRole('button', { name: 'Restore previous logo' }).click();
  await page.getByText('Default logo').waitFor();
  expect(await shown()).not.toContain('#123456');
});

test('An admin who signed in long ago confirms with the password by keyboard and gets the requested export; an unsaved note stays after canceling, and is erased with the person’s data', async () => {
  const { id } = await send(site, {
    fullName: 'Exported Person',
    company: 'Export Only',
    email: 'only@export.example',
  });
  const page = await signedIn(browser, site, await startSession(site), { expected: [answered(403), answered(401)] });
  const confirmation = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await visitInbox(page, `${inboxPath}&q=export%20only`);
  await site.letSignInsAge();
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await confirmation.waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password');
  expect(await confirmation.getByLabel('Email').isVisible()).toBe(false);
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await confirmation.getByText('The password is incorrect.').waitFor();
  // The wrong password is selected in the field, so typing replaces it.
  await page.keyboard.type(site.admin.password);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/^inquiries-\d{4}-\d{2}-\d{2}\.csv$/);
  const chunks = await (await download.createReadStream()).toArray();
  const lines = Buffer.concat(chunks).toString('utf8').trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('"Exported Person"');
  await confirmation.waitFor({ state: 'detached' });
  // For ten minutes after the confirmation, the site does not ask for the password again.
  await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()]);

  await inbox.row(page, 'Exported Person').click();
  const opened = inbox.opened(page, 'Exported Person');
  const note = opened.getByLabel('Private note');
  const stored = async () => (await (await page.request.get(`/api/cms/unsaved/note/${id}`)).json()).data;
  await note.fill('Has a lawyer');
  await opened.getByText(/^Unsaved changes, last edited/).waitFor();
  expect(await stored()).toMatchObject({ text: { note: 'Has a lawyer' } });
  await site.letSignInsAge();
  await page.getByRole('button', { name: 'Erase this person’s data…' }).click();
  await page.getByRole('button', { name: 'Erase permanently' }).click();
  await confirmation.waitFor();
  await page.keyboard.press('Escape');
  await confirmation.waitFor({ state: 'detached' });
  await notice(page, 'Nothing was erased').waitFor();
  expect(await note.inputValue()).toBe('Has a lawyer');
  await page.getByRole('button', { name: 'Erase permanently' }).click();
  await confirmation.getByLabel('Password', { exact: true }).fill(site.admin.password);
  await confirmation.getByRole('button', { name: 'Confirm', exact: true }).click();
  await notice(page, 'Data erased').waitFor();
  await expect.poll(stored).toBeNull();
});

test('An admin sends a test email, ends another session, changes the password, and finds all of it in the activity', async () => {
  const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Mobile Safari/604.1';
  const signInElsewhere = (password: string) =>
    fetch(`${site.url}/api/login`, sendJson({ email: site.admin.email, password }, { 'user-agent': iPhone }));
  const other = await signInElsewhere(site.admin.password);
  const cookie = other.headers.get('set-cookie')?.split(';')[0] ?? '';
  const statusElsewhere = async () => (await fetch(`${site.url}/api/cms/media`, { headers: { cookie } })).status;
  expect(await statusElsewhere()).toBe(200);
  const page = await signedIn(browser, site, await startSession(site), { expected: [answered(400)] });
  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  await page.goto('/admin?tab=settings');
  const status = panel('Site status');
  for (const text of ['Database: working', 'File storage: working', 'Email: working', 'Pages: working']) {
    await status.getByRole('listitem').filter({ hasText: text }).waitFor();
  }
  // On a large screen, the settings scroll, and no part of the page below them is blank.
  await panel('Activity').getByRole('listitem').first().waitFor();
  await page.mouse.move(700, 40);
  await page.mouse.wheel(0, 3_000);
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
  await status.getByText(/^Built \w{3} \d+, \d{4} .*, version \d+\.\d+\.\d+$/).waitFor();
  await status.getByRole('button', { name: 'Send test email' }).click();
  await status.getByText('The email to owner@firm.example was accepted').waitFor();
  await site.mail.waitFor(({ envelope }) => envelope.to.includes('owner@firm.example'));

  const sessions = panel('Sessions');
  await sessions.getByText('This browser').waitFor();
  await sessions.getByRole('button', { name: /^End session: .*iOS/ }).click();
  await inbox.notice(page).getByText('Session ended').waitFor();
  expect(await statusElsewhere()).toBe(401);

  const form = panel('Password');
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
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'current');
  await change(site.admin.password, 'another good password');
  await inbox.notice(page).getByText('Password changed').waitFor();
  expect(await form.getByLabel('New password', { exact: true }).inputValue()).toBe('');
  expect((await signInElsewhere(site.admin.password)).status).toBe(401);
  expect((await signInElsewhere('another good password')).status).toBe(200);

  await page.reload();
  const activity = panel('Activity');
  await expect.poll(() => activity.getByRole('listitem').count()).toBe(5);
  const focusIsInActivity = () =>
    expect.poll(() => activity.evaluate((section) => section.contains(document.activeElement))).toBe(true);
  await activity.getByRole('link', { name: 'Show all activity' }).press('Enter');
  await activity.getByRole('link', { name: 'Back to settings' }).waitFor();
  await focusIsInActivity();
  for (const action of ['changed the password', 'ended the session', 'sent a test email']) {
    await activity.getByRole('listitem').filter({ hasText: action }).first().waitFor();
  }
  await activity
    .getByText(/^owner@firm\.example signed in/)
    .first()
    .waitFor();
  await activity.getByRole('link', { name: 'Back to settings' }).press('Enter');
  await activity.getByRole('link', { name: 'Show all activity' }).waitFor();
  await focusIsInActivity();
  // The headings of the settings are below the heading of their group.
  const headings = page.locator('main :is(h2, h3)');
  const outline = () => headings.evaluateAll((all) => all.map((one) => `${one.localName} ${one.textContent}`));
  await expect
    .poll(outline)
    .toEqual([
      ...['h2 Site', 'h3 Site status', 'h3 Logo Upload'],
      ...['h2 Your account', 'h3 Password', 'h3 Passkeys', 'h3 Sessions', 'h3 Recovery codes'],
      ...['h2 Access', 'h3 Admins', 'h2 Activity'],
    ]);
});
