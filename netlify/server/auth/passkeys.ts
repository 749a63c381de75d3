import { createHash } from 'node:crypto';
import type { WebAuthnCredential } from '@simplewebauthn/server';
import { clientName } from '../../../src/domain/account.ts';
import type { NewPasskey, PasskeyAnswer, PasskeyRecord } from '../../../src/domain/passkey.ts';
import { site } from '../../../src/site.config.ts';
import { Refusal } from '../runtime/refusal.ts';
import { logInfo } from '../runtime/log.ts';
import type { Services } from '../services.ts';
import type { StoredPasskey } from '../stores/passkeys.ts';

/** The time that a browser has to respond to a challenge. */
const patienceMs = 5 * 60_000;
/** ES256, RS256 and EdDSA, as COSE algorithm numbers. Authenticators support at least one of them. */
const algorithms = [-7, -257, -8];

/** Returns the options for creating an admin's passkey in the browser. */
export async function beginRegistration(email: string, request: Request, services: Services): Promise<object> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const passkeys = await services.stores.passkeys.listOf(email);
  const options = await generateRegistrationOptions({
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
  await services.stores.passkeys.openChallenge(options.challenge, email, deadline(services));
  return options;
}

/**
 * Stores the passkey that a browser created.
 * @throws {Refusal} `invalid_input` if the response belongs to no challenge of this admin, or the passkey was created
 * for another site.
 */
export async function register(
  email: string,
  answer: NewPasskey,
  request: Request,
  services: Services,
): Promise<PasskeyRecord> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { stores, now } = services;
  const at = now().toISOString();
  const { origin, hostname } = siteAddressOf(request, services);
  const verified = await verifyRegistrationResponse({
    // The library's type lists the known transports, but browsers may report newer ones.
    response: answer as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: (challenge) => stores.passkeys.takeChallenge(challenge, email, at),
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => ({ verified: false as const }));
  if (!verified.verified || (await stores.passkeys.get(verified.registrationInfo.credential.id))) {
    throw new Refusal('invalid_input', 'This passkey could not be added. Please try again.');
  }
  const { credential } = verified.registrationInfo;
  const passkey = {
    id: credential.id,
    name: clientName(request.headers.get('user-agent') ?? ''),
    createdAt: at,
  };
  await stores.passkeys.create({
    ...passkey,
    email,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: answer.response.transports ?? [],
  });
  return { ...passkey, usedAt: null };
}

/** Returns the options for signing in with any passkey of this site. The passkey names its admin. */
export async function beginPasskeySignIn(request: Request, services: Services): Promise<object> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: siteAddressOf(request, services).hostname,
    timeout: patienceMs,
    userVerification: 'required',
  });
  await services.stores.passkeys.openChallenge(options.challenge, null, deadline(services));
  return options;
}

/**
 * Checks a passkey's response to a challenge.
 * @returns the email address of the passkey's admin.
 * @throws {Refusal} `unauthorized` for an unknown passkey, or a response that is invalid or expired.
 */
export async function checkPasskey(answer: PasskeyAnswer, request: Request, services: Services): Promise<string> {
  const { stores, now } = services;
  const passkey = await stores.passkeys.get(answer.id);
  if (!passkey) {
    throw new Refusal(
      'unauthorized',
      'This site does not know this passkey. Sign in with your password and add the passkey again.',
    );
  }
  const counter = await verifiedCounter(answer, passkey, request, services);
  if (counter === null) {
    throw new Refusal('unauthorized', 'This passkey could not be checked. Please try again.');
  }
  await stores.passkeys.used(passkey.id, counter, now().toISOString());
  return passkey.email;
}

async function verifiedCounter(
  answer: PasskeyAnswer,
  passkey: StoredPasskey,
  request: Request,
  services: Services,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { stores, now } = services;
  const { origin, hostname } = siteAddressOf(request, services);
  const credential: WebAuthnCredential = {
    id: passkey.id,
    publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
    counter: passkey.counter,
    transports: [...passkey.transports],
  };
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: (challenge) => stores.passkeys.takeChallenge(challenge, null, now().toISOString()),
      expectedOrigin: origin,
      expectedRPID: hostname,
      credential,
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    logInfo('refused a passkey', { reason: error instanceof Error ? error.message : 'unknown' });
    return null;
  }
}

/**
 * Returns the site's URL as the browser sees it, because passkeys belong to its host name and responses name its
 * origin. Uses `SITE_URL` if set, otherwise the URL of the request. A visitor who forges the request's headers only
 * affects their own request.
 */
function siteAddressOf(request: Request, { env }: Services): { origin: string; hostname: string } {
  return new URL(env.SITE_URL ?? request.url);
}

function deadline({ now }: Services): string {
  return new Date(now().getTime() + patienceMs).toISOString();
}
