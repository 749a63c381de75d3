import { randomUUID } from 'node:crypto';
import { clientName } from '../../../src/domain/account.ts';
import { site } from '../../../src/site.config.ts';
import { noticeTime, notifyAdmins } from '../mail/notices.ts';
import type { Services } from '../services.ts';

interface AccountEvent {
  readonly subject: string;
  /** A sentence about what happened to the account with this email address. */
  readonly says: (email: string) => string;
  /** What to do if someone else did it. Default: {@link changePassword}. */
  readonly ifNot?: string;
}

const changePassword =
  "If it wasn't you, sign in, change your password under Settings, and check “Sign out everywhere else” and “Remove all passkeys”. If you can't sign in, ask the person who manages the server to reset your account.";

const events = {
  'new-sign-in': {
    subject: `New sign-in to your ${site.name} account`,
    says: (email) => `Someone signed in as ${email} in a browser that this account has not used before.`,
  },
  'passkey-added': {
    subject: `Passkey added to your ${site.name} account`,
    says: (email) =>
      `A passkey was added to the account of ${email}. Anyone who has this passkey can sign in without the password.`,
  },
  'passkey-removed': {
    subject: `Passkey removed from your ${site.name} account`,
    says: (email) => `A passkey was removed from the account of ${email}. That passkey no longer works.`,
  },
  'password-changed': {
    subject: `Your ${site.name} password was changed`,
    says: (email) => `The password for ${email} was changed.`,
  },
  'company-account-connected': {
    subject: `Company account connected to your ${site.name} account`,
    says: (email) =>
      `A company account, such as a Google or Microsoft account, was connected to the website account of ${email}. Anyone who can sign in to that company account can now sign in here as ${email} without the password.`,
    ifNot:
      "If it wasn't you, ask the person who manages the server to reset your account. A reset sets a new password and disconnects the company account.",
  },
} as const satisfies Record<string, AccountEvent>;

/**
 * Emails an admin about a change to their account, with the time, the browser, and what to do if someone else made the
 * change.
 * @param request null for a change from the command line.
 */
export async function tellAdmin(
  email: string,
  event: keyof typeof events,
  request: Request | null,
  services: Services,
): Promise<void> {
  const { subject, says, ifNot = changePassword }: AccountEvent = events[event];
  await notifyAdmins(services, {
    key: `${event}:${randomUUID()}`,
    to: [email],
    subject,
    paragraphs: [
      says(email),
      whenAndWhere(request, services),
      "If this was you, you don't need to do anything.",
      ifNot,
    ],
  });
}

/** Emails every admin about a new admin. */
export async function tellOfNewAdmin(email: string, request: Request | null, services: Services): Promise<void> {
  await notifyAdmins(services, {
    key: `new-admin:${randomUUID()}`,
    subject: `New admin of the ${site.name} website`,
    paragraphs: [
      `The website has a new admin: ${email}. This person can see and change everything in the admin area.`,
      whenAndWhere(request, services),
      "If you don't know why, ask the person who manages the server to remove this admin.",
    ],
  });
}

function whenAndWhere(request: Request | null, { now }: Services): string {
  const where = request ? clientName(request.headers.get('user-agent') ?? '') : "The server's command line";
  return `When: ${noticeTime(now())}\nFrom: ${where}`;
}
