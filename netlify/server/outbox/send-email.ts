import { site } from '../../../src/site.config.ts';
import type { Services } from '../services.ts';
import type { Outcome } from './outcome.ts';
import type { DueMessage } from '../stores/outbox.ts';
import { refuseAcknowledgement } from './acknowledgement.ts';
import type { Email } from '../mail/email.ts';
import {
  applicationForFirm,
  applicationForSender,
  inquiryForFirm,
  inquiryForSender,
  noticeEmail,
} from '../mail/messages.ts';

/**
 * Sends an email from the outbox.
 * @throws if the mail server does not accept the email.
 */
export async function sendEmail(due: DueMessage, services: Services, signal: AbortSignal): Promise<Outcome> {
  const { mailer, env } = services;
  const siteUrl = env.SITE_URL ?? site.url;
  const messageId = `${due.id}-${due.audience}-${due.generation}@${new URL(siteUrl).hostname}`;
  if (due.kind === 'notice') {
    const notice = await services.stores.notices.get(due.id);
    if (!notice) return 'gone';
    const envelope = { to: notice.recipient, replyTo: mailer.firmAddress, messageId, signal };
    await mailer.send(noticeEmail(notice, siteUrl), envelope);
    return 'sent';
  }
  const found = await emailOf(due, siteUrl, services);
  if (!found) return 'gone';
  const { email, correspondent, ours } = found;
  if (due.audience === 'firm') {
    const replyTo = { name: correspondent.fullName, address: correspondent.email };
    await mailer.send(email, { to: ours, replyTo, messageId, signal });
    return 'sent';
  }
  const skipped = await refuseAcknowledgement(due, correspondent.email, services);
  if (skipped !== null) return { skipped };
  await mailer.send(email, { to: correspondent.email, replyTo: ours, messageId, signal });
  return 'sent';
}

interface SubmissionEmail {
  readonly email: Email;
  /** The visitor who sent the submission. */
  readonly correspondent: { readonly fullName: string; readonly email: string };
  /** The firm's mailbox for this kind of submission. */
  readonly ours: string;
}

/** Composes the email, and adds the two addresses that it goes to or replies to. Null if the submission was deleted. */
async function emailOf(
  due: DueMessage,
  siteUrl: string,
  { stores, mailer }: Services,
): Promise<SubmissionEmail | null> {
  const toFirm = due.audience === 'firm';
  if (due.kind === 'inquiry') {
    const inquiry = await stores.inquiries.get(due.id);
    if (!inquiry) return null;
    const email = toFirm ? inquiryForFirm(inquiry, siteUrl) : inquiryForSender(inquiry);
    return { email, correspondent: inquiry, ours: mailer.firmAddress };
  }
  const application = await stores.applications.get(due.id);
  if (!application) return null;
  const email = toFirm ? applicationForFirm(application, siteUrl) : applicationForSender(application);
  return { email, correspondent: application, ours: mailer.hrAddress };
}
