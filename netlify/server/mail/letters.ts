import { site } from '../../../src/site.config.ts';
import type { Services } from '../services.ts';
import type { Outcome } from '../deliver.ts';
import type { DueMessage } from '../stores/outbox.ts';
import { refuseAcknowledgement } from './acknowledgement.ts';
import {
  type Message,
  applicationForFirm,
  applicationForSender,
  inquiryForFirm,
  inquiryForSender,
} from './messages.ts';

/**
 * Sends an email of the outbox.
 * @throws when the mail server does not accept it.
 */
export async function sendLetter(due: DueMessage, services: Services, signal: AbortSignal): Promise<Outcome> {
  const { mailer, env } = services;
  const siteUrl = env.SITE_URL ?? site.url;
  const messageId = `${due.id}-${due.audience}-${due.generation}@${new URL(siteUrl).hostname}`;
  if (due.kind === 'notice') {
    const notice = await services.stores.notices.get(due.id);
    if (!notice) return 'gone';
    await mailer.send(notice, { to: notice.recipient, replyTo: mailer.firmAddress, messageId, signal });
    return 'sent';
  }
  const letter = await letterOf(due, siteUrl, services);
  if (!letter) return 'gone';
  const { message, correspondent, ours } = letter;
  if (due.audience === 'firm') {
    const replyTo = { name: correspondent.fullName, address: correspondent.email };
    await mailer.send(message, { to: ours, replyTo, messageId, signal });
    return 'sent';
  }
  const skipped = await refuseAcknowledgement(due, correspondent.email, services);
  if (skipped !== null) return { skipped };
  await mailer.send(message, { to: correspondent.email, replyTo: ours, messageId, signal });
  return 'sent';
}

interface Letter {
  readonly message: Message;
  /** The visitor. */
  readonly correspondent: { readonly fullName: string; readonly email: string };
  /** The firm's mailbox for this kind. */
  readonly ours: string;
}

/** Returns the email and its correspondents; null if the submission was deleted. */
async function letterOf(due: DueMessage, siteUrl: string, { stores, mailer }: Services): Promise<Letter | null> {
  const toFirm = due.audience === 'firm';
  if (due.kind === 'inquiry') {
    const inquiry = await stores.inquiries.get(due.id);
    if (!inquiry) return null;
    const message = toFirm ? inquiryForFirm(inquiry, siteUrl) : inquiryForSender(inquiry);
    return { message, correspondent: inquiry, ours: mailer.firmAddress };
  }
  const application = await stores.applications.get(due.id);
  if (!application) return null;
  const message = toFirm ? applicationForFirm(application, siteUrl) : applicationForSender(application);
  return { message, correspondent: application, ours: mailer.hrAddress };
}
