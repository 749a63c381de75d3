import { site } from '../../../src/site.config.ts';
import type { Services } from '../services.ts';
import type { DueMessage } from '../stores/outbox.ts';
import { type ChatMessage, alarmMessage, applicationMessage, inquiryMessage } from '../webhook/chat-message.ts';
import type { Outcome } from './outcome.ts';

/**
 * Posts a message from the outbox to the chat.
 * @throws if the webhook does not accept the message.
 */
export async function postChatMessage(
  due: DueMessage,
  { stores, webhook, env }: Services,
  signal: AbortSignal,
): Promise<Outcome> {
  const siteUrl = env.SITE_URL ?? site.url;
  let message: ChatMessage;
  if (due.kind === 'notice') {
    const alarm = await stores.notices.get(due.id);
    if (!alarm) return 'gone';
    message = alarmMessage(alarm, siteUrl);
  } else if (due.kind === 'inquiry') {
    const inquiry = await stores.inquiries.get(due.id);
    if (!inquiry) return 'gone';
    message = inquiryMessage(inquiry, siteUrl);
  } else {
    const application = await stores.applications.get(due.id);
    if (!application) return 'gone';
    message = applicationMessage(application, siteUrl);
  }
  await webhook.post(message, `${due.id}-${due.audience}-${due.generation}`, signal);
  return 'sent';
}
