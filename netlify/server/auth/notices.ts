import { randomUUID } from 'node:crypto';
import { clientName } from '../../../src/domain/account/account.ts';
import { site } from '../../../src/site.config.ts';
import { noticeTime, notifyAdmins } from '../mail/notices.ts';
import type { Services } from '../services.ts';

const ifYou = "If this was you, you don't need to do anything.";
const usualAdvice = [
  ifYou,
  'If it wasn\'t you, sign in and open Settings. Change your password, and check "Sign out everywhere else" and "Remove all passkeys." Then replace your recovery codes. If you can\'t sign in or have no password, ask the person who manages the server to reset your account.',
];
const account = `${site.name} account`;

/**
 * The emails about changes to an account: the subject, what happened, and what to do if someone else did it, if that is
 * not {@link usualAdvice}.
 */
export const accountEvents = {
  'new-sign-in': (email: string) => [
    `New sign-in to your ${account}`,
    `Someone signed in as ${email} in a browser that this account has not used before.`,
  ],
  'passkey-added': (email: string) => [
    `Passkey added to your ${account}`,
    `A passkey was added to the account of ${email}. Anyone who has this passkey can sign in without the password.`,
  ],
  'passkey-removed': (email: string) => [
    `Passkey removed from your ${account}`,
    `A passkey was removed from the account of ${email}. That passkey no longer works.`,
  ],
  'password-changed': (email: string) => [
    `Your ${site.name} password was changed`,
    `The password for ${email} was changed.`,
  ],
  'company-account-connected': (email: string) => [
    `Company account connected to your ${account}`,
    `A company account, such as a Google or Microsoft account, was connected to the website account of ${email}. Anyone who can sign in to that company account can now sign in here as ${email} without the password.`,
    ifYou,
    "If it wasn't you, ask the person who manages the server to reset your account. A reset sets a new password and disconnects the company account.",
  ],
  'recovery-codes-created': (email: string) => [
    `New recovery codes for your ${account}`,
    `New recovery codes were created for ${email}. Earlier recovery codes no longer work.`,
  ],
  'recovery-code-used': (email: string) => [
    `Recovery code used for your ${account}`,
    `Someone signed in as ${email} with a recovery code. This code no longer works.`,
  ],
  'new-admin': (email: string) => [
    `New admin of the ${site.name} website`,
    `The website has a new admin: ${email}. This person can see and change everything in the admin area.`,
    "If you don't know why, look at the activity log (Settings > Activity). To remove this admin, open Settings > Admins.",
  ],
  'admin-removed': (email: string, openId: boolean) => [
    `Admin removed from the ${site.name} website`,
    openId
      ? `An admin of the website was removed: ${email}. This person can become an admin again by signing in with a company account. To prevent this, ask the person who manages the server to remove the address, or its domain, from OIDC_ALLOWED_EMAILS.`
      : `An admin of the website was removed: ${email}. This person can no longer sign in.`,
    "If you don't know why, look at the activity log (Settings > Activity), which shows who removed this admin.",
  ],
} as const satisfies Record<
  string,
  (email: string, openId: boolean) => readonly [subject: string, event: string, ...advice: string[]]
>;

export type AccountEvent = keyof typeof accountEvents;

/** Every admin gets an email about these events. Only the admin whom an other event concerns gets an email about it. */
const forAll = new Set<AccountEvent>(['new-admin', 'admin-removed']);

/**
 * Emails an admin about a change to their account, with the time, the browser, and what to do if someone else made the
 * change. Emails every admin about a new or a removed admin.
 * @param request null for a change from the command line.
 */
export async function tellAdmin(
  email: string,
  event: AccountEvent,
  request: Request | null,
  services: Services,
): Promise<void> {
  const [subject, what, ...advice] = accountEvents[event](email, services.env.OIDC_ISSUER !== undefined);
  const where = request ? clientName(request.headers.get('user-agent') ?? '') : "The server's command line";
  await notifyAdmins(services, {
    key: `${event}:${randomUUID()}`,
    ...(!forAll.has(event) && { to: [email] }),
    subject,
    paragraphs: [
      what,
      `When: ${noticeTime(services.now())}\nFrom: ${where}`,
      ...(advice.length > 0 ? advice : usualAdvice),
    ],
  });
}
