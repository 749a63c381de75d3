import type * as OpenIdClient from 'openid-client';
import * as z from 'zod/mini';
import { adminHome, returnPath } from '../../../src/domain/session.ts';
import type { Env } from '../runtime/env.ts';
import { isSecure, withCookies } from '../http/cookies.ts';
import { seeOther } from '../http/respond.ts';
import { logError, logInfo } from '../runtime/log.ts';
import type { Services } from '../services.ts';
import type { Identity } from '../stores/identities.ts';
import { tellAdmin, tellOfNewAdmin } from './account-notices.ts';
import { completeSignIn } from './sign-in.ts';
import { findTransaction, forgetTransaction, keepTransaction, type OidcTransaction } from './oidc-transaction.ts';
import { currentSession, isFresh } from './sessions.ts';
import { signInAddress, signInPage } from './sign-in-page.ts';

/** The provider redirects to this path. The owner registers it at the provider as a full URL of the site. */
const callbackPath = '/api/login/callback';
/** The longest time that one request spends on calls to the provider, in milliseconds. */
const patience = 10_000;

/**
 * The reason for refusing a sign-in through the provider. The sign-in page shows a message for each fragment
 * `#oidc-{refusal}`. The fragment never contains text from the provider.
 */
type OidcRefusal = 'denied' | 'expired' | 'not-allowed' | 'unavailable' | 'not-fresh' | 'connect' | 'another-account';

interface Refused {
  readonly refusal: OidcRefusal;
}

/** A person who signed in at the provider, with a verified email address that the owner allows. */
interface Person {
  readonly email: string;
  readonly identity: Identity;
  /** When the person signed in at the provider, in seconds since 1970; null if the provider does not say. */
  readonly authTime: number | null;
}

interface Provider {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly allowed: readonly string[];
  readonly assumeVerified: boolean;
}

interface Call {
  readonly request: Request;
  readonly requestId: string;
  readonly services: Services;
  readonly record: (action: string, subject: string, who: string) => void;
}

/**
 * Answers `GET /api/login`: redirects to the OpenID provider if one is configured, otherwise to the sign-in page. The
 * query parameter `returnTo` names the page to open afterward. With `?fresh=1` the provider makes the person sign in
 * again.
 */
export async function beginSignIn({ request, requestId, services }: Omit<Call, 'record'>): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const returnTo = returnPath(searchParams.get('returnTo'));
  const fresh = searchParams.get('fresh') === '1';
  const provider = providerOf(services.env);
  if (!provider) return seeOther(signInAddress(returnTo));
  try {
    const client = await import('openid-client');
    const config = await discover(client, provider);
    const transaction: OidcTransaction = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
      returnTo,
      fresh,
    };
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: callbackAddress(request, services.env).href,
      scope: 'openid email',
      state: transaction.state,
      nonce: transaction.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(transaction.codeVerifier),
      code_challenge_method: 'S256',
      ...(fresh && { prompt: 'login', max_age: '0' }),
    });
    return seeOther(address.href, { 'set-cookie': await keepTransaction(transaction, request, services) });
  } catch (error) {
    logError('OpenID provider not reached', { requestId }, error);
    return seeOther(signInAddress(returnTo, 'oidc-unavailable'));
  }
}

/**
 * Answers `GET /api/login/callback`, to which the provider redirects. Starts a session if the owner allows the verified
 * email address; otherwise redirects to the sign-in page with the reason. In both cases, deletes the cookie with the
 * state of this sign-in (`oidc-transaction.ts`).
 */
export async function finishSignIn({ request, requestId, services, record }: Call): Promise<Response> {
  const provider = providerOf(services.env);
  if (!provider) return seeOther(signInPage);
  const state = new URL(request.url).searchParams.get('state') ?? '';
  const named = /^[\w-]{43}$/.test(state);
  const transaction = named ? await findTransaction(state, request, services) : null;
  const outcome = transaction
    ? await admit(provider, transaction, { request, requestId, services })
    : ({ refusal: 'expired' } as const);

  const returnTo = transaction?.returnTo ?? adminHome;
  let response: Response;
  if ('refusal' in outcome) {
    const { refusal } = outcome;
    // The person must first sign in with the account's password. The sign-in page then opens `/api/login`, so a second
    // sign-in at the provider connects the two accounts.
    const wanted = refusal === 'connect' ? `/api/login?returnTo=${encodeURIComponent(returnTo)}` : returnTo;
    response = seeOther(signInAddress(wanted, `oidc-${refusal}`));
  } else {
    const { email, freshAt } = outcome;
    const { cookies } = await completeSignIn(email, request, services, { freshAt });
    record('signed in', 'with a company account', email);
    response = withCookies(seeOther(returnTo), cookies);
  }
  if (named) response.headers.append('set-cookie', forgetTransaction(state, request, services));
  return response;
}

/** Exchanges the authorization code for the admin's email address and the time of the sign-in at the provider. */
async function admit(
  provider: Provider,
  transaction: OidcTransaction,
  call: Omit<Call, 'record'>,
): Promise<{ email: string; freshAt: string } | Refused> {
  const person = await identify(provider, transaction, call);
  if ('refusal' in person) return person;
  const now = call.services.now();
  const freshAt = signedInAt(person, transaction, now);
  if (transaction.fresh && !isFresh({ freshAt }, now)) return { refusal: 'not-fresh' };
  const account = await accountOf(person, call);
  return 'refusal' in account ? account : { ...account, freshAt };
}

/**
 * Returns when the person signed in at the provider; empty if unknown. If this site asked for a new sign-in and the
 * provider does not state the time, the sign-in counts as new.
 */
function signedInAt({ authTime }: Person, { fresh }: OidcTransaction, now: Date): string {
  if (authTime !== null) return new Date(Math.min(authTime * 1000, now.getTime())).toISOString();
  return fresh ? now.toISOString() : '';
}

/**
 * Returns the admin whose account a person may use. The first sign-in stores the provider's id for the person (`sub`)
 * with the account. Later sign-ins find the account by this id, because an email address can be reassigned to another
 * person and an id cannot.
 *
 * If the account has a password, a matching email address is not enough for the first sign-in. The admin must have just
 * signed in with the password in the same browser. An account without a password was created by an earlier sign-in at
 * the provider, so its email address is enough.
 */
async function accountOf(
  { email, identity }: Person,
  { request, requestId, services }: Omit<Call, 'record'>,
): Promise<{ email: string } | Refused> {
  const { stores, now } = services;
  const at = now();
  const connected = await stores.identities.emailOf(identity);
  if (connected !== null) return { email: connected };
  const refused = (refusal: OidcRefusal, reason: string): Refused => {
    logInfo('refused a sign-in', { requestId, reason });
    return { refusal };
  };
  const admin = await stores.admins.get(email);
  if (admin?.passwordHash) {
    const session = await currentSession(request, services);
    if (session?.email !== admin.email || !isFresh(session, at)) {
      return refused('connect', 'the account has a password and is not connected to a company account yet');
    }
  }
  const stored = await stores.admins.ensure(email, at.toISOString());
  if (!(await stores.identities.create(identity, stored, at.toISOString()))) {
    return refused('another-account', 'the account is connected to another company account');
  }
  if (!admin) await tellOfNewAdmin(stored, request, services);
  else if (admin.passwordHash) await tellAdmin(stored, 'company-account-connected', request, services);
  return { email: stored };
}

/** Exchanges the authorization code for the person's identity at the provider. */
async function identify(
  provider: Provider,
  transaction: OidcTransaction,
  { request, requestId, services: { env } }: Omit<Call, 'record'>,
): Promise<Person | Refused> {
  const client = await import('openid-client');
  const callback = callbackAddress(request, env);
  callback.search = new URL(request.url).search;
  let claims: unknown;
  try {
    claims = await exchange(client, provider, transaction, callback);
  } catch (error) {
    const code = codeOf(client, error);
    if (error instanceof client.AuthorizationResponseError && code === 'access_denied') return { refusal: 'denied' };
    // The authorization code was already used, or it has expired.
    if (error instanceof client.ResponseBodyError && code === 'invalid_grant') return { refusal: 'expired' };
    logError('the sign-in at the OpenID provider failed', { requestId, ...(code && { code }) }, error);
    return { refusal: 'unavailable' };
  }
  const vouched = (provider.assumeVerified ? assumedClaims : verifiedClaims).safeParse(claims);
  if (!vouched.success) {
    logInfo('refused a sign-in', { requestId, reason: 'the provider did not send a verified email address' });
    return { refusal: 'not-allowed' };
  }
  const email = vouched.data.email.toLowerCase();
  if (!provider.allowed.includes(email) && !provider.allowed.includes(email.slice(email.lastIndexOf('@')))) {
    logInfo('refused a sign-in', { requestId, reason: 'the email address is not in OIDC_ALLOWED_EMAILS' });
    return { refusal: 'not-allowed' };
  }
  const { iss: issuer, sub: subject, auth_time: authTime = null } = vouched.data;
  return { email, identity: { issuer, subject }, authTime };
}

/** Some providers send `email_verified` as a string. */
const isVerified = z.union([z.literal(true), z.literal('true')]);

/** The claims that are required by default. The provider must state that it verified the email address. */
const verifiedClaims = z.object({
  iss: z.string(),
  sub: z.string(),
  auth_time: z.optional(z.number()),
  email: z.email(),
  email_verified: isVerified,
});

/**
 * The claims that are required with `OIDC_ASSUME_EMAIL_VERIFIED=on`. The claim `email_verified` may be missing, but a
 * sign-in with the value false is still refused.
 */
const assumedClaims = z.extend(verifiedClaims, { email_verified: z.optional(isVerified) });

/** Returns the claims of the id_token. If the email address is missing, adds the claims of the userinfo endpoint. */
async function exchange(
  client: typeof OpenIdClient,
  provider: Provider,
  { state, nonce, codeVerifier }: OidcTransaction,
  callback: URL,
): Promise<unknown> {
  const { clientSecret } = provider;
  let authenticate = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret);
  const config = await discover(client, provider, (...request) => authenticate(...request));
  // By default the library trusts the TLS connection and does not check the token's signature.
  client.enableNonRepudiationChecks(config);
  const grant = () =>
    client.authorizationCodeGrant(config, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
  const tokens = await grant().catch((error: unknown) => {
    // Some providers accept the client secret only in the request body, and their metadata may not say so.
    if (clientSecret === undefined || codeOf(client, error) !== 'invalid_client') throw error;
    authenticate = client.ClientSecretPost(clientSecret);
    return grant();
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('The provider sent no id_token.');
  if (claims.email !== undefined) return claims;
  return { ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
}

/**
 * Reads the provider's metadata. This request and all later requests with the returned configuration have
 * {@link patience} milliseconds together.
 */
async function discover(
  client: typeof OpenIdClient,
  { issuer, clientId }: Provider,
  authenticate?: OpenIdClient.ClientAuth,
): Promise<OpenIdClient.Configuration> {
  const signal = AbortSignal.timeout(patience);
  return await client.discovery(issuer, clientId, undefined, authenticate ?? client.None(), {
    // openid-client and `fetch` declare the same request bodies with incompatible types.
    [client.customFetch]: (url, options) => fetch(url, { ...options, signal } as RequestInit),
    // `env.ts` allows an http issuer only on this machine.
    execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
  });
}

/** Returns the provider's error code; null if the error has none. */
function codeOf(client: typeof OpenIdClient, error: unknown): string | null {
  // A 401 response often has no error code in its body, so the `WWW-Authenticate` header decides. `Bearer` means that
  // the userinfo endpoint rejected the access token. Otherwise the token endpoint rejected the client's credentials.
  if (error instanceof client.WWWAuthenticateChallengeError) {
    return error.cause.some(({ scheme }) => scheme === 'bearer') ? 'invalid_token' : 'invalid_client';
  }
  const stated = error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError;
  return stated && /^[a-z_]{1,40}$/.test(error.error) ? error.error : null;
}

function providerOf(env: Env): Provider | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ALLOWED_EMAILS } = env;
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_ALLOWED_EMAILS) return null;
  return {
    issuer: new URL(OIDC_ISSUER),
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    allowed: OIDC_ALLOWED_EMAILS,
    assumeVerified: env.OIDC_ASSUME_EMAIL_VERIFIED === 'on',
  };
}

function callbackAddress(request: Request, env: Env): URL {
  const { host } = new URL(request.url);
  return new URL(callbackPath, env.SITE_URL ?? `${isSecure(request, env) ? 'https' : 'http'}://${host}`);
}
