import { randomUUID } from 'node:crypto';
import { clientName } from '../../../src/domain/account.ts';
import { site } from '../../../src/site.config.ts';
import { notifyAdmins } from '../notices.ts';
import type { Services } from '../services.ts';

interface AccountEvent {
  readonly subject: string;
  /** What happened, as a sentence about the admin with this address. */
  readonly says: (email: string) => string;
}

const events = {
  'new-sign-in': {
    subject: 'New sign-in to your account',
    says: (email) => `Someone signed in as ${email} in a browser that was not used for this account before.`,
  },
  'passkey-added': {
    subject: 'A passkey was added to your account',
    says: (email) => `A passkey was added to the account of ${email}. It can sign in without the password.`,
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your account',
    says: (email) => `A passkey was removed from the account of ${email}. It can no longer sign in.`,
  },
  'password-changed': {
    subject: 'Your password was changed',
    says: (email) => `The password of ${email} was changed.`,
  },
  'company-account-connected': {
    subject: 'A company account was connected to your account',
    says: (email) => `A company account was connected to the account of ${email}. It can sign in without the password.`,
  },
} as const satisfies Record<string, AccountEvent>;

/**
 * Emails an admin about a change to their account, with the time, the browser, and what to do if it wasn't them.
 * @param request null for a change from the command line.
 */
export async function tellAdmin(
  email: string,
  event: keyof typeof events,
  request: Request | null,
  services: Services,
): Promise<void> {
  const { subject, says } = events[event];
  await notifyAdmins(services, {
    key: `${event}:${randomUUID()}`,
    to: [email],
    subject: `${subject}: ${site.name}`,
    paragraphs: [
      says(email),
      whenAndWhere(request, services),
      "If this was you, you don't need to do anything.",
      "If it wasn't you, sign in, change your password under Settings, and check the box to remove all passkeys. If you can't sign in, ask the person who runs the site to reset your account.",
    ],
  });
}

/** Emails every admin about a new admin. */
export async function tellOfNewAdmin(email: string, request: Request | null, services: Services): Promise<void> {
  await notifyAdmins(services, {
    key: `new-admin:${randomUUID()}`,
    subject: `New admin: ${site.name}`,
    paragraphs: [
      `${email} is now an admin of the website and can see and change everything in the admin area.`,
      whenAndWhere(request, services),
      "If you don't know why, ask the person who runs the site to remove this admin.",
    ],
  });
}

function whenAndWhere(request: Request | null, { now }: Services): string {
  const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long', timeZone: site.timeZone });
  const where = request ? clientName(request.headers.get('user-agent') ?? '') : "The command line of the site's server";
  return `When: ${time.format(now())}\nWhere: ${where}`;
}
