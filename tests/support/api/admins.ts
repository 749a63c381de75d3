import { startSession } from '../../../netlify/server/auth/sessions.ts';
import type { Services } from '../../../netlify/server/services.ts';

/**
 * Creates an admin and a session, without the cost of checking a password.
 * @param given the hash of the password, for a test that also signs in with a password.
 * @returns headers with the session as a bearer token.
 */
export async function signedInAdmin(
  services: Services,
  email = 'owner@firm.example',
  given = 'no hash',
): Promise<{ authorization: string }> {
  await services.stores.admins.create({ email, passwordHash: given }, services.now().toISOString());
  return await anotherSession(services, email);
}

/** Starts another session of an admin, in another browser. */
export async function anotherSession(
  services: Services,
  email = 'owner@firm.example',
  userAgent = 'curl/8.5.0',
): Promise<{ authorization: string }> {
  const request = new Request('http://site.test', { headers: { 'user-agent': userAgent } });
  const { token } = await startSession(email, request, services);
  return { authorization: `Bearer ${token}` };
}
