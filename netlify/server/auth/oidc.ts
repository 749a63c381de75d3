import type * as OpenIdClient from 'openid-client';
import * as z from 'zod/mini';
import { adminHome, returnPath } from '../../../src/domain/session.ts';
import type { Env } from '../env.ts';
import { isSecure } from '../http/cookies.ts';
import { seeOther } from '../http/respond.ts';
import { logError, logInfo } from '../log.ts';
import type { Services } from '../services.ts';
import { findTransaction, forgetTransaction, keepTransaction, type OidcTransaction } from './oidc-transaction.ts';
import { startSession } from './sessions.ts';
import { signInAddress, signInPage } from './sign-in-page.ts';

/** Where the provider sends people back to; an owner registers it there with the site's address before it. */
const callbackPath = '/api/login/callback';
/** All that the site waits for the provider in one request, in milliseconds. */
const patience = 10_000;

/**
 * Why a sign-in through the provider was refused. The sign-in page has a sentence for each under the fragment
 * `#oidc-{refusal}`; nothing of what the provider said gets there.
 */
type OidcRefusal = 'denied' | 'expired' | 'not-allowed' | 'unavailable';

type Outcome = { readonly email: string } | { readonly refusal: OidcRefusal };

interface Provider {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly allowed: readonly string[];
}

interface Call {
  readonly request: Request;
  readonly requestId: string;
  readonly services: Services;
  readonly record: (action: string, subject: string, who: string) => void;
}

/**
 * Answers `GET /api/login`: on to the OpenID provider where one is configured, else to the sign-in page.
 * The page that was wanted comes as `?returnTo=`.
 */
export async function beginSignIn({ request, requestId, services }: Omit<Call, 'record'>): Promise<Response> {
  const returnTo = returnPath(new URL(request.url).searchParams.get('returnTo'));
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
    };
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: callbackAddress(request, services.env).href,
      scope: 'openid email',
      state: transaction.state,
      nonce: transaction.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(transaction.codeVerifier),
      code_challenge_method: 'S256',
    });
    return seeOther(address.href, { 'set-cookie': await keepTransaction(transaction, request, services) });
  } catch (error) {
    logError('the OpenID provider cannot be asked', { requestId }, error);
    return seeOther(signInAddress(returnTo, 'oidc-unavailable'));
  }
}

/**
 * Answers `GET /api/login/callback`, where the provider sends people back to: a session for an address that the provider
 * vouches for and the owner allows, else the sign-in page with the reason. The transaction is forgotten either way.
 */
export async function finishSignIn({ request, requestId, services, record }: Call): Promise<Response> {
  const provider = providerOf(services.env);
  if (!provider) return seeOther(signInPage);
  const state = new URL(request.url).searchParams.get('state') ?? '';
  const named = /^[\w-]{43}$/.test(state);
  const transaction = named ? await findTransaction(state, request, services) : null;
  const outcome: Outcome = transaction
    ? await identify(provider, transaction, { request, requestId, services })
    : { refusal: 'expired' };

  const returnTo = transaction?.returnTo ?? adminHome;
  let response: Response;
  if ('refusal' in outcome) {
    response = seeOther(signInAddress(returnTo, `oidc-${outcome.refusal}`));
  } else {
    const email = await services.stores.admins.ensure(outcome.email, services.now().toISOString());
    const { cookie } = await startSession(email, request, services);
    record('signed in', 'with a company account', email);
    response = seeOther(returnTo, { 'set-cookie': cookie });
  }
  if (named) response.headers.append('set-cookie', forgetTransaction(state, request, services));
  return response;
}

/** Exchanges the code that came back, and names the person whom it stands for. */
async function identify(
  provider: Provider,
  transaction: OidcTransaction,
  { request, requestId, services: { env } }: Omit<Call, 'record'>,
): Promise<Outcome> {
  const client = await import('openid-client');
  const callback = callbackAddress(request, env);
  callback.search = new URL(request.url).search;
  let claims: unknown;
  try {
    claims = await exchange(client, provider, transaction, callback);
  } catch (error) {
    const code = codeOf(client, error);
    if (error instanceof client.AuthorizationResponseError && code === 'access_denied') return { refusal: 'denied' };
    // The code was used before, or lay about for too long.
    if (error instanceof client.ResponseBodyError && code === 'invalid_grant') return { refusal: 'expired' };
    logError('the OpenID provider did not sign anybody in', { requestId, ...(code && { code }) }, error);
    return { refusal: 'unavailable' };
  }
  const vouched = vouchedClaims.safeParse(claims);
  if (!vouched.success) {
    logInfo('refused a sign-in', { requestId, reason: 'the provider vouches for no e-mail address' });
    return { refusal: 'not-allowed' };
  }
  const email = vouched.data.email.toLowerCase();
  if (!provider.allowed.includes(email) && !provider.allowed.includes(email.slice(email.lastIndexOf('@')))) {
    logInfo('refused a sign-in', { requestId, reason: 'the e-mail address is not in OIDC_ALLOWED_EMAILS' });
    return { refusal: 'not-allowed' };
  }
  return { email };
}

/** Some providers say nothing of verification, and some say it in a string; what is not certain is not verified. */
const vouchedClaims = z.object({
  email: z.email(),
  email_verified: z.optional(z.union([z.literal(true), z.literal('true')])),
});

/** The claims of the id_token, or of the userinfo endpoint where the id_token has no address. */
async function exchange(
  client: typeof OpenIdClient,
  provider: Provider,
  { state, nonce, codeVerifier }: OidcTransaction,
  callback: URL,
): Promise<unknown> {
  const { clientSecret } = provider;
  let authenticate = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret);
  const config = await discover(client, provider, (...request) => authenticate(...request));
  // Without this the token would be believed for the connection that it came by.
  client.enableNonRepudiationChecks(config);
  const grant = () =>
    client.authorizationCodeGrant(config, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
  const tokens = await grant().catch((error: unknown) => {
    // Providers hold a client to one way of sending its secret, and their metadata do not say to which.
    if (clientSecret === undefined || codeOf(client, error) !== 'invalid_client') throw error;
    authenticate = client.ClientSecretPost(clientSecret);
    return grant();
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('The provider sent no id_token.');
  return claims.email === undefined ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : claims;
}

/** Reads the provider's metadata. The time that is left of {@link patience} goes on to all that is asked by them. */
async function discover(
  client: typeof OpenIdClient,
  { issuer, clientId }: Provider,
  authenticate?: OpenIdClient.ClientAuth,
): Promise<OpenIdClient.Configuration> {
  const signal = AbortSignal.timeout(patience);
  return await client.discovery(issuer, clientId, undefined, authenticate ?? client.None(), {
    // The two declare the same bodies under types that do not meet.
    [client.customFetch]: (url, options) => fetch(url, { ...options, signal } as RequestInit),
    // The environment takes such an issuer on this machine alone.
    execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
  });
}

/** The provider's own code for an error, where it gave one in the form of such codes. */
function codeOf(client: typeof OpenIdClient, error: unknown): string | null {
  // What an endpoint answers to credentials in a header that it does not take; most give no code with it.
  if (error instanceof client.WWWAuthenticateChallengeError) {
    return error.cause.some(({ scheme }) => scheme === 'bearer') ? 'invalid_token' : 'invalid_client';
  }
  const stated = error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError;
  return stated && /^[a-z_]{1,40}$/.test(error.error) ? error.error : null;
}

function providerOf({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ALLOWED_EMAILS }: Env): Provider | null {
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_ALLOWED_EMAILS) return null;
  return {
    issuer: new URL(OIDC_ISSUER),
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    allowed: OIDC_ALLOWED_EMAILS,
  };
}

function callbackAddress(request: Request, env: Env): URL {
  const { host } = new URL(request.url);
  return new URL(callbackPath, env.SITE_URL ?? `${isSecure(request, env) ? 'https' : 'http'}://${host}`);
}
