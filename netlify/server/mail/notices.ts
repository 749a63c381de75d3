import { site } from '../../../src/site.config.ts';
import { logError } from '../log.ts';
import type { Services } from '../services.ts';

export interface AdminNotice {
  /** A notice is sent at most once for each key, for example `deletion:2026-03-02`. */
  readonly key: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The recipients' email addresses. By default, all admins receive the notice. */
  readonly to?: readonly string[];
  /** Whether the team chat gets the notice, too. */
  readonly toChat?: boolean;
}

/** Matches the placeholder email address of the first admin. No mail server delivers to it. */
export const undeliverable = /@localhost$/i;

/**
 * Emails the admins. The notice is stored in the outbox, which retries it like every other email. If no mail server is
 * set up, no email is stored, because the notice would be outdated by the time email works. Never throws: if the notice
 * cannot be stored, the error is logged, and the action that the notice reports still succeeds.
 */
export async function notifyAdmins(services: Services, notice: AdminNotice): Promise<void> {
  const { stores, now, mailer } = services;
  const { key, subject, paragraphs, to, toChat = false } = notice;
  try {
    const addresses = to ?? (await adminAddresses(services));
    const content = { subject, text: paragraphs.join('\n\n'), key };
    const emails = [...new Set(mailer.configured ? addresses : [])]
      .filter((address) => !undeliverable.test(address))
      .map((recipient) => ({ audience: 'admin' as const, recipient, ...content }));
    const chat = toChat ? [{ audience: 'webhook' as const, recipient: '', ...content }] : [];
    if (emails.length + chat.length > 0) await stores.outbox.addNotice(key, [...emails, ...chat], now().toISOString());
  } catch (error) {
    logError('notice not stored', { notice: key }, error);
  }
}

/** Formats a time like `Monday, March 2, 2026 at 10:30:00 AM PST`. */
export function noticeTime(at: Date): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long', timeZone: site.timeZone }).format(at);
}

/** Formats a day like `March 2, 2026`. */
export function noticeDay(iso: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: site.timeZone }).format(new Date(iso));
}

/** Returns the email address of every admin who can receive email. */
export async function adminAddresses({ stores }: Services): Promise<string[]> {
  const admins = await stores.admins.list();
  return admins.map(({ email }) => email).filter((address) => !undeliverable.test(address));
}
