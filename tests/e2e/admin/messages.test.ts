import { afterAll, afterEach, expect, test } from 'vitest';
import { delivered, inbox, send, signedIn, useAdmin, visitInbox } from '../../support/samples/inbox.ts';
import { startWebhookServer } from '../../support/servers/webhook-server.ts';

const { notice, opened, row } = inbox;
const chat = await startWebhookServer();
afterAll(() => chat.close());
const { browser, site, session, call } = useAdmin({ NOTIFY_WEBHOOK_URL: chat.url });
afterEach(() => {
  site.mail.fail(null);
  chat.answer({ status: 200 });
});

test('While no email can be delivered, an admin sees this on every screen and in the row of the inquiry, and the reason in the site status', async () => {
  const words = 'The mail server does not accept emails from the site.';
  const page = await signedIn(browser, site, session, { device: 'phone' });
  const asked = page.waitForResponse('**/api/health');
  await page.goto('/admin');
  await asked;
  await page.getByRole('tab', { name: 'Settings' }).waitFor();
  expect(await page.getByText('Open Site status').count()).toBe(0);

  site.mail.fail('refuse-recipients');
  await send(site, { fullName: 'Late Person', email: 'late@books.example', company: 'Late Books' });
  const health = async () => ((await (await fetch(`${site.url}/api/health`)).json()) as { mail: string }).mail;
  await expect.poll(health).toContain(words);
  await delivered(call, 'late person', { firm: 'retrying', sender: 'retrying' });
  await site.letEmailsAge();
  await send(site, { email: 'next@books.example' });
  await delivered(call, 'late person', { firm: 'failed', sender: 'failed' });
  await page.goto('/admin/settings');
  await page.getByRole('status').getByText(words).waitFor();
  await page.goto('/admin');
  for (const name of ['Media Library', 'Content Editor', 'Contact Submissions', 'Blog Posts']) {
    await page.getByRole('tab', { name }).click();
    await page.getByRole('tabpanel', { name }).getByRole('button').first().waitFor();
    await page.getByRole('status').getByText(words).waitFor();
    if (name === 'Contact Submissions') await row(page, 'Late Person').getByText('Delivery failed').waitFor();
  }
  // The code of the settings arrives before the dashboard is shown, as with a warm cache.
  await page.route('**/api/auth/status', async (route) => {
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => /SettingsScreen/.test(name)),
    );
    await route.continue();
  });
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
  await notice(page)
    .getByText(/^\d emails will be sent again$/)
    .waitFor();
  await site.mail.waitFor(({ subject }) => subject?.includes('Late Books') ?? false);
  await status.getByRole('button', { name: 'Check again' }).click();
  await status.getByRole('listitem').filter({ hasText: 'Email: working' }).waitFor();
  await status.getByRole('button', { name: 'Send all failed emails again' }).waitFor({ state: 'detached' });
});

test('An admin sees a message that the chat refused, sends it again, and reads the chat’s responses to test messages', async () => {
  chat.answer({ status: 404, body: 'no_service' });
  await send(site, { fullName: 'Untold Person', email: 'untold@person.example', company: 'Untold Inc' });
  await delivered(call, 'untold person', { webhook: 'retrying', firm: 'sent', sender: 'sent' });
  expect(chat.posts.at(-1)?.body.text).toContain('Untold Person');
  const page = await signedIn(browser, site, session);
  await visitInbox(page);
  await row(page, 'Untold Person').getByText('Retrying').waitFor();
  await row(page, 'Untold Person').click();
  const panel = opened(page, 'Untold Person');
  await panel.getByText('Last error: 404 Not Found: no_service').waitFor();
  const again = panel.getByRole('button', { name: 'Send again: Message to the team chat' });
  await again.click();
  await notice(page).getByText('Couldn’t send the chat message').waitFor();
  chat.answer({ status: 200 });
  await again.click();
  await notice(page).getByText('Chat message sent').waitFor();
  await row(page, 'Untold Person').getByText('Retrying').waitFor({ state: 'detached' });

  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Team chat: working' }).waitFor();
  await page.getByRole('button', { name: 'Send test message' }).click();
  await page.getByText('The message to the team chat was accepted').waitFor();
  expect(chat.posts.at(-1)?.body.text).toMatch(/^Test message/);
  chat.answer({ status: 403, body: 'action_prohibited' });
  await page.getByRole('button', { name: 'Send test message' }).click();
  await page.getByRole('alert').getByText('403 Forbidden: action_prohibited').waitFor();
});
