import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CryptoKey, type JWTPayload, SignJWT, exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { useApi } from '../api/api.ts';
import { serve } from './ports.ts';

/** The people whom the provider knows, keyed by the name with which they sign in. */
type Accounts = Record<string, { email?: string; email_verified?: boolean | string }>;
type Tokens = Record<string, unknown> & { id_token: string };
type Cookies = Record<string, string>;
type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>;

export const openIdClient = { id: 'site', secret: 'the secret of the client, long enough' };
export const callback = 'http://site.test/api/login/callback';
export const accounts = {
  owner: { email: 'Owner@Firm.example', email_verified: true },
  ann: { email: 'ann@partner.example', email_verified: true },
  silent: { email: 'silent@firm.example' },
  worded: { email: 'worded@firm.example', email_verified: 'true' },
  unverified: { email: 'owner@firm.example', email_verified: false },
  unverifiedInWords: { email: 'owner@firm.example', email_verified: 'false' },
  stranger: { email: 'owner@elsewhere.example', email_verified: true },
  lookalike: { email: 'owner@not-firm.example', email_verified: true },
  subdomain: { email: 'owner@sub.firm.example', email_verified: true },
  twofold: { email: 'owner@firm.example@elsewhere.example', email_verified: true },
  nameless: {},
};

/**
 * Starts an OpenID provider (the certified package oidc-provider) on a port of this machine. It supports only the code
 * flow with PKCE, and asks for no password.
 * @param options.clientAuth `none` for a public client.
 * @param options.thinTokens returns email addresses only from the userinfo endpoint, as the standard specifies.
 */
export async function startOpenIdProvider({
  clientAuth = 'client_secret_basic' as 'client_secret_basic' | 'none',
  thinTokens = false,
} = {}) {
  const state = {
    accounts: accounts as Accounts,
    /** Changes the response of the token endpoint, to simulate an attacker on the network or a faulty provider. */
    alterTokens: null as ((tokens: Tokens) => Tokens | Promise<Tokens>) | null,
    /** The provider never responds to requests whose path starts with this text. */
    silentAt: null as string | null,
  };
  const { url: issuer, stop } = await serve((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'tests' };
  const { warn } = console;
  // The provider warns that it stores everything in memory.
  console.warn = () => undefined;
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: openIdClient.id,
        ...(clientAuth !== 'none' && { client_secret: openIdClient.secret }),
        redirect_uris: [callback],
        token_endpoint_auth_method: clientAuth,
        id_token_signed_response_alg: 'ES256',
      },
    ],
    clientAuthMethods: ['client_secret_basic', 'none'],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: thinTokens,
    cookies: { keys: ['a key of the tests'] },
    jwks: { keys: [key] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, name) => ({ accountId: name, claims: () => ({ sub: name, ...state.accounts[name] }) }),
    // Every person has already consented to share their email address with the site.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ accountId: oidc.session?.accountId, clientId: oidc.client?.clientId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  });
  console.warn = warn;
  const standard = provider.callback();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', issuer);
    if (state.silentAt !== null && url.pathname.startsWith(state.silentAt)) return;
    if (url.pathname.startsWith('/interaction/')) {
      const name = url.searchParams.get('as');
      const result =
        name === null ? { error: 'access_denied', error_description: '<b>no</b>' } : { login: { accountId: name } };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
      return;
    }
    if (url.pathname === '/token' && state.alterTokens) alterBody(response, state.alterTokens);
    await standard(request, response);
  };
  return Object.assign(state, {
    issuer,
    /** Signs claims with the provider's key. */
    sign: (claims: JWTPayload) => signWith(privateKey, claims),
    close: stop,
  });
}

/** Signs claims with a key. The token's header names the provider's key, even if another key signs. */
export function signWith(key: CryptoKey, claims: JWTPayload): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'tests' }).sign(key);
}

function alterBody(response: ServerResponse, alter: (tokens: Tokens) => Tokens | Promise<Tokens>): void {
  const end = response.end.bind(response) as (body: string) => ServerResponse;
  response.end = ((body: string) => {
    const tokens = JSON.parse(body) as Tokens;
    void Promise.resolve('id_token' in tokens ? alter(tokens) : tokens).then((altered) => {
      const text = JSON.stringify(altered);
      response.setHeader('content-length', Buffer.byteLength(text));
      end(text);
    });
    return response;
  }) as typeof response.end;
}

const cookieHeader = (cookies: Cookies) => ({
  cookie: Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; '),
});

/** Returns a browser's cookies after a response. */
export function cookiesAfter(response: Response, held: Cookies = {}): Cookies {
  const cookies = { ...held };
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/Max-Age=0/.test(line)) delete cookies[name];
    else cookies[name] = value;
  }
  return cookies;
}

/**
 * Signs in at the provider with a new browser. Does not follow the redirect back to the site.
 * @param authorization the authorization URL.
 * @param as the name to sign in with; null declines.
 * @returns the callback's path with the provider's parameters.
 */
export async function signInAt(authorization: string, as: string | null): Promise<URL> {
  let cookies: Cookies = {};
  let address = new URL(authorization);
  for (let steps = 0; steps < 8; steps += 1) {
    if (address.href.startsWith(callback)) return address;
    if (address.pathname.startsWith('/interaction/') && as !== null) address.searchParams.set('as', as);
    const response = await fetch(address, { redirect: 'manual', headers: cookieHeader(cookies) });
    cookies = cookiesAfter(response, cookies);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
    address = new URL(location, address);
  }
  throw new Error('The provider sent its visitor round and round.');
}

export function configuration({ issuer }: Pick<OpenIdProvider, 'issuer'>): Record<string, string> {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: openIdClient.id,
    OIDC_CLIENT_SECRET: openIdClient.secret,
    OIDC_ALLOWED_EMAILS: '@firm.example, ann@partner.example',
    // Emails are stored only if a mail server is configured. Nothing is sent in these tests.
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@firm.example',
  };
}

export const pathOf = (url: URL) => url.pathname + url.search;

/** Provides one OpenID provider, new services for each test, and the steps of a browser. Call it once in a file. */
export function useOpenIdSignIn() {
  let provider: OpenIdProvider;
  beforeAll(async () => {
    provider = await startOpenIdProvider();
  });
  beforeEach(() => void Object.assign(provider, { accounts, alterTokens: null, silentAt: null }));
  afterAll(() => provider.close());
  const site = useApi({ variables: () => configuration(provider) });

  /** Makes a request like a browser. @returns the redirect target and the browser's cookies. */
  async function visit(path: string, held: Cookies = {}) {
    const response = await site.ask(path, { headers: { accept: 'text/html', ...cookieHeader(held) } });
    return { response, cookies: cookiesAfter(response, held), location: response.headers.get('location') ?? '' };
  }

  /** Signs in at the provider, but does not follow the redirect to the callback. */
  async function goToProvider(as: string | null, path = '/api/login', held?: Cookies) {
    const begun = await visit(path, held);
    return { ...begun, back: await signInAt(begun.location, as) };
  }

  async function signIn(...given: Parameters<typeof goToProvider>) {
    const { cookies, back } = await goToProvider(...given);
    return await visit(pathOf(back), cookies);
  }

  async function signedInAs(cookies: Cookies): Promise<string | null> {
    const { response } = await visit('/api/auth/status', cookies);
    return response.status === 200 ? (await response.json()).user.email : null;
  }

  async function expectRefusal(visited: Awaited<ReturnType<typeof visit>>, fragment: string) {
    expect(visited.response.status).toBe(303);
    expect(visited.location).toBe(`/admin/sign-in#${fragment}`);
    expect(visited.cookies).toEqual({});
    expect(await visited.response.text()).toBe('');
    expect(await site.services.stores.admins.get('owner@firm.example')).toBeNull();
  }

  return {
    get provider() {
      return provider;
    },
    ...{ site, visit, goToProvider, signIn, signedInAs, expectRefusal },
  };
}
