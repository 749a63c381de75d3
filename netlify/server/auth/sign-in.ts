import type { SignInInput } from '../../../src/domain/session.ts';
import { networkOf } from '../http/network.ts';
import { Refusal } from '../http/refusal.ts';
import type { Services } from '../services.ts';
import { createFirstAdmin } from './first-admin.ts';
import { verifyPassword } from './passwords.ts';

/** Sign-ins by one address, and failures of one account, that are looked at (decisions, 'Rate limits by address'). */
const addressWindowMs = 5 * 60_000;
const accountWindowMs = 15 * 60_000;
const mostTries = 10;

/**
 * Checks an e-mail address and a password.
 * Attempts are counted in the database before the password is looked at, so that they hold across instances and against
 * attempts made at once: after three failures each further one is answered more slowly, after ten the account waits.
 * @returns the account's e-mail address as it is stored.
 * @throws {Refusal} `unauthorized` for a wrong pair, `too_many_requests` with `Retry-After`.
 */
export async function checkPassword(input: SignInInput, address: string, services: Services): Promise<string> {
  const { stores, env, now } = services;
  const at = now();
  const since = (windowMs: number) => new Date(at.getTime() - windowMs).toISOString();
  const attempt = await stores.signInAttempts.open({
    address: networkOf(address),
    account: input.email,
    at: at.toISOString(),
    addressSince: since(addressWindowMs),
    accountSince: since(accountWindowMs),
    most: env.RATE_LIMITS === 'on' ? mostTries : Number.MAX_SAFE_INTEGER,
  });
  if (attempt.id === null) {
    const { byAddress, byAccount } = attempt;
    throw byAddress.count >= mostTries
      ? tooMany(byAddress.oldestAt, addressWindowMs, at)
      : tooMany(byAccount.oldestAt, accountWindowMs, at);
  }
  if (env.RATE_LIMITS === 'on') await slowDown(attempt.byAccount.count);
  await createFirstAdmin(services);
  const admin = await stores.admins.get(input.email);
  const succeeded = await verifyPassword(input.password, admin?.passwordHash ?? null);
  if (!admin || !succeeded) {
    throw new Refusal('unauthorized', 'The email address or the password is not right.');
  }
  await stores.signInAttempts.succeed(attempt.id);
  return admin.email;
}

function tooMany(oldestAt: string | null, windowMs: number, now: Date): Refusal {
  const until = (oldestAt ? Date.parse(oldestAt) : now.getTime()) + windowMs;
  const seconds = Math.max(1, Math.ceil((until - now.getTime()) / 1000));
  const minutes = Math.ceil(seconds / 60);
  return new Refusal(
    'too_many_requests',
    `Too many attempts to sign in. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

async function slowDown(failures: number): Promise<void> {
  if (failures < 3) return;
  const ms = Math.min(250 * 2 ** (failures - 3), 2_000);
  await new Promise((resolve) => setTimeout(resolve, ms));
}
