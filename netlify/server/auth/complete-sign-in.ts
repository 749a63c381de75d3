import type { Services } from '../services.ts';
import { tellAdmin } from './account-notices.ts';
import { rememberDevice } from './devices.ts';
import { currentSession, startSession } from './sessions.ts';

/**
 * Starts the session of an admin who proved who they are, and makes the browser known. A session that the request had is
 * ended: a copy of it that somebody stole must not become a recent sign-in with the new one.
 * The admin gets an email if nobody signed in to the account in this browser before.
 * @param details.freshAt when they proved it, if that was not now; empty if it is not known.
 * @param details.notify false where the admin gets another email about the same step.
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
