import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { recoveryCodeCount, type RecoveryInput, type SetUpInput } from '../../../src/domain/account/people.ts';
import { setUpLinkMinutes } from '../../../src/domain/submissions/retention.ts';
import { checkNewPasskey } from '../auth/passkeys.ts';
import { madeUpPassword, weaknessOf } from '../auth/passwords.ts';
import { countTry } from '../auth/sign-in-limits.ts';
import { knownBrowser, noteFailure } from '../auth/sign-in.ts';
import { networkOf } from '../http/network.ts';
import { logError } from '../log.ts';
import { undeliverable } from '../mail/notices.ts';
import { invitationEmail } from '../mail/texts.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import { mostInvitations } from './store.ts';

/** The most invitations that the site sends in an hour, so an admin's session cannot be used to send spam. */
const mostAnHour = 20;
/** The time that an admin waits for the mail server. */
const patienceMs = 15_000;

/**
 * Tokens and recovery codes are random, with at least 99 bits, so a fast hash protects them if the database is stolen.
 * Their hashes need no secret, so codes on paper still work after a restore with another SESSION_SECRET.
 */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

/**
 * Creates a link with which a person sets a password or a passkey. An earlier link for the same address stops working.
 * @param invitedBy empty after a sign-in with a recovery code.
 * @returns the path of the link. The token is in the fragment, so browsers do not send it, and no log contains it.
 */
export async function createSetUpLink(
  email: string,
  invitedBy: string,
  { stores, now }: Services,
): Promise<{ path: string; expiresAt: string }> {
  const token = randomBytes(32).toString('base64url');
  const at = now();
  const expiresAt = new Date(at.getTime() + setUpLinkMinutes * millisecondsInMinute).toISOString();
  const link = { token: hashOf(token), email, invitedBy, createdAt: at.toISOString(), expiresAt };
  if (!(await stores.setUpLinks.create(link))) {
    throw new Refusal(
      'conflict',
      `The site can have at most ${mostInvitations} open or expired invitations. Withdraw one, then try again.`,
    );
  }
  return { path: `/admin/set-up#${token}`, expiresAt };
}

/**
 * Invites a person, or sends the invitation again. The email is sent now and not through the outbox, because the outbox
 * would store the link.
 * @returns the path of the link if the mail server did not accept the email, or none is set up; otherwise null.
 */
export async function invite(
  email: string,
  invitedBy: string,
  services: Services,
): Promise<{ expiresAt: string; setUpLink: string | null }> {
  const { stores, mailer, siteUrl, now } = services;
  if (await stores.admins.get(email)) {
    const message = `${email} is already an admin.`;
    throw new Refusal('conflict', message, { errors: { email: message } });
  }
  if ((await stores.signInTries.count('invitations', millisecondsInHour, now())).count > mostAnHour) {
    throw new Refusal(
      'too_many_requests',
      `The site sends at most ${mostAnHour} invitations an hour. Try again later.`,
      {
        headers: { 'retry-after': '3600' },
      },
    );
  }
  const { path: setUpLink, expiresAt } = await createSetUpLink(email, invitedBy, services);
  if (!mailer.configured || undeliverable.test(email)) return { expiresAt, setUpLink };
  const message = invitationEmail(invitedBy, siteUrl + setUpLink, setUpLinkMinutes, siteUrl);
  const envelope = { id: randomUUID(), to: email, signal: AbortSignal.timeout(patienceMs) };
  try {
    await mailer.send(message, envelope);
    return { expiresAt, setUpLink: null };
  } catch (error) {
    logError('invitation not sent', {}, error);
    return { expiresAt, setUpLink };
  }
}

/** Returns whose link has this token. @throws {Refusal} `not_found` if the link does not work. */
export async function openSetUpLink(token: string, { stores, now }: Services) {
  const link = await stores.setUpLinks.get(hashOf(token), now().toISOString());
  if (link) return link;
  throw new Refusal(
    'not_found',
    'This link is incomplete, expired, already used, withdrawn or replaced by a newer one.',
  );
}

/**
 * Sets the password or the passkey of a link's person, who becomes an admin if they were invited.
 * @throws {Refusal} `not_found` if the link does not work, `invalid_input` for a weak password or an invalid passkey.
 */
export async function useSetUpLink(
  { token, password, passkey }: SetUpInput,
  request: Request,
  services: Services,
): Promise<{ email: string; invitedBy: string }> {
  const { stores, passwords, now } = services;
  const { email, invitedBy } = await openSetUpLink(token, services);
  const weakness = password === undefined ? null : await weaknessOf(password, email);
  if (weakness !== null) throw new Refusal('invalid_input', weakness, { errors: { password: weakness } });
  const credential = passkey
    ? { passkey: await checkNewPasskey(email, passkey, request, services) }
    : { passwordHash: await passwords.hash(password ?? '') };
  // Another request may have used the link meanwhile. `openSetUpLink` then says so.
  const done = await stores.setUpLinks.use(hashOf(token), credential, now().toISOString());
  if (!done) await openSetUpLink(token, services);
  return { email, invitedBy };
}

/** Replaces an admin's recovery codes. @returns the codes, which are not stored. */
export async function createRecoveryCodes(email: string, { stores }: Services): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, madeUpPassword);
  await stores.recoveryCodes.replace(email, codes.map(hashOfCode));
  return codes;
}

/** People may type a code in capital letters, or without its hyphens. */
const hashOfCode = (code: string) => hashOf(code.toLowerCase().replaceAll(/[^a-z\d]/g, ''));

/**
 * Uses a recovery code, within the limits of passwords ({@link countTry}).
 * @returns the account's email address as it is stored.
 * @throws {Refusal} `unauthorized` for a wrong email address or code, and `too_many_requests`.
 */
export async function useRecoveryCode(
  { email: typed, code }: RecoveryInput,
  request: Request,
  address: string,
  services: Services,
): Promise<string> {
  const { admins, recoveryCodes } = services.stores;
  const client = await knownBrowser(typed, request, services);
  const forget = await countTry(typed, networkOf(address), client, services);
  const admin = await admins.get(typed);
  // For an unknown email address too, so that the response takes the same time.
  const isRight = await recoveryCodes.use(admin?.email ?? typed, hashOfCode(code));
  if (!admin || !isRight) {
    await noteFailure(admin?.email ?? null, 'recovery code', services);
    throw new Refusal('unauthorized', 'The email address or recovery code is incorrect, or the code was already used.');
  }
  await forget();
  return admin.email;
}
