import type { Services } from '../services.ts';
import { tellAdmin } from './account-notices.ts';
import { rememberDevice } from './devices.ts';
import { currentSession, startSession } from './sessions.ts';

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
  { freshAt, notify = true }: { freshAt?: string; notify?: boolean } = {},
): Promise<{ token: string; cookies: string[] }> {
  const former = await currentSession(request, services);
  const device = await rememberDevice(email, request, services);
  const { token, cookie } = await startSession(email, request, services, {
    ...(freshAt !== undefined && { freshAt }),
    device: device.id,
  });
  if (former) await services.stores.sessions.remove(former.id);
  if (!device.wasKnown && notify) await tellAdmin(email, 'new-sign-in', request, services);
  return { token, cookies: [cookie, device.cookie] };
}
