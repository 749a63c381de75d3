import { site } from '../../src/site.config.ts';
import { logError } from './log.ts';
import type { Services } from './services.ts';

export interface AdminNotice {
  /**
   * Sent at most once for each key. The part before the first colon names the kind, which has a daily limit:
   * `password-changed:2026-03-02T18:30:00.000Z`.
   */
  readonly key: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Email addresses; every admin when left out. */
  readonly to?: readonly string[];
}

/** Notices of one kind a day, so a visitor who causes them cannot flood the admins' mailboxes. */
const dailyLimit = 20;
const day = 24 * 60 * 60_000;
const keptMs = 90 * day;

/** The placeholder address of the first admin. No mail server delivers to it. */
export const undeliverable = /@localhost$/i;

/**
 * Emails the admins. The notice goes into the outbox, which retries it like every other email. Never throws: a notice that
 * cannot be stored is logged, so the action that it reports still succeeds.
 */
export async function notifyAdmins(services: Services, notice: AdminNotice): Promise<void> {
  try {
    await storeNotice(services, { ...notice, to: notice.to ?? (await adminAddresses(services)) });
  } catch (error) {
    logError('notice not stored', { kind: kindOf(notice.key) }, error);
  }
}

/**
 * Stores a notice for the given recipients; an empty address means the webhook. Without a mail server no email is stored,
 * because it would go out when its news is old.
 * @returns false if the key was used before, the daily limit of the kind is reached, or no recipient is left.
 */
export async function storeNotice(
  { stores, now, env, mailer }: Services,
  { key, subject, paragraphs, to }: AdminNotice & { readonly to: readonly string[] },
): Promise<boolean> {
  const recipients = to.filter((address) => address === '' || (mailer.configured && !undeliverable.test(address)));
  if (recipients.length === 0) return false;
  const at = now();
  return await stores.notices.create(
    { key, kind: kindOf(key), recipients, subject, text: noticeText(paragraphs, env.SITE_URL ?? site.url) },
    { at: at.toISOString(), dayAgo: new Date(at.getTime() - day).toISOString(), dailyLimit },
  );
}

/** The text of an email to an admin. */
export function noticeText(paragraphs: readonly string[], siteUrl: string): string {
  return `Hello,

${paragraphs.join('\n\n')}

This message was sent automatically by the website of ${site.name}.
${siteUrl}/admin
`;
}

/** Every admin who can receive email. */
export async function adminAddresses({ stores }: Services): Promise<string[]> {
  const admins = await stores.admins.list();
  return admins.map(({ email }) => email).filter((address) => !undeliverable.test(address));
}

/** Deletes notices that are 90 days old. */
export async function forgetOldNotices({ stores, now }: Services): Promise<void> {
  await stores.notices.removeBefore(new Date(now().getTime() - keptMs).toISOString());
}

function kindOf(key: string): string {
  return key.split(':', 1)[0] ?? key;
}
