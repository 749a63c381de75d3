import { createHmac } from 'node:crypto';
import { notifyAdmins } from '../notices.ts';
import type { Services } from '../services.ts';
import type { DueMessage } from '../stores/outbox.ts';

const hour = 60 * 60_000;

/** More than a firm of this size needs in a day. A flood of submissions beyond it sends no email to strangers. */
export const acknowledgementsADay = 500;

/**
 * Limits acknowledgements to one an hour for each recipient, and to a number a day. Anyone can enter another person's address
 * in a form, so without a limit the site could flood that mailbox. An admin's "Send again" is not limited.
 * @returns null if the acknowledgement may go out, else the reason for the admin.
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
  if (claim === 'recipient') return 'This address received another acknowledgement within the hour.';
  await notifyAdmins(services, {
    key: `acknowledgements-stopped:${at.toISOString().slice(0, 10)}`,
    subject: `The website stopped sending acknowledgements for today`,
    paragraphs: [
      `The site sent ${acknowledgementsADay} acknowledgements within 24 hours, which is its limit. This usually means that someone is flooding your forms.`,
      'Every submission is still stored, and you still receive an email about each one. The people who wrote get no automatic acknowledgement until the 24 hours are over.',
      'Look at Contact Submissions for messages that resemble each other. If they are genuine, open one and select Send again to acknowledge it.',
    ],
  });
  return `The site sent ${acknowledgementsADay} acknowledgements within 24 hours, which is its limit.`;
}

/**
 * Returns the mailbox of an address, as most providers deliver: in lower case, without a suffix after a plus sign, and for Gmail
 * without dots. Used only for comparing.
 */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const [mailbox = ''] = address.slice(0, at).toLowerCase().split('+', 1);
  const gmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return gmail ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`;
}
