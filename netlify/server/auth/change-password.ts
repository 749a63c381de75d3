import type { PasswordChange } from '../../../src/domain/account.ts';
import { Refusal } from '../runtime/refusal.ts';
import type { Services } from '../services.ts';
import { requireUncommonPassword } from './common-passwords.ts';
import type { Session } from './sessions.ts';
import { checkPassword } from './sign-in.ts';

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
    throw new Refusal('conflict', 'This account has no password because it signs in with a company account.');
  }
  try {
    await checkPassword({ email, password: current }, { address, client: `session:${id}` }, services);
  } catch (error) {
    // After a 401 response, the admin area would ask the admin to sign in again. A field error leaves the form open.
    if (!(error instanceof Refusal) || error.code !== 'unauthorized') throw error;
    const message = 'This is not your current password. Please try again.';
    throw new Refusal('invalid_input', message, { errors: { current: message } });
  }
  await requireUncommonPassword(next, email);
  await stores.admins.setPassword(email, await passwords.hash(next), now().toISOString());
  return {
    ended: signOutElsewhere ? await stores.sessions.removeOthers(email, id) : 0,
    passkeysRemoved: removePasskeys ? await stores.passkeys.removeAll(email) : 0,
  };
}
