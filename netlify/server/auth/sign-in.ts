import { failedSignIn } from '../../../src/domain/activity.ts';
import type { SignInInput } from '../../../src/domain/session.ts';
import { networkOf } from '../http/network.ts';
import { Refusal } from '../runtime/refusal.ts';
import { logError } from '../runtime/log.ts';
import type { Services } from '../services.ts';
import { createFirstAdmin } from './first-admin.ts';

const seconds = 1_000;
const minutes = 60 * seconds;

/** At most {@link mostTries} attempts may come from one IP address within this time. */
const addressWindowMs = 5 * minutes;
/** At most {@link mostTries} attempts may fail in one known browser within this time. */
const clientWindowMs = 15 * minutes;
const mostTries = 10;
/** Failed attempts from unknown browsers within this window delay the next attempt on the same account. */
const accountWindowMs = 15 * minutes;
const freeTries = 3;
/** The first and the longest delay between two attempts from unknown browsers, in seconds. */
const firstGap = 0.25;
const largestGap = 4;
/** The longest time that a request waits until its attempt may start. */
const longestWaitMs = 4 * seconds;
/** Maximum number of requests that wait for their attempt in this process, for all accounts together. */
const mostWaiting = 50;

interface Guesser {
  /** The visitor's IP address. */
  readonly address: string;
  /**
   * The key that counts the attempts of a known visitor: a browser in which the admin signed in before, or the session
   * of an admin who is signed in. Null for everyone else, whose attempts count against the account.
   */
  readonly client: string | null;
}

/**
 * Checks an email address and a password. Attempts are counted in the database before the password is checked, so the
 * limits hold across instances and for simultaneous attempts.
 *
 * No one can lock an admin out, because wrong passwords from unknown browsers delay only other unknown browsers.
 * Guessing the password of one account is still slow:
 * - All unknown browsers together have three attempts without a delay. After that, the delay between two attempts grows
 * to 4 seconds, which allows about 21,600 attempts a day. No attempt waits longer than 4 seconds.
 * - Each known browser or open session may fail 10 times in 15 minutes, or 960 times a day.
 * - Each IP address has 10 attempts in 5 minutes for all accounts, or 2,880 a day.
 * @returns the account's email address as it is stored.
 * @throws {Refusal} `unauthorized` for a wrong email address or password, `too_many_requests` with `Retry-After`,
 * `unavailable` if too many passwords are being checked.
 */
export async function checkPassword(
  input: SignInInput,
  { address, client }: Guesser,
  services: Services,
): Promise<string> {
  const { stores, passwords, env, now } = services;
  const at = now();
  const ago = (windowMs: number) => new Date(at.getTime() - windowMs).toISOString();
  const attempt = await stores.signInAttempts.open(
    { address: networkOf(address), account: input.email, client, at: at.toISOString() },
    env.RATE_LIMITS === 'on'
      ? {
          most: mostTries,
          addressSince: ago(addressWindowMs),
          clientSince: ago(clientWindowMs),
          accountSince: ago(accountWindowMs),
          free: freeTries,
          firstGap,
          largestGap,
          latestStart: new Date(at.getTime() + longestWaitMs).toISOString(),
        }
      : null,
  );
  if (attempt.id === null) throw tooMany(attempt.retryAt, at);
  await waitUntil(attempt.startsAt, at);
  await createFirstAdmin(services);
  const admin = await stores.admins.get(input.email);
  const succeeded = await passwords.verify(input.password, admin?.passwordHash ?? null, client !== null);
  if (!admin || !succeeded) {
    await noteFailure(admin?.email ?? null, services);
    throw new Refusal('unauthorized', 'The email address or password is incorrect.');
  }
  await stores.signInAttempts.succeed(attempt.id);
  const { email, passwordHash } = admin;
  if (passwordHash !== null && passwords.isOutdated(passwordHash))
    await rehash(email, input.password, passwordHash, services);
  return email;
}

/**
 * Replaces the hash of a correct password with a hash that uses the current parameters. If the server is too busy to
 * compute a hash, the old hash remains until the next sign-in.
 */
async function rehash(email: string, password: string, former: string, { stores, passwords }: Services): Promise<void> {
  try {
    await stores.admins.rehash(email, former, await passwords.hash(password));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/**
 * Records a failed sign-in in the activity log.
 * @param email null if no admin has the email address. The typed text is then not logged, because people type passwords
 * into the wrong field.
 */
async function noteFailure(email: string | null, { stores, now }: Services): Promise<void> {
  const who = email ?? 'Someone';
  const subject = email === null ? 'with an unknown email address' : 'with a wrong password';
  await stores.activity
    .create([{ at: now().toISOString(), who, action: failedSignIn, subject }])
    .catch((error: unknown) => logError('activity not recorded', {}, error));
}

function tooMany(retryAt: string, now: Date): Refusal {
  const wait = Math.max(1, Math.ceil((Date.parse(retryAt) - now.getTime()) / seconds));
  return new Refusal(
    'too_many_requests',
    `Too many attempts to sign in. Please try again in ${wait < 60 ? count(wait, 'second') : count(Math.ceil(wait / 60), 'minute')}.`,
    { headers: { 'retry-after': String(wait) } },
  );
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}

let waiting = 0;

/**
 * Waits until the attempt may start. @throws {Refusal} `too_many_requests` if too many requests are already waiting.
 */
async function waitUntil(startsAt: string, now: Date): Promise<void> {
  const ms = Date.parse(startsAt) - now.getTime();
  if (ms <= 0) return;
  if (waiting >= mostWaiting) throw tooMany(startsAt, now);
  waiting += 1;
  try {
    await new Promise((resolve) => setTimeout(resolve, ms));
  } finally {
    waiting -= 1;
  }
}
