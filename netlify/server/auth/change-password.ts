import type { PasswordChange } from '../../../src/domain/account.ts';
import { Refusal } from '../http/refusal.ts';
import type { Services } from '../services.ts';
import { hashPassword } from './passwords.ts';
import { checkPassword } from './sign-in.ts';

/**
 * Gives an admin another password. The current one is asked for and its guesses are counted as those of a sign-in, so
 * that a session left open does not give the account away.
 * @throws {Refusal} `invalid_input` for a wrong current password, `too_many_requests`, and `conflict` where there is none.
 */
export async function changePassword(
  email: string,
  { current, next }: PasswordChange,
  address: string,
  services: Services,
): Promise<void> {
  const { stores, now } = services;
  if (!(await stores.admins.get(email))?.passwordHash) {
    throw new Refusal('conflict', 'This account has no password here: it signs in with the company account.');
  }
  try {
    await checkPassword({ email, password: current }, address, services);
  } catch (error) {
    // Somebody who is signed in is not to be sent to sign in.
    if (!(error instanceof Refusal) || error.code !== 'unauthorized') throw error;
    const message = 'This is not your current password.';
    throw new Refusal('invalid_input', message, { errors: { current: message } });
  }
  await stores.admins.setPassword(email, await hashPassword(next), now().toISOString());
}
