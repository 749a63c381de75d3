import type * as OpenIdClient from 'openid-client';
import * as z from 'zod/mini';
import { adminHome, returnPath, signInPage } from '../../../src/domain/account/session.ts';
import { siteCookie, withCookies } from '../http/cookies.ts';
import { seeOther } from '../http/respond.ts';
import type { Env } from '../env.ts';
import { logError, logInfo } from '../log.ts';
import { tellAdmin } from './notices.ts';
import { currentSession, isFresh, signInAddress } from './sessions.ts';
import { type SignInCall, signInAnswer } from './sign-in.ts';
import type { Identity } from './store.ts';
import { readToken, signToken } from './tokens.ts';

/** The provider redirects to this path. The owner registers it at the provider as a full URL of the site. */
const callbackPath = '/api/login/callback';
/** The longest time that one request spends on calls to the provider, in milliseconds. */
const patienceMs = 10_000;
/** The time that a person has to sign in at the provider. */
const lifetimeSeconds = 10 * 60;

/** The state of a sign-in while the person is at the provider, in a signed cookie. */
const transaction = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  /** True if the provider was asked to make the person sign in again, even if they were already signed in there. */
  fresh: z.boolean(),
});
type Transaction = z.infer<typeof transaction>;

// Each transaction has its own cookie, so several tabs can sign in at the same time.
const cookieFor = (state: string) => siteCookie(`oidc-${state.slice(0, 8)}`);

/**
 * Refuses a sign-in through the provider. The sign-in page shows a message for each fragment `#oidc-{reason}`. The
 * fragment never contains text from the provider.
 */
class OidcRefusal extends Error {
  readonly reason: 'denied' | 'expired' | 'not-allowed' | 'unavailable' | 'not-fresh' | 'connect' | 'another-account';

  /** @param explanation for the log; by default nothing is logged. */
  constructor(reason: OidcRefusal['reason'], explanation = '') {
    super(explanation);
    this.reason = reason;
  }
}

/**
 * Answers `GET /api/login`: redirects to the OpenID provider if one is configured, otherwise to the sign-in page. The
 * query parameter `returnTo` names the page to open afterward. With `?fresh=1` the provider makes the person sign in
 * again.
 */
export async function beginSignIn({ request, requestId, services }: SignInCall): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const returnTo = returnPath(searchParams.get('returnTo'));
  const fresh = searchParams.get('fresh') === '1';
  if (!services.env.OIDC_ISSUER) return seeOther(signInAddress(returnTo));
  try {
    const client = await import('openid-client');
    const config = await discover(client, services.env);
    const begun: Transaction = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
      returnTo,
      fresh,
    };
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: callbackAddress(request, services.env).href,
      scope: 'openid email',
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(begun.codeVerifier),
      code_challenge_method: 'S256',
      ...(fresh && { prompt: 'login', max_age: '0' }),
    });
    const token = await signToken('company sign-in', begun, lifetimeSeconds * 1000, services);
    const cookie = cookieFor(begun.state).write(token, lifetimeSeconds, request, services.env);
    return seeOther(address.href, { 'set-cookie': cookie });
  } catch (error) {
    logError('OpenID provider not reached', { requestId }, error);
    return seeOther(signInAddress(returnTo, 'oidc-unavailable'));
  }
}

/**
 * Answers `GET /api/login/callback`, to which the provider redirects. Starts a session if the owner allows the verified
 * email address; otherwise redirects to the sign-in page with the reason. In both cases, deletes the cookie with the
 * state of this sign-in.
 */
export async function finishSignIn(call: SignInCall): Promise<Response> {
  const { request, requestId, services } = call;
  if (!services.env.OIDC_ISSUER) return seeOther(signInPage);
  const given = new URL(request.url).searchParams.get('state') ?? '';
  const state = /^[\w-]{43}$/.test(given) ? given : null;
  const token = state && cookieFor(state).read(request, services.env);
  const begun = await readToken('company sign-in', token, transaction, services);
  const returnTo = begun?.returnTo ?? adminHome;
  let response: Response;
  try {
    if (begun?.state !== state || !begun) throw new OidcRefusal('expired');
    const { email, freshAt } = await admit(begun, call);
    response = await signInAnswer(email, 'signed in with a company account', call, { returnTo, freshAt });
  } catch (error) {
    if (!(error instanceof OidcRefusal)) throw error;
    if (error.message) logInfo('refused a sign-in', { requestId, reason: error.message });
    // The person must first sign in with the account's password or passkey. The sign-in page then opens `/api/login`, so a second
    // sign-in at the provider connects the two accounts.
    const wanted = error.reason === 'connect' ? `/api/login?returnTo=${encodeURIComponent(returnTo)}` : returnTo;
    response = seeOther(signInAddress(wanted, `oidc-${error.reason}`));
  }
  return state ? withCookies(response, [cookieFor(state).write('', 0, request, services.env)]) : response;
}

/** Exchanges the authorization code for the admin's email address and the time of the sign-in at the provider. */
async function admit(begun: Transaction, call: SignInCall): Promise<{ email: string; freshAt: string }> {
  const now = call.services.now();
  const { OIDC_ALLOWED_EMAILS: allowed = [], OIDC_ASSUME_EMAIL_VERIFIED } = call.services.env;
  const { data: claims } = neededClaims.safeParse(await exchange(begun, call));
  if (!claims || !(claims.email_verified ?? OIDC_ASSUME_EMAIL_VERIFIED === 'on')) {
    throw new OidcRefusal('not-allowed', 'the provider did not send a verified email address');
  }
  const { iss: issuer, sub: subject, auth_time: authTime } = claims;
  const email = claims.email.toLowerCase();
  if (!allowed.includes(email) && !allowed.includes(email.slice(email.lastIndexOf('@')))) {
    throw new OidcRefusal('not-allowed', 'the email address is not in OIDC_ALLOWED_EMAILS');
  }
  // If this site asked for a new sign-in and the provider does not state the time, the sign-in counts as new.
  const signedInAt = authTime === undefined ? (begun.fresh ? now : null) : new Date(authTime * 1000);
  const freshAt = signedInAt ? new Date(Math.min(signedInAt.getTime(), now.getTime())).toISOString() : '';
  if (begun.fresh && !isFresh({ freshAt }, now)) throw new OidcRefusal('not-fresh');
  return { email: await accountOf(email, { issuer, subject }, call), freshAt };
}

/**
 * Returns the admin whose account a person may use. The first sign-in stores the provider's id for the person (`sub`)
 * with the account. Later sign-ins find the account by this id, because an email address can be reassigned to another
 * person and an id cannot.
 *
 * If the account has a password or a passkey, a matching email address is not enough for the first sign-in. The admin
 * must have just signed in with it in the same browser. Any other account was created by an earlier sign-in at the
 * provider, so its email address is enough.
 */
async function accountOf(email: string, identity: Identity, { request, services }: SignInCall): Promise<string> {
  const { stores, now } = services;
  const at = now();
  const connected = await stores.identities.emailOf(identity);
  if (connected !== null) return connected;
  const admin = await stores.admins.get(email);
  const hasOwnSignIn = admin && (admin.passwordHash ?? (await stores.passkeys.listOf(admin.email)).length > 0);
  if (hasOwnSignIn) {
    const session = await currentSession(request, services);
    if (session?.email !== admin.email || !isFresh(session, at)) {
      throw new OidcRefusal('connect', 'the account has its own sign-in and is not connected to a company account yet');
    }
  }
  const stored = await stores.admins.ensure(email, at.toISOString());
  if (!(await stores.identities.create(identity, stored, at.toISOString()))) {
    throw new OidcRefusal('another-account', 'the account is connected to another company account');
  }
  if (!admin) await tellAdmin(stored, 'new-admin', request, services);
  else if (hasOwnSignIn) await tellAdmin(stored, 'company-account-connected', request, services);
  return stored;
}

/** The claims that a sign-in needs. Some providers send `email_verified` as a string, and some not at all. */
const neededClaims = z.object({
  iss: z.string(),
  sub: z.string(),
  auth_time: z.optional(z.number()),
  email: z.email(),
  email_verified: z.optional(z.union([z.literal(true), z.literal('true')])),
});

/**
 * Exchanges the authorization code for the claims of the id_token. If the email address is missing, adds the claims of
 * the userinfo endpoint.
 */
async function exchange(begun: Transaction, { request, requestId, services }: SignInCall) {
  const client = await import('openid-client');
  const callback = callbackAddress(request, services.env);
  callback.search = new URL(request.url).search;
  try {
    const config = await discover(client, services.env);
    // By default the library trusts the TLS connection and does not check the token's signature.
    client.enableNonRepudiationChecks(config);
    const tokens = await client.authorizationCodeGrant(config, callback, {
      expectedState: begun.state,
      expectedNonce: begun.nonce,
      pkceCodeVerifier: begun.codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims?.email !== undefined) return claims;
    return { ...(await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '')), ...claims };
  } catch (error) {
    const isStated = error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError;
    // A 401 response has no error code in its body. It means that the provider refused the client's id or secret.
    const isChallenge = error instanceof client.WWWAuthenticateChallengeError;
    const stated = isStated ? error.error : isChallenge ? 'invalid_client' : '';
    if (stated === 'access_denied') throw new OidcRefusal('denied');
    // The authorization code was already used, or it has expired.
    if (stated === 'invalid_grant') throw new OidcRefusal('expired');
    const code = /^[a-z_]{1,40}$/.test(stated) ? stated : 'unknown';
    logError('the sign-in at the OpenID provider failed', { requestId, code }, error);
    throw new OidcRefusal('unavailable');
  }
}

/**
 * Reads the provider's metadata. This request and all later requests with the returned configuration have
 * {@link patienceMs} together.
 */
async function discover(client: typeof OpenIdClient, { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: Env) {
  const issuer = new URL(OIDC_ISSUER ?? '');
  const signal = AbortSignal.timeout(patienceMs);
  const authenticate = OIDC_CLIENT_SECRET === undefined ? client.None() : client.ClientSecretBasic(OIDC_CLIENT_SECRET);
  return await client.discovery(issuer, OIDC_CLIENT_ID ?? '', undefined, authenticate, {
    // openid-client and `fetch` declare the same request bodies with incompatible types.
    [client.customFetch]: (url, options) => fetch(url, { ...options, signal } as RequestInit),
    // `env.ts` allows an http issuer only on this machine.
    execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
  });
}

const callbackAddress = (request: Request, env: Env) => new URL(callbackPath, env.SITE_URL ?? request.url);
