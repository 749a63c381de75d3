import { createHmac } from 'node:crypto';
import { millisecondsInMinute } from 'date-fns/constants';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';

/** The tries in a known browser, and of a network for all accounts. */
const most = 10;
/** After this many tries on one account in unknown browsers, each network has only {@link mostUnderAttack} of them. */
const mostOfAccount = 25;
const mostUnderAttack = 3;
/** How long the tries of one network count for all accounts, and all other tries, from the first one. */
const networkMs = 5 * millisecondsInMinute;
const otherMs = 15 * millisecondsInMinute;

/**
 * Counts a try to sign in, or refuses it. Guessing is slow, and no one can lock an admin out:
 * - In a known browser, 10 tries in 15 minutes have no other limit.
 * - All other tries: 10 in 5 minutes from one network. While an account gets more than 25 tries in 15 minutes, each
 * network has 3 of them. A network that did not guess still has its 3 tries, however many others guess, because the
 * tries of a network that is over its limit do not count for the account.
 * @param client the known browser or session; null for an unknown browser.
 * @returns a function that forgets the tries, after a right password.
 * @throws {Refusal} `too_many_requests` with `Retry-After`.
 */
export async function countTry(
  account: string,
  network: string,
  client: string | null,
  { env, stores: { signInTries }, now }: Services,
): Promise<() => Promise<void>> {
  if (env.RATE_LIMITS === 'off') return async () => undefined;
  // The keys are hashes, because people type passwords into the field for the email address.
  const hash = (...parts: (string | null)[]) =>
    createHmac('sha256', env.SESSION_SECRET ?? '')
      .update(JSON.stringify(parts).toLowerCase())
      .digest('base64url');
  const keys = {
    browser: hash('browser', client, account),
    network: hash('network', network),
    account: hash('account', account),
    networkOnAccount: hash('network', network, account),
  };
  const count = (key: keyof typeof keys) =>
    signInTries.count(keys[key], key === 'network' ? networkMs : otherMs, now());
  const forget = () => signInTries.forget(Object.values(keys));

  if (client !== null && (await count('browser')).count <= most) return forget;
  const ofNetwork = await count('network');
  if (ofNetwork.count > most) throw tooMany(ofNetwork.endsAt, now());
  const [ofAccount, here] = await Promise.all([count('account'), count('networkOnAccount')]);
  if (ofAccount.count > mostOfAccount && here.count > mostUnderAttack) {
    // The other people of this network can still sign in to their accounts.
    await signInTries.takeBack(keys.network);
    throw tooMany(here.endsAt, now());
  }
  return forget;
}

function tooMany(retryAt: string, now: Date): Refusal {
  const wait = Math.max(1, Math.ceil((Date.parse(retryAt) - now.getTime()) / 1_000));
  const number = wait < 60 ? wait : Math.ceil(wait / 60);
  const unit = wait < 60 ? 'second' : 'minute';
  return new Refusal(
    'too_many_requests',
    `Too many attempts to sign in. Please try again in ${number} ${unit}${number === 1 ? '' : 's'}.`,
    { headers: { 'retry-after': String(wait) } },
  );
}
