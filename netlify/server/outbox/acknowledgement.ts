import { createHmac } from 'node:crypto';
import { notifyAdmins } from './notices.ts';
import type { Services } from '../services.ts';
import type { DueMessage } from '../stores/outbox.ts';

const hour = 60 * 60_000;

/**
 * The most acknowledgments (confirmations to visitors who sent a form) in 24 hours. This is more than the firm needs,
 * and it limits how many emails to strangers a flood of submissions can cause.
 */
export const acknowledgementsADay = 500;

/**
 * Limits acknowledgments to one an hour for each recipient, and to {@link acknowledgementsADay} for all. Anyone can
 * enter another person's email address in a form, so without a limit the site could flood that mailbox. An admin's
 * "Send again" is not limited.
 * @returns null if the acknowledgment may be sent; otherwise the reason against it, which admins see.
 */
export async function refuseAcknowledgement(
  { kind, id, generation }: DueMessage,
  recipient: string,
  services: Services,
): Promise<string | null> {
  if (generation > 1) return null;
  const { stores, now, env } = services;
  const at = now();
  const ago = (ms: number) => new Date(at.getTime() - ms).toISOString();
  const hash = createHmac('sha256', env.SESSION_SECRET ?? '')
    .update(mailboxOf(recipient))
    .digest('base64url');
  const claim = await stores.acknowledgements.claim(`${kind}/${id}`, hash, {
    at: at.toISOString(),
    hourAgo: ago(hour),
    dayAgo: ago(24 * hour),
    dailyLimit: acknowledgementsADay,
  });
  if (claim === 'yes') return null;
  if (claim === 'recipient')
    return 'The site sends at most one acknowledgment an hour to each address. The site sent one to this address less than an hour earlier.';
  await notifyAdmins(services, {
    key: `acknowledgements-stopped:${at.toISOString().slice(0, 10)}`,
    subject: 'The website reached its 24-hour limit on acknowledgments',
    paragraphs: [
      `The site sent ${acknowledgementsADay} acknowledgments within 24 hours, and ${acknowledgementsADay} is the limit. Usually that means someone is flooding your forms.`,
      `The site still stores every submission and emails you about each one. It starts sending acknowledgments again when the total of the last 24 hours drops below ${acknowledgementsADay}. Visitors who write in the meantime get one only if you send it yourself.`,
      'Check Contact Submissions for messages that look alike. If a message is genuine, open the message. Next to “Acknowledgment to the visitor,” select “Send now.”',
    ],
  });
  return `The site already sent ${acknowledgementsADay} acknowledgments within 24 hours, and ${acknowledgementsADay} is the limit.`;
}

/**
 * Returns the mailbox of an email address as most providers deliver it: in lowercase, without a suffix after a plus
 * sign, and for Gmail without dots. Used only for comparisons.
 */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const [mailbox = ''] = address.slice(0, at).toLowerCase().split('+', 1);
  const gmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return gmail ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`;
}
