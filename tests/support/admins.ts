import { startSession } from '../../netlify/server/auth/sessions.ts';
import type { Services } from '../../netlify/server/services.ts';

/**
 * Makes an admin and signs them in, without the cost of a password.
 * @param given the hash of a password, where the test signs in with one too.
 * @returns headers that carry the session as a client with a bearer token sends it.
 */
export async function signedInAdmin(
  services: Services,
  email = 'owner@firm.example',
  given = 'no hash',
): Promise<{ authorization: string }> {
  await services.stores.admins.create({ email, passwordHash: given }, services.now().toISOString());
  return await anotherSession(services, email);
}

/** One more session of an admin, in another browser. */
export async function anotherSession(
  services: Services,
  email = 'owner@firm.example',
  userAgent = 'curl/8.5.0',
): Promise<{ authorization: string }> {
  const request = new Request('http://site.test', { headers: { 'user-agent': userAgent } });
  const { token } = await startSession(email, request, services);
  return { authorization: `Bearer ${token}` };
}
