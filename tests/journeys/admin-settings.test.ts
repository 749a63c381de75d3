import { expect, test } from 'vitest';
import { answered, inbox, signedIn, startSession, useSession } from '../support/inbox.ts';
import { useEngine } from '../support/person.ts';
import { useSite } from '../support/site.ts';

const browser = useEngine();
const site = useSite();
const session = useSession(site);

test('An admin changes the logo after a look at it, and puts the former one back', async () => {
  const page = await signedIn(browser, site, session);
  const shown = async () => (await fetch(`${site.url}/uploads/logo`)).text();
  const before = await shown();
  await page.goto('/admin?tab=settings');
  const panel = page.getByRole('region', { name: 'Logo Upload' });
  await panel.getByText('Default logo').waitFor();
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><rect fill="#0b4f36"/></svg>';
  const file = { name: 'green.svg', buffer: Buffer.from(drawing) };
  const chosen = panel.getByRole('group', { name: 'Selected file' });
  await panel.locator('input[type="file"]').setInputFiles(file);
  await chosen.getByText('0.00 MB').waitFor();
  await chosen.getByRole('button', { name: 'Cancel' }).click();
  await chosen.waitFor({ state: 'detached' });
  expect(await shown()).toBe(before);
  await panel.locator('input[type="file"]').setInputFiles(file);
  const preview = await chosen.locator('img').evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.naturalWidth / image.naturalHeight;
  });
  // Once the drawing is on the page, WebKit gives its size there as its natural size.
  expect(preview).toBeCloseTo(200 / 60, 1);
  await panel.getByRole('button', { name: 'Upload Logo' }).click();
  await inbox.notice(page).getByText('Your logo has been uploaded successfully').waitFor();
  expect(await shown()).toContain('#0b4f36');
  await panel.getByRole('button', { name: 'Restore previous logo' }).click();
  await panel.getByText('Default logo').waitFor();
  expect(await shown()).toBe(before);

  await panel.getByRole('link', { name: 'Open logo settings' }).click();
  await page.getByText('Manage your website settings and branding').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.getByRole('link', { name: 'Admin Dashboard' }).click();
  await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
});

test('An admin sends a test email, ends another session, changes the password, and finds all of it in the activity', async () => {
  const signInElsewhere = (password: string) =>
    fetch(`${site.url}/api/login`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Mobile Safari/604.1',
      },
      body: JSON.stringify({ email: site.admin.email, password }),
    });
  const other = await signInElsewhere(site.admin.password);
  const cookie = other.headers.get('set-cookie')?.split(';')[0] ?? '';
  const statusElsewhere = async () => (await fetch(`${site.url}/api/cms/media`, { headers: { cookie } })).status;
  expect(await statusElsewhere()).toBe(200);
  const page = await signedIn(browser, site, await startSession(site), { expected: [answered(400), /400/] });
  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  await page.goto('/admin?tab=settings');
  const status = panel('Site status');
  for (const text of ['Database: working', 'Files: working', 'Email: working', 'Pages: working']) {
    await status.getByRole('listitem').filter({ hasText: text }).waitFor();
  }
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
  for (const action of ['changed the password', 'ended the session', 'sent a test email']) {
    await activity.getByRole('listitem').filter({ hasText: action }).first().waitFor();
  }
  await activity
    .getByText(/^owner@firm\.example signed in/)
    .first()
    .waitFor();
});
