import { expect, test } from 'vitest';
import { inbox, send, signedIn, useAdmin } from '../support/inbox.ts';

const { browser, site, session } = useAdmin();

test('While no email can be delivered, an admin sees this on every screen, and the reason in the site status', async () => {
  const words = 'Emails are not accepted.';
  const page = await signedIn(browser, site, session, { device: 'phone' });
  const asked = page.waitForResponse('**/api/health');
  await page.goto('/admin');
  await asked;
  await page.getByRole('tab', { name: 'Settings' }).waitFor();
  expect(await page.getByText('Open Site status').count()).toBe(0);

  site.mail.fail('refuse-recipients');
  await send(site);
  const health = async () => ((await (await fetch(`${site.url}/api/health`)).json()) as { mail: string }).mail;
  await expect.poll(health).toContain(words);
  for (const path of ['?tab=media', '?tab=content', '?tab=submissions', '/settings', '']) {
    await page.goto(`/admin${path}`);
    await page.getByRole('status').getByText(words).waitFor();
  }
  await page.getByRole('link', { name: 'Open Site status' }).click();
  const status = page.getByRole('region', { name: 'Site status' });
  await status.getByRole('listitem').filter({ hasText: 'Email: not working' }).getByText(words).first().waitFor();
  await expect.poll(() => status.evaluate((panel) => Math.abs(panel.getBoundingClientRect().top))).toBeLessThan(400);
  await status.getByRole('button', { name: 'Send test email' }).click();
  await status
    .getByRole('alert')
    .getByText(/No such mailbox/)
    .first()
    .waitFor();

  site.mail.fail(null);
  await status.getByRole('button', { name: 'Send all failed emails again' }).click();
  await inbox
    .notice(page)
    .getByText(/^\d emails will be sent again$/)
    .waitFor();
  await site.mail.waitFor(({ subject }) => subject?.startsWith('New inquiry') ?? false);
  await status.getByRole('button', { name: 'Check again' }).click();
  await status.getByRole('listitem').filter({ hasText: 'Email: working' }).waitFor();
  await status.getByRole('button', { name: 'Send all failed emails again' }).waitFor({ state: 'detached' });
});
