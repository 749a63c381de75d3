import { afterAll, describe, expect, test } from 'vitest';
import { inbox, send, signedIn, useAdmin, visitInbox } from '../support/inbox.ts';
import { startWebhookServer } from '../support/webhook-server.ts';

const { opened, notice, row } = inbox;
const chat = await startWebhookServer();
afterAll(() => chat.close());
const { browser, site, session, open } = useAdmin({ NOTIFY_WEBHOOK_URL: chat.url });

describe('An admin of a firm with a chat', () => {
  test('sees a message that the chat refused, and sends it again', async () => {
    chat.answer({ status: 404, body: 'no_service' });
    await send(site, { fullName: 'Untold Person' });
    await expect.poll(() => chat.posts.length).toBe(1);
    await site.mail.waitFor(({ subject }) => subject?.startsWith('We received') === true);
    const page = await signedIn(browser, site, session);
    await visitInbox(page);
    await row(page, 'Untold Person').getByText('1 of 3 retrying').waitFor();
    await row(page, 'Untold Person').click();
    const panel = opened(page, 'Untold Person');
    await panel.getByText('Last error: 404 Not Found: no_service').waitFor();
    const again = panel.getByRole('button', { name: 'Send again: Message to the team chat' });
    await again.click();
    await notice(page).getByText('Couldn’t send the message').waitFor();
    chat.answer({ status: 200 });
    await again.click();
    await notice(page).getByText('Message sent').waitFor();
    await row(page, 'Untold Person').getByText('Messages sent').waitFor();
  });

  test('sends a test message, and reads the chat’s response, good or bad', async () => {
    const page = await open('/admin?tab=settings');
    await page.getByRole('listitem').filter({ hasText: 'Team chat: working' }).waitFor();
    chat.answer({ status: 200 });
    await page.getByRole('button', { name: 'Send test message' }).click();
    await page.getByText('The message to the team chat was accepted').waitFor();
    expect(chat.posts.at(-1)?.body.text).toMatch(/^Test message/);
    chat.answer({ status: 403, body: 'action_prohibited' });
    await page.getByRole('button', { name: 'Send test message' }).click();
    await page.getByRole('alert').getByText('403 Forbidden: action_prohibited').waitFor();
  });
});
