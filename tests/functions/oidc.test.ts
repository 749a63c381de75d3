import { type JWTPayload, decodeJwt, generateKeyPair } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import authStatus from '../../netlify/functions/auth-status.ts';
import submissions from '../../netlify/functions/contact-submissions.ts';
import login from '../../netlify/functions/login.ts';
import { text } from '../../netlify/server/db/database.ts';
import { hashPassword } from '../../netlify/server/auth/passwords.ts';
import { takeLog } from '../support/console.ts';
import { type OpenIdProvider, openIdClient, signWith, startOpenIdProvider } from '../support/openid-provider.ts';
import { type TestServices, call, testServices } from '../support/services.ts';

const callback = 'http://site.test/api/login/callback';
const accounts = {
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

let provider: OpenIdProvider;
let site: TestServices;
beforeAll(async () => {
  provider = await startOpenIdProvider({ callback });
});
beforeEach(async () => {
  Object.assign(provider, { accounts, alterTokens: null, silentAt: null });
  site = await testServices(configuration(provider));
});
afterEach(() => site.close());
afterAll(() => provider.close());

function configuration({ issuer }: OpenIdProvider): Record<string, string> {
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

/** Makes a request like a browser. @returns the redirect target and the browser's cookies. */
async function visit(path: string, held: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const cookie = Object.entries(held)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  const response = await call(login, path, site.services, { headers: { accept: 'text/html', cookie, ...headers } });
  const cookies = { ...held };
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/Max-Age=0/.test(line)) delete cookies[name];
    else cookies[name] = value;
  }
  return { response, cookies, location: response.headers.get('location') ?? '' };
}

/** Returns the stored emails to admins. */
async function noticesSent(): Promise<{ recipient: string; subject: string }[]> {
  const rows = await site.services.database.read({ sql: 'SELECT recipient, subject FROM notices', args: [] });
  return rows.map(({ recipient, subject }) => ({ recipient: text(recipient), subject: text(subject) }));
}

const pathOf = (url: URL) => url.pathname + url.search;

/** Signs in at the provider, but does not follow the redirect to the callback. */
async function goToProvider(as: string | null, path = '/api/login') {
  const begun = await visit(path);
  expect(begun.location).toMatch(provider.issuer);
  return { cookies: begun.cookies, back: await provider.visit(begun.location, as) };
}

async function signIn(as: string | null, path?: string) {
  const { cookies, back } = await goToProvider(as, path);
  return await visit(pathOf(back), cookies);
}

async function signedInAs(cookies: Record<string, string>): Promise<string | null> {
  const headers = { cookie: `session=${cookies.session}` };
  const response = await call(authStatus, '/api/auth/status', site.services, { headers });
  return response.status === 200 ? (await response.json()).user.email : null;
}

async function expectRefusal(visited: Awaited<ReturnType<typeof visit>>, fragment: string) {
  expect(visited.response.status).toBe(303);
  expect(visited.location).toBe(`/admin/sign-in#${fragment}`);
  expect(visited.cookies).toEqual({});
  expect(await visited.response.text()).toBe('');
  expect(await site.services.stores.admins.get('owner@firm.example')).toBeNull();
}

describe('Signing in through the OpenID provider', () => {
  test('creates a session that can open the inquiries', async () => {
    const begun = await visit('/api/login?returnTo=/admin%3Fsubmission%3D1');
    const asked = new URL(begun.location).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: openIdClient.id,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid email',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(begun.response.headers.get('set-cookie')).toMatch(
      /^oidc-[\w-]{8}=\S+; Path=\/api\/login; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    expect(begun.response.headers.get('cache-control')).toBe('private, no-store');

    const back = await provider.visit(begun.location, 'owner');
    const { response, location, cookies } = await visit(pathOf(back), begun.cookies);
    expect(response.status).toBe(303);
    expect(location).toBe('/admin?submission=1');
    expect(Object.keys(cookies)).toEqual(['session', 'device']);
    expect(await signedInAs(cookies)).toBe('owner@firm.example');
    const headers = { cookie: `session=${cookies.session}` };
    const status = await call(authStatus, '/api/auth/status', site.services, { headers });
    expect(await status.json()).toMatchObject({ openId: true });
    const list = await call(submissions, '/api/contact/submissions', site.services, { headers });
    expect(list.status).toBe(200);
    expect(await list.json()).toMatchObject({ data: [] });
  });

  test.for([
    ['ann', 'ann@partner.example'],
    ['worded', 'worded@firm.example'],
  ])('lets %s in as %s', async ([name, email]) => {
    const { cookies, location } = await signIn(name ?? '');
    expect(location).toBe('/admin');
    expect(await signedInAs(cookies)).toBe(email);
  });

  test('creates an account without a password, and does not prevent the first admin’s password', async () => {
    await signIn('owner');
    const { admins } = site.services.stores;
    expect(await admins.get('owner@firm.example')).toEqual({ email: 'owner@firm.example', passwordHash: null });
    const guess = { email: 'owner@firm.example', password: 'null' };
    expect((await call(login, '/api/login', site.services, { json: guess })).status).toBe(401);
    expect(await admins.first()).toBeNull();
    const first = { email: 'owner@firm.example', passwordHash: await hashPassword('correct horse battery') };
    expect(await admins.createFirst(first, '2026-03-02T00:00:00Z')).toBe(true);
    expect(await admins.createFirst({ ...first, email: 'second@firm.example' }, '2026-03-02T00:00:00Z')).toBe(false);
    const json = { email: first.email, password: 'correct horse battery' };
    expect((await call(login, '/api/login', site.services, { json })).status).toBe(200);
  });

  test('works in several tabs at the same time, and on another instance than it started on', async () => {
    const first = await visit('/api/login?returnTo=/admin/one');
    const second = await visit('/api/login?returnTo=/admin/two', first.cookies);
    const backs = await Promise.all([first, second].map(({ location }) => provider.visit(location, 'owner')));
    const [one, two] = backs.map(pathOf);
    const finished = await visit(one ?? '', second.cookies);
    expect(finished.location).toBe('/admin/one');
    expect((await visit(two ?? '', finished.cookies)).location).toBe('/admin/two');
  });

  test('never redirects to another site', async () => {
    for (const elsewhere of ['//evil.example', 'https://evil.example', '/\\evil.example', '/\t/evil.example', '/é']) {
      const { location } = await signIn('owner', `/api/login?returnTo=${encodeURIComponent(elsewhere)}`);
      expect(location).toBe('/admin');
    }
  });

  test('uses the site’s URL for the callback, and cookies for https only', async () => {
    await site.close();
    site = await testServices({ ...configuration(provider), SITE_URL: 'https://www.firm.example', CONTEXT: 'dev' });
    const { location, response } = await visit('/api/login');
    expect(new URL(location).searchParams.get('redirect_uri')).toBe('https://www.firm.example/api/login/callback');
    expect(response.headers.get('set-cookie')).toMatch(/^__Secure-oidc-\S+; .*; Secure$/);
  });
});

describe('An account with a password', () => {
  const password = 'correct horse battery';
  const owner = { email: 'OWNER@firm.example', password };
  beforeEach(async () => {
    const passwordHash = await hashPassword(password);
    await site.services.stores.admins.createFirst({ email: owner.email, passwordHash }, '2026-01-01T00:00:00Z');
  });
  /** Signs in with a password, as the sign-in page does. @returns the browser's cookies. */
  const byPassword = async (): Promise<Record<string, string>> => {
    const response = await call(login, '/api/login', site.services, { json: owner });
    return Object.fromEntries(
      response.headers.getSetCookie().map((cookie) => /^([^=]+)=([^;]*)/.exec(cookie)?.slice(1) as [string, string]),
    );
  };
  const finish = async (held: Record<string, string>, as = 'owner') => {
    const begun = await visit('/api/login', held);
    return await visit(pathOf(await provider.visit(begun.location, as)), begun.cookies);
  };

  test('is not opened by a company account with the same address', async () => {
    const { location, cookies } = await signIn('owner', '/api/login?returnTo=/admin%3Fsubmission%3D1');
    // After the password is entered, the sign-in page redirects to the provider, and the provider redirects to the
    // wanted page.
    expect(location).toBe(
      `/admin/sign-in?returnTo=${encodeURIComponent('/api/login?returnTo=%2Fadmin%3Fsubmission%3D1')}#oidc-connect`,
    );
    expect(cookies.session).toBeUndefined();
    expect(takeLog()).toEqual([expect.stringContaining('the account has a password')]);
  });

  test('can be connected by its admin, who signs in with the password first, and gets an email', async () => {
    expect((await finish(await byPassword())).location).toBe('/admin');
    expect(await signedInAs((await signIn('owner')).cookies)).toBe('OWNER@firm.example');
    expect((await site.services.stores.admins.get('owner@firm.example'))?.passwordHash).not.toBeNull();
    expect(await noticesSent()).toContainEqual({
      recipient: 'OWNER@firm.example',
      subject: 'Company account connected to your Southbay ERP account',
    });
  });

  test('is not connected by a session if the admin entered the password too long ago', async () => {
    const held = await byPassword();
    site.advance(11 * 60_000);
    expect((await finish(held)).location).toMatch(/#oidc-connect$/);
    takeLog();
  });

  test('is not connected by another admin’s session', async () => {
    await site.services.stores.admins.create(
      { email: 'else@firm.example', passwordHash: await hashPassword(password) },
      '2026-01-01T00:00:00Z',
    );
    const response = await call(login, '/api/login', site.services, { json: { email: 'else@firm.example', password } });
    const [, session = ''] = /^session=([^;]*)/.exec(response.headers.get('set-cookie') ?? '') ?? [];
    expect((await finish({ session })).location).toMatch(/#oidc-connect$/);
    takeLog();
  });
});

describe('A company account', () => {
  test('is recognized by the provider’s id, even after its address changed', async () => {
    await signIn('owner');
    provider.accounts = { ...accounts, owner: { email: 'renamed@firm.example', email_verified: true } };
    expect(await signedInAs((await signIn('owner')).cookies)).toBe('owner@firm.example');
  });

  test('with another id and the same address is another person, and is refused', async () => {
    await signIn('owner');
    provider.accounts = { ...accounts, successor: accounts.owner };
    const { location, cookies } = await signIn('successor');
    expect(location).toBe('/admin/sign-in#oidc-another-account');
    expect(cookies.session).toBeUndefined();
    expect(takeLog()).toEqual([expect.stringContaining('connected to another company account')]);
  });

  test('that is removed from the allowed addresses is refused, although it is connected', async () => {
    await signIn('owner');
    await site.close();
    site = await testServices({ ...configuration(provider), OIDC_ALLOWED_EMAILS: 'ann@partner.example' });
    await site.services.stores.admins.ensure('owner@firm.example', '2026-01-01T00:00:00Z');
    const identity = { issuer: provider.issuer, subject: 'owner' };
    await site.services.stores.identities.create(identity, 'owner@firm.example', '2026-01-01T00:00:00Z');
    expect((await signIn('owner')).location).toBe('/admin/sign-in#oidc-not-allowed');
    takeLog();
  });

  test('of a new admin is announced to every admin', async () => {
    await signIn('ann');
    await signIn('owner');
    expect(await noticesSent()).toEqual(
      expect.arrayContaining([
        { recipient: 'ann@partner.example', subject: 'New admin of the Southbay ERP website' },
        { recipient: 'owner@firm.example', subject: 'New admin of the Southbay ERP website' },
      ]),
    );
  });

  test('without a statement about verification is refused, unless the owner says that the provider verifies every address', async () => {
    await site.close();
    site = await testServices({ ...configuration(provider), OIDC_ASSUME_EMAIL_VERIFIED: 'on' });
    expect(await signedInAs((await signIn('silent')).cookies)).toBe('silent@firm.example');
    expect((await signIn('unverified')).location).toBe('/admin/sign-in#oidc-not-allowed');
    takeLog();
  });
});

describe('A recent sign-in through the provider', () => {
  const isFresh = async (cookies: Record<string, string>) => {
    const headers = { cookie: `session=${cookies.session}` };
    return (await call(authStatus, '/api/auth/fresh', site.services, { headers })).status === 200;
  };

  test('is not assumed if the provider does not state when the person signed in', async () => {
    expect(await isFresh((await signIn('owner')).cookies)).toBe(false);
  });

  test('is requested from the provider, which then asks the person to sign in again', async () => {
    const begun = await visit('/api/login?fresh=1');
    const asked = new URL(begun.location).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({ prompt: 'login', max_age: '0' });
    // The clock of the services stands still in the past, but the provider uses the current time.
    const back = await provider.visit(begun.location, 'owner');
    expect(await isFresh((await visit(pathOf(back), begun.cookies)).cookies)).toBe(true);
  });

  test('is refused if the provider states that it was long ago', async () => {
    const longAgo = Math.floor(site.services.now().getTime() / 1000) - 3_600;
    provider.alterTokens = async (tokens) => ({
      ...tokens,
      id_token: await provider.sign({ ...decodeJwt(tokens.id_token), auth_time: longAgo }),
    });
    const { cookies, location } = await signIn('owner', '/api/login?fresh=1');
    expect(location).toBe('/admin/sign-in#oidc-not-fresh');
    expect(cookies.session).toBeUndefined();
  });
});

describe('A provider', () => {
  test.for([
    ['accepts the secret in the body', { clientAuth: 'client_secret_post' }, {}],
    ['treats the site as a public client', { clientAuth: 'none' }, { OIDC_CLIENT_SECRET: '' }],
    ['returns email addresses only at its userinfo endpoint', { thinTokens: true }, {}],
  ] as const)('that %s is supported', async ([, options, changes]) => {
    const other = await startOpenIdProvider({ callback, ...options });
    try {
      await site.close();
      site = await testServices({ ...configuration(other), ...changes });
      other.accounts = accounts;
      for (const [name, expected] of [
        ['owner', '/admin'],
        ['unverified', '/admin/sign-in#oidc-not-allowed'],
      ] as const) {
        const { location, cookies } = await visit('/api/login');
        expect((await visit(pathOf(await other.visit(location, name)), cookies)).location).toBe(expected);
      }
      expect(takeLog()).toHaveLength(1);
    } finally {
      await other.close();
    }
  });
});

describe('The OpenID provider does not open the admin area', () => {
  test.for(['silent', 'unverified', 'unverifiedInWords', 'stranger', 'lookalike', 'subdomain', 'twofold', 'nameless'])(
    'to a person %s',
    async (name) => {
      await expectRefusal(await signIn(name), 'oidc-not-allowed');
      const [line = ''] = takeLog();
      expect(line).toContain('refused a sign-in');
      expect(line).not.toContain('example');
    },
  );

  test('to a person who cancels, and the page does not repeat the provider’s text', async () => {
    await expectRefusal(await signIn(null), 'oidc-denied');
  });

  test('to a callback with another state, or without one', async () => {
    const { cookies, back } = await goToProvider('owner');
    const state = back.searchParams.get('state') ?? '';
    const flipped = (at: number) => state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1);
    for (const other of [flipped(0), flipped(20), '', '../../x']) {
      back.searchParams.set('state', other);
      const { location, cookies: after } = await visit(pathOf(back), cookies);
      expect(location).toBe('/admin/sign-in#oidc-expired');
      expect(after.session).toBeUndefined();
    }
  });

  test('to a browser that did not start the sign-in', async () => {
    const { back } = await goToProvider('owner');
    await expectRefusal(await visit(pathOf(back)), 'oidc-expired');
    const stranger = await goToProvider('stranger');
    const { location, cookies } = await visit(pathOf(back), stranger.cookies);
    expect(location).toBe('/admin/sign-in#oidc-expired');
    expect(cookies.session).toBeUndefined();
  });

  test('with a code of another sign-in', async () => {
    const stolen = await goToProvider('owner');
    const own = await goToProvider('stranger');
    own.back.searchParams.set('code', stolen.back.searchParams.get('code') ?? '');
    await expectRefusal(await visit(pathOf(own.back), own.cookies), 'oidc-expired');
  });

  test('with a repeated callback, even with the original cookie', async () => {
    const { cookies, back } = await goToProvider('owner');
    const first = await visit(pathOf(back), cookies);
    expect(first.location).toBe('/admin');
    expect((await visit(pathOf(back), {})).location).toBe('/admin/sign-in#oidc-expired');
    const again = await visit(pathOf(back), cookies);
    expect(again.location).toBe('/admin/sign-in#oidc-expired');
    expect(again.cookies).toEqual({});
  });

  test('to a person who took more than ten minutes', async () => {
    const { cookies, back } = await goToProvider('owner');
    site.advance(600_000);
    expect((await visit(pathOf(back), cookies)).location).toBe('/admin/sign-in#oidc-expired');
  });

  test('with a cookie that was changed, or signed with another secret', async () => {
    const { cookies, back } = await goToProvider('owner');
    const [[name = '', value = ''] = []] = Object.entries(cookies);
    const tampered = { [name]: value.slice(0, -2) + (value.endsWith('AA') ? 'BB' : 'AA') };
    expect((await visit(pathOf(back), tampered)).location).toBe('/admin/sign-in#oidc-expired');
    await site.close();
    site = await testServices({ ...configuration(provider), SESSION_SECRET: 'another secret, long enough as well' });
    await expectRefusal(await visit(pathOf(back), cookies), 'oidc-expired');
  });

  const forgeries: Record<string, (claims: JWTPayload, token: string) => string | Promise<string>> = {
    'with changed claims': (claims, token) => {
      const [head = '', , signature = ''] = token.split('.');
      return [head, encode({ ...claims, email: 'owner@firm.example' }), signature].join('.');
    },
    'signed by another key': async (claims) => signWith((await generateKeyPair('ES256')).privateKey, claims),
    'without a signature': (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`,
    'of another sign-in': (claims) => provider.sign({ ...claims, nonce: 'another' }),
    'for another site': (claims) => provider.sign({ ...claims, aud: 'another' }),
    'of another issuer': (claims) => provider.sign({ ...claims, iss: 'https://evil.example' }),
    'that has expired': (claims) => provider.sign({ ...claims, exp: (claims.iat ?? 0) - 60 }),
  };
  test.for(Object.keys(forgeries))('with an id_token %s', async (name) => {
    const claimed = { email: 'owner@firm.example', email_verified: true };
    provider.alterTokens = async (tokens) => {
      const forged = await forgeries[name]?.({ ...decodeJwt(tokens.id_token), ...claimed }, tokens.id_token);
      return { ...tokens, id_token: forged ?? '' };
    };
    await expectRefusal(await signIn('stranger'), 'oidc-unavailable');
    expect(takeLog()).toEqual([expect.stringContaining('the sign-in at the OpenID provider failed')]);
  });

  test('but accepts the same claims if the provider signs them with its key', async () => {
    provider.alterTokens = async (tokens) => ({ ...tokens, id_token: await provider.sign(decodeJwt(tokens.id_token)) });
    expect((await signIn('owner')).location).toBe('/admin');
  });
});

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('While the OpenID provider is unreachable', () => {
  test('the sign-in opens the password page, where passwords work', async () => {
    const gone = await startOpenIdProvider({ callback });
    await gone.close();
    await site.close();
    site = await testServices(configuration(gone));
    await expectRefusal(await visit('/api/login'), 'oidc-unavailable');
    expect((await visit('/api/login?returnTo=/admin/one')).location).toBe(
      '/admin/sign-in?returnTo=%2Fadmin%2Fone#oidc-unavailable',
    );
    expect(takeLog()).toEqual(Array(2).fill(expect.stringContaining('OpenID provider not reached')));
    const passwordHash = await hashPassword('correct horse battery');
    await site.services.stores.admins.createFirst(
      { email: 'owner@firm.example', passwordHash },
      '2026-01-01T00:00:00Z',
    );
    const json = { email: 'owner@firm.example', password: 'correct horse battery' };
    expect((await call(login, '/api/login', site.services, { json })).status).toBe(200);
  });

  test.for(['/.well-known', '/token', '/jwks'])(
    'a provider that does not respond at %s delays the sign-in by at most ten seconds',
    async (address) => {
      const { cookies, back } = await goToProvider('owner');
      const limits: number[] = [];
      const real = AbortSignal.timeout.bind(AbortSignal);
      vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
        limits.push(ms);
        return real(ms === 10_000 ? 200 : ms);
      });
      provider.silentAt = address;
      await expectRefusal(await visit(pathOf(back), cookies), 'oidc-unavailable');
      expect(limits).toContain(10_000);
      expect(takeLog()).toHaveLength(1);
    },
  );

  test('an invalid client secret is logged, and not shown to the visitor', async () => {
    await site.close();
    site = await testServices({ ...configuration(provider), OIDC_CLIENT_SECRET: 'wrong' });
    await expectRefusal(await signIn('owner'), 'oidc-unavailable');
    expect(takeLog()).toEqual([expect.stringContaining('"code":"invalid_client"')]);
  });
});

describe('Without an OpenID provider', () => {
  beforeEach(async () => {
    await site.close();
    site = await testServices();
  });

  test('the sign-in opens the password page, which remembers the requested page', async () => {
    expect((await visit('/api/login')).location).toBe('/admin/sign-in');
    expect((await visit('/api/login?returnTo=/admin%3Fsubmission%3D1')).location).toBe(
      '/admin/sign-in?returnTo=%2Fadmin%3Fsubmission%3D1',
    );
    expect((await visit('/api/login?returnTo=//evil.example')).location).toBe('/admin/sign-in');
  });

  test('the callback opens the password page too', async () => {
    expect((await visit('/api/login/callback?code=x&state=x')).location).toBe('/admin/sign-in');
  });
});
