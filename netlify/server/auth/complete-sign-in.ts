import type { Services } from '../services.ts';
import { rememberDevice } from './devices.ts';
import { currentSession, startSession } from './sessions.ts';

/**
 * Starts the session of an admin who proved who they are, and makes the browser known. A session that the request had is
 * ended: a copy of it that somebody stole must not become a recent sign-in with the new one.
 * @param freshAt when they proved it, if that was not now; empty if it is not known.
 * @returns the bearer token, and the cookies to set.
 */
export async function completeSignIn(
  email: string,
  request: Request,
  services: Services,
  freshAt = services.now().toISOString(),
): Promise<{ token: string; cookies: string[] }> {
  const former = await currentSession(request, services);
  const device = await rememberDevice(email, request, services);
  const { token, cookie } = await startSession(email, request, services, { freshAt, device: device.id });
  if (former) await services.stores.sessions.remove(former.id);
  return { token, cookies: [cookie, device.cookie] };
}
