import { failedSignIn } from '../../../src/domain/activity.ts';
import type { SignInInput } from '../../../src/domain/session.ts';
import { networkOf } from '../http/network.ts';
import { Refusal } from '../http/refusal.ts';
import { logError } from '../log.ts';
import type { Services } from '../services.ts';
import { createFirstAdmin } from './first-admin.ts';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';

const seconds = 1_000;
const minutes = 60 * seconds;

/** The windows in which sign-ins of one address, and failures of one known browser, are counted. */
const addressWindowMs = 5 * minutes;
const clientWindowMs = 15 * minutes;
const mostTries = 10;
/** Failures of an account from unknown browsers that slow down the next attempt. */
const accountWindowMs = 15 * minutes;
const freeTries = 3;
/** In seconds. */
const firstGap = 0.25;
const largestGap = 4;
/** No request waits longer than this. */
const longestWaitMs = 4 * seconds;
/** Most requests that wait in this process at the same time, for all accounts together. */
const mostWaiting = 50;

interface Guesser {
  /** The visitor's address. */
  readonly address: string;
  /**
   * What the attempts are counted by if not by the account: a browser in which the admin signed in before, or the session
   * of an admin who is signed in. Null for anybody else.
   */
  readonly client: string | null;
}

/**
 * Checks an email address and a password. Attempts are counted in the database before the password is looked at, so the
 * limits hold across instances and for attempts made at the same moment.
 *
 * Nobody can lock an admin out, because wrong passwords from elsewhere only slow down the account for unknown browsers.
 * Guessing one account stays slow all the same:
 * - from all unknown browsers together: three attempts, and then at most one every 4 seconds. That is 21,603 a day, with at
 *   most 4 seconds of attempts waiting for their turn;
 * - from a known browser or an open session, each with its own count: 10 wrong passwords in 15 minutes, or 960 a day;
 * - from one address, for all accounts: 10 attempts in 5 minutes, or 2,880 a day.
 * @returns the account's email address as it is stored.
 * @throws {Refusal} `unauthorized` for a wrong pair, `too_many_requests` with `Retry-After`, `unavailable` if too many
 *   passwords are being checked.
 */
export async function checkPassword(
  input: SignInInput,
  { address, client }: Guesser,
  services: Services,
): Promise<string> {
  const { stores, env, now } = services;
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
  const succeeded = await verifyPassword(input.password, admin?.passwordHash ?? null, client !== null);
  if (!admin || !succeeded) {
    await noteFailure(admin?.email ?? null, services);
    throw new Refusal('unauthorized', 'The email address or the password is not right.');
  }
  await stores.signInAttempts.succeed(attempt.id);
  const { email, passwordHash } = admin;
  if (passwordHash !== null && isOutdated(passwordHash)) await rehash(email, input.password, passwordHash, services);
  return email;
}

/** Stores a correct password with today's hash parameters. If too many hashes are being made, the next sign-in does it. */
async function rehash(email: string, password: string, former: string, { stores }: Services): Promise<void> {
  try {
    await stores.admins.rehash(email, former, await hashPassword(password));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Leaves out an address that belongs to no admin, because people type passwords into the wrong field. */
async function noteFailure(email: string | null, { stores, now }: Services): Promise<void> {
  const who = email ?? 'somebody';
  const subject = email === null ? 'with an unknown address' : 'with a wrong password';
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

/** @throws {Refusal} `too_many_requests` if too many requests wait already. */
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
