import { createHmac } from 'node:crypto';
import { millisecondsInMinute } from 'date-fns/constants';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import type { SignInTries } from './store.ts';

/** The tries in a known browser, and of a network for all accounts. */
const most = 10;
/** After this many tries on one account in unknown browsers, each network has only {@link mostUnderAttack} of them. */
const mostOfAccount = 25;
const mostUnderAttack = 3;
/** How long the tries of each counter count, from the first one. */
const windowMs = {
  browser: 15 * millisecondsInMinute,
  network: 5 * millisecondsInMinute,
  account: 15 * millisecondsInMinute,
  networkOnAccount: 15 * millisecondsInMinute,
};
type Counter = keyof typeof windowMs;

/**
 * Counts a try to sign in, or refuses it. Guessing is slow, and no one can lock an admin out:
 * - In a known browser, 10 tries in 15 minutes have no other limit.
 * - All other tries: 10 in 5 minutes from one network. While an account gets more than 25 tries in 15 minutes, each
 * network has 3 of them. A network that did not guess still has its 3 tries, however many others guess.
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
  const at = now();
  // The keys are hashes, because people type passwords into the field for the email address.
  const hash = (...parts: (string | null)[]) =>
    createHmac('sha256', env.SESSION_SECRET ?? '')
      .update(JSON.stringify(parts).toLowerCase())
      .digest('base64url');
  const keys: Record<Counter, string> = {
    browser: hash('browser', client, account),
    network: hash('network', network),
    account: hash('account', account),
    networkOnAccount: hash('network', network, account),
  };
  const count = async (counters: readonly Counter[]): Promise<Record<Counter, SignInTries>> => {
    const windows = counters.map((counter) => ({
      key: keys[counter],
      endsAt: new Date(at.getTime() + windowMs[counter]).toISOString(),
    }));
    const tries = await signInTries.count(windows, at.toISOString());
    return Object.fromEntries(counters.map((counter) => [counter, tries.get(keys[counter])])) as never;
  };
  const takeBack = (counters: readonly Counter[]) => signInTries.takeBack(counters.map((counter) => keys[counter]));
  const forget = () => signInTries.forget(Object.values(keys));

  if (client !== null) {
    const { browser } = await count(['browser']);
    if (browser.count <= most) return forget;
    await takeBack(['browser']);
  }
  const others = ['network', 'account', 'networkOnAccount'] as const;
  const { network: ofNetwork, account: ofAccount, networkOnAccount } = await count(others);
  const isAttacked = ofAccount.count > mostOfAccount;
  const refused = ofNetwork.count > most || (isAttacked && networkOnAccount.count > mostUnderAttack);
  if (!refused) return forget;
  await takeBack(others);
  throw tooMany((ofNetwork.count > most ? ofNetwork : networkOnAccount).endsAt, at);
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
