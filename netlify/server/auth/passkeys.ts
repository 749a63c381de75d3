import { createHash, randomUUID } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as z from 'zod/mini';
import { clientName, type PasskeyAnswer } from '../../../src/domain/account/account.ts';
import { site } from '../../../src/site.config.ts';
import { logInfo } from '../log.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import type { StoredPasskey } from './store.ts';
import { readToken, signToken } from './tokens.ts';

/** The time that a browser has to respond to a challenge. */
const patienceMs = 5 * 60_000;
/** ES256, RS256 and EdDSA, as COSE algorithm numbers. Authenticators support at least one of them. */
const algorithms = [-7, -257, -8];

/** Returns the options for creating an admin's passkey in the browser. */
export async function beginRegistration(email: string, request: Request, services: Services): Promise<object> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const passkeys = await services.stores.passkeys.listOf(email);
  return await generateRegistrationOptions({
    challenge: await signToken('new passkey', { sub: email, jti: randomUUID() }, patienceMs, services),
    rpName: site.name,
    rpID: siteAddressOf(request, services).hostname,
    userName: email,
    // All passkeys of an admin share this user id. It is a hash, so the email address does not appear in plain text.
    userID: new Uint8Array(createHash('sha256').update(email.toLowerCase()).digest()),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    timeout: patienceMs,
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * Checks the passkey that a browser created.
 * @returns the passkey to store.
 * @throws {Refusal} `invalid_input` if the response belongs to no challenge of this admin, or the passkey was created
 * for another site.
 */
export async function checkNewPasskey(
  email: string,
  answer: PasskeyAnswer,
  request: Request,
  services: Services,
): Promise<StoredPasskey> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { passkeys } = services.stores;
  const { registrationInfo } = await verifyRegistrationResponse({
    response: answer as unknown as RegistrationResponseJSON,
    supportedAlgorithmIDs: algorithms,
    ...expectationsOf('new passkey', email, request, services),
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo || (await passkeys.get(registrationInfo.credential.id))) {
    throw new Refusal('invalid_input', 'This passkey could not be added. Please try again.');
  }
  const { id, publicKey, counter } = registrationInfo.credential;
  return {
    id,
    email,
    name: clientName(request.headers.get('user-agent') ?? ''),
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    createdAt: services.now().toISOString(),
  };
}

/** Returns the options for signing in with any passkey of this site. The passkey names its admin. */
export async function beginPasskeySignIn(request: Request, services: Services): Promise<object> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return await generateAuthenticationOptions({
    // A signed token, so nothing is stored for everyone who requests a challenge.
    challenge: await signToken('passkey sign-in', { sub: '', jti: randomUUID() }, patienceMs, services),
    rpID: siteAddressOf(request, services).hostname,
    timeout: patienceMs,
    userVerification: 'required',
  });
}

/**
 * Checks a passkey's response to a challenge.
 * @returns the email address of the passkey's admin.
 * @throws {Refusal} `unauthorized` for an unknown passkey, or a response that is invalid or expired.
 */
export async function checkPasskey(answer: PasskeyAnswer, request: Request, services: Services): Promise<string> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { passkeys } = services.stores;
  const passkey = await passkeys.get(answer.id);
  if (!passkey) {
    throw new Refusal(
      'unauthorized',
      'This site does not know this passkey. Sign in with your password and add the passkey again.',
    );
  }
  const { id, email, publicKey, counter } = passkey;
  const checked = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
    ...expectationsOf('passkey sign-in', '', request, services),
  }).catch((error: unknown) => {
    logInfo('refused a passkey', { reason: error instanceof Error ? error.message : 'unknown' });
    return null;
  });
  if (!checked?.verified) throw new Refusal('unauthorized', 'This passkey could not be checked. Please try again.');
  await passkeys.used(id, checked.authenticationInfo.newCounter, services.now().toISOString());
  return email;
}

/** Returns what a valid response has: the origin of this site, and an unexpired challenge that no response had before. */
function expectationsOf(
  purpose: 'new passkey' | 'passkey sign-in',
  email: string,
  request: Request,
  services: Services,
) {
  const { stores, now } = services;
  const { origin, hostname } = siteAddressOf(request, services);
  return {
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: true,
    expectedChallenge: async (challenge: string): Promise<boolean> => {
      const token = Buffer.from(challenge, 'base64url').toString();
      const claims = await readToken(purpose, token, z.object({ sub: z.literal(email), jti: z.string() }), services);
      if (!claims) return false;
      return (await stores.signInTries.count(claims.jti, patienceMs, now())).count === 1;
    },
  };
}

/**
 * Returns the site's URL as the browser sees it, because passkeys belong to its host name and responses name its
 * origin. Uses `SITE_URL` if set, otherwise the URL of the request. A visitor who forges the request's headers only
 * affects their own request.
 */
function siteAddressOf(request: Request, { env }: Services): { origin: string; hostname: string } {
  return new URL(env.SITE_URL ?? request.url);
}
