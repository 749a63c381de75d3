import { site } from '../../../src/site.config.ts';
import type { Services } from '../services.ts';
import type { DueMessage } from '../stores/outbox.ts';
import { alarmText, applicationText, inquiryText } from '../webhook/chat-text.ts';
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
  const textOf = async (): Promise<string | null> => {
    if (due.kind === 'notice') {
      const notice = await stores.notices.get(due.id);
      return notice && alarmText(notice, siteUrl);
    }
    if (due.kind === 'inquiry') {
      const inquiry = await stores.inquiries.get(due.id);
      return inquiry && inquiryText(inquiry, siteUrl);
    }
    const application = await stores.applications.get(due.id);
    return application && applicationText(application, siteUrl);
  };
  const text = await textOf();
  if (!text) return 'gone';
  await webhook.post(text, `${due.id}-${due.audience}-${due.generation}`, signal);
  return 'sent';
}
