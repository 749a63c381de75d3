import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, type JWTPayload, SignJWT, exportJWK, generateKeyPair } from 'jose';
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider';

/** The people whom the provider knows, keyed by the name with which they sign in. */
type Accounts = Record<string, { email?: string; email_verified?: boolean | string }>;

type Tokens = Record<string, unknown> & { id_token: string };

export interface OpenIdProvider {
  readonly issuer: string;
  accounts: Accounts;
  /** Changes the response of the token endpoint, to simulate an attacker on the network or a faulty provider. */
  alterTokens: ((tokens: Tokens) => Tokens | Promise<Tokens>) | null;
  /** The provider never responds to requests whose path starts with this text. */
  silentAt: string | null;
  /** Signs claims with the provider's key. */
  sign(claims: JWTPayload): Promise<string>;
  /**
   * Signs in at the provider with a new browser. Does not follow the redirect back to the site.
   * @param authorization the authorization URL.
   * @param as the name to sign in with; null declines.
   * @returns the callback URL with the provider's parameters.
   */
  visit(authorization: string, as: string | null): Promise<URL>;
  close(): Promise<void>;
}

export const openIdClient = { id: 'site', secret: 'the secret of the client, long enough' };

/**
 * Starts an OpenID provider (the certified package oidc-provider) on a port of this machine. It supports only the code
 * flow with PKCE, and asks for no password.
 * @param options.callback the URL to which people are redirected.
 * @param options.clientAuth `none` for a public client.
 * @param options.thinTokens returns email addresses only from the userinfo endpoint, as the standard specifies.
 */
export async function startOpenIdProvider(options: {
  callback: string;
  clientAuth?: 'client_secret_basic' | 'none';
  thinTokens?: boolean;
}): Promise<OpenIdProvider> {
  const { callback, clientAuth = 'client_secret_basic', thinTokens = false } = options;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const provider: Provider = new Provider(issuer, {
    adapter: memoryAdapter(),
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
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'tests' }] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, name) => ({ accountId: name, claims: () => ({ sub: name, ...running.accounts[name] }) }),
    // Every person has already consented to share their email address with the site.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ accountId: oidc.session?.accountId, clientId: oidc.client?.clientId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  });
  const standard = provider.callback();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', issuer);
    if (running.silentAt !== null && url.pathname.startsWith(running.silentAt)) return;
    if (url.pathname.startsWith('/interaction/')) {
      const name = url.searchParams.get('as');
      const result =
        name === null ? { error: 'access_denied', error_description: '<b>no</b>' } : { login: { accountId: name } };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
      return;
    }
    if (url.pathname === '/token' && running.alterTokens) alterBody(response, running.alterTokens);
    await standard(request, response);
  };
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  const running: OpenIdProvider = {
    issuer,
    accounts: {},
    alterTokens: null,
    silentAt: null,
    sign: (claims) => signWith(privateKey, claims),
    visit: (authorization, as) => walk(authorization, as, callback),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return running;
}

/** Signs claims with a key. The token's header names the provider's key, even if another key signs. */
export function signWith(key: CryptoKey, claims: JWTPayload): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'tests' }).sign(key);
}

async function walk(authorization: string, as: string | null, callback: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let address = new URL(authorization);
  for (let steps = 0; steps < 8; steps += 1) {
    if (address.href.startsWith(callback)) return address;
    if (address.pathname.startsWith('/interaction/') && as !== null) address.searchParams.set('as', as);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
    address = new URL(location, address);
  }
  throw new Error('The provider sent its visitor round and round.');
}

function alterBody(response: ServerResponse, alter: NonNullable<OpenIdProvider['alterTokens']>): void {
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

/** Creates the provider's storage, in memory for one test. */
function memoryAdapter(): (model: string) => Adapter {
  const kept = new Map<string, AdapterPayload>();
  return (model) => {
    const key = (id: string) => `${model}:${id}`;
    const findWhere = (fits: (payload: AdapterPayload) => boolean) =>
      [...kept].find(([name, payload]) => name.startsWith(`${model}:`) && fits(payload))?.[1];
    return {
      upsert: async (id, payload) => void kept.set(key(id), payload),
      find: async (id) => kept.get(key(id)),
      findByUid: async (uid) => findWhere((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => findWhere((payload) => payload.userCode === userCode),
      consume: async (id) => {
        const payload = kept.get(key(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void kept.delete(key(id)),
      revokeByGrantId: async (grantId) => {
        for (const [name, payload] of kept) if (payload.grantId === grantId) kept.delete(name);
      },
    };
  };
}
