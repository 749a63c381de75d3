import { randomUUID } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import * as z from 'zod/mini';
import type { PasswordChange } from '../../../src/domain/account/account.ts';
import { keptDays } from '../../../src/domain/submissions/retention.ts';
import type { SignInInput } from '../../../src/domain/account/session.ts';
import { siteCookie, withCookies } from '../http/cookies.ts';
import type { Call } from '../http/endpoint.ts';
import { networkOf } from '../http/network.ts';
import { json, seeOther } from '../http/respond.ts';
import { EnvError } from '../env.ts';
import { logError } from '../log.ts';
import { Refusal } from '../refusal.ts';
import { turns } from '../time/turns.ts';
import type { Services } from '../services.ts';
import { tellAdmin } from './notices.ts';
import { weaknessOf } from './passwords.ts';
import { currentSession, type Session, startSession } from './sessions.ts';
import { countTry } from './sign-in-limits.ts';
import { readToken, signToken } from './tokens.ts';

const busy = 'Too many people are signing in right now. Please try again in a few seconds.';

/**
 * Each hash occupies 32 MB and one of the four threads of Node's thread pool, which also serves files, databases and
 * images. At most two passwords are checked at the same time: one of an admin in a known browser, and one of all others.
 * A flood of guesses therefore does not delay an admin in a known browser. The others take turns by network, so
 * a hundred networks that guess delay an admin in a new browser by a hundred checks, which take ten seconds.
 */
const forAdmins = turns({ atOnce: 1, waiting: 12, busy });
const forAnybody = turns({ atOnce: 1, waiting: 200, waitingEach: 20, busy });

/**
 * Checks an email address and a password, within the limits of {@link countTry}.
 * @param address the visitor's IP address.
 * @param client the key of a known visitor: a browser in which the admin signed in before, or the session of an admin
 * who is signed in. Null for everyone else.
 * @returns the account's email address as it is stored.
 * @throws {Refusal} `unauthorized` for a wrong email address or password, `too_many_requests` with `Retry-After`,
 * `unavailable` if too many passwords are being checked.
 */
export async function checkPassword(
  { email: typed, password }: SignInInput,
  address: string,
  client: string | null,
  services: Services,
): Promise<string> {
  const { stores, passwords } = services;
  const network = networkOf(address);
  const inTurn = client === null ? forAnybody : forAdmins;
  return await inTurn(async () => {
    // The try counts now that its turn has come, and not if the queue refused it.
    const forget = await countTry(typed, network, client, services);
    await createFirstAdmin(services);
    const admin = await stores.admins.get(typed);
    const isRight = await passwords.verify(password, admin?.passwordHash ?? null);
    if (!admin || !isRight) {
      await noteFailure(admin?.email ?? null, 'password', services);
      throw new Refusal('unauthorized', 'The email address or password is incorrect.');
    }
    await forget();
    const { email, passwordHash } = admin;
    // Replaces the hash of an earlier version with a hash that uses the current parameters.
    if (passwordHash !== null && passwords.isOutdated(passwordHash))
      await stores.admins.rehash(email, passwordHash, await passwords.hash(password));
    return email;
  }, network);
}

/**
 * Records a failed sign-in in the activity log.
 * @param email null if no admin has the email address. The typed text is then not logged, because people type passwords
 * into the wrong field.
 */
export async function noteFailure(
  email: string | null,
  what: 'password' | 'recovery code',
  { stores, now }: Services,
): Promise<void> {
  const who = email ?? 'Someone';
  const action = `tried to sign in with ${email === null ? 'an unknown email address' : `a wrong ${what}`}`;
  await stores.activity
    .createOnceAnHour({ at: now().toISOString(), who, action, subject: '' })
    .catch((error: unknown) => logError('activity not recorded', {}, error));
}

interface SignInDetails {
  readonly freshAt?: string;
  readonly notify?: boolean;
}

/**
 * Starts a session for an admin who has just signed in, and remembers the browser. Ends the session that the request
 * used before, so a stolen copy of that session is useless. Emails the admin if this browser is new for the account.
 * @param details.freshAt the time of the sign-in; empty if unknown. The default is now.
 * @param details.notify false if the caller sends another email about this sign-in.
 * @returns the bearer token, and the cookies to set.
 */
export async function completeSignIn(
  email: string,
  request: Request,
  services: Services,
  { freshAt, notify = true }: SignInDetails = {},
): Promise<{ token: string; cookies: string[] }> {
  const former = await currentSession(request, services);
  const { token, cookie } = await startSession(email, request, services, freshAt);
  if (former) await services.stores.sessions.remove(former.id);
  const { id = randomUUID(), admins = [] } = (await readBrowser(request, services)) ?? {};
  const named = [...new Set([email.toLowerCase(), ...admins])];
  if (named.length > admins.length && notify) await tellAdmin(email, 'new-sign-in', request, services);
  const known = await signToken('known browser', { id, admins: named.slice(0, mostAdmins) }, knownMs, services);
  return { token, cookies: [cookie, browserCookie.write(known, knownMs / 1000, request, services.env)] };
}

/** The arguments of a sign-in route that the ways to sign in share. */
export type SignInCall = Pick<Call, 'request' | 'requestId' | 'services' | 'record'>;

/**
 * Starts a session as {@link completeSignIn} does, records the sign-in, and responds.
 * @param action for the activity log, such as `signed in`.
 * @param details.returnTo redirects to this page; by default, the response is JSON with the bearer token.
 * @param details.setUpLink the path of the page to set a password or a passkey, for the response.
 */
export async function signInAnswer(
  email: string,
  action: string,
  { request, services, record }: SignInCall,
  { returnTo = null, setUpLink, ...details }: SignInDetails & { returnTo?: string | null; setUpLink?: string } = {},
): Promise<Response> {
  record(action, '', email);
  const { token, cookies } = await completeSignIn(email, request, services, details);
  const answer = returnTo === null ? json({ success: true, token, user: { email }, setUpLink }) : seeOther(returnTo);
  return withCookies(answer, cookies);
}

/**
 * Changes an admin's password after checking the current one, so an open session is not enough to take over the
 * account. Wrong passwords count against this session only, so they do not delay a sign-in in another browser.
 * @returns the number of ended sessions and removed passkeys.
 * @throws {Refusal} `invalid_input` for a wrong current password or a common new one, `too_many_requests`, and
 * `conflict` if the account has no password.
 */
export async function changePassword(
  { email, id }: Session,
  { current, next, signOutElsewhere, removePasskeys }: PasswordChange,
  address: string,
  services: Services,
): Promise<{ ended: number; passkeysRemoved: number }> {
  const { stores, passwords, now } = services;
  if (!(await stores.admins.get(email))?.passwordHash) {
    throw new Refusal('conflict', 'This account has no password. To set one, sign in with a recovery code.');
  }
  try {
    await checkPassword({ email, password: current }, address, `session:${id}`, services);
  } catch (error) {
    // After a 401 response, the admin area would ask the admin to sign in again. A field error leaves the form open.
    if (!(error instanceof Refusal) || error.code !== 'unauthorized') throw error;
    const message = 'This is not your current password. Please try again.';
    throw new Refusal('invalid_input', message, { errors: { current: message } });
  }
  const weakness = await weaknessOf(next, email);
  if (weakness !== null) throw new Refusal('invalid_input', weakness, { errors: { next: weakness } });
  await stores.admins.setPassword(email, await passwords.hash(next), now().toISOString());
  return {
    ended: signOutElsewhere ? await stores.sessions.removeOthers(email, id) : 0,
    passkeysRemoved: removePasskeys ? await stores.passkeys.removeOf(email) : 0,
  };
}

/**
 * Creates the first admin from `ADMIN_EMAIL` and `ADMIN_PASSWORD` if no admin has a password yet. A self-hosted server
 * calls this function when it starts. Netlify runs no code at start, so each sign-in calls this function too.
 * @param password used if `ADMIN_PASSWORD` is not set. If both are missing, no admin is created.
 * @returns whether this call created the admin.
 * @throws {EnvError} for a common password in production.
 */
export async function createFirstAdmin(
  { env, stores, passwords, now }: Services,
  password: string | null = null,
): Promise<boolean> {
  const chosen = env.ADMIN_PASSWORD ?? password;
  if (chosen === null || (await stores.admins.first()) !== null) return false;
  const email = env.ADMIN_EMAIL ?? 'admin@localhost';
  const weakness = env.production ? await weaknessOf(chosen, email) : null;
  if (weakness !== null) throw new EnvError(`ADMIN_PASSWORD is not safe enough for production. ${weakness}`);
  return await stores.admins.createFirst({ email, passwordHash: await passwords.hash(chosen) }, now().toISOString());
}

const knownMs = keptDays.device * millisecondsInDay;
/** The most admins whom one browser's cookie names. */
const mostAdmins = 5;
const browserCookie = siteCookie('device');
const claims = z.object({ id: z.string(), admins: z.array(z.string()) });

const readBrowser = (request: Request, services: Services) =>
  readToken('known browser', browserCookie.read(request, services.env), claims, services);

/**
 * Returns the id of the request's browser if the admin signed in with it in the last 180 days; otherwise null. In a
 * known browser, wrong passwords that were entered elsewhere do not delay a sign-in.
 */
export async function knownBrowser(email: string, request: Request, services: Services): Promise<string | null> {
  const known = await readBrowser(request, services);
  return known?.admins.includes(email.toLowerCase()) ? known.id : null;
}
