import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { takeLog } from '../../support/console.ts';
import {
  accounts,
  callback,
  configuration,
  cookiesAfter,
  openIdClient,
  pathOf,
  signInAt,
  startOpenIdProvider,
  useOpenIdSignIn,
} from '../../support/servers/openid.ts';

const openId = useOpenIdSignIn();
const { goToProvider, site, signIn, signedInAs, visit } = openId;
/** Returns the recipients and subjects of the stored emails to admins. */
const noticesSent = () => site.rows('SELECT recipient, subject FROM outbox WHERE submission IS NULL');

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
      /^oidc-[\w-]{8}=\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    expect(begun.response.headers.get('cache-control')).toBe('private, no-store');

    const back = await signInAt(begun.location, 'owner');
    const { response, location, cookies } = await visit(pathOf(back), begun.cookies);
    expect(response.status).toBe(303);
    expect(location).toBe('/admin?submission=1');
    expect(Object.keys(cookies)).toEqual(['session', 'device']);
    expect(await signedInAs(cookies)).toBe('owner@firm.example');
    const { response: status } = await visit('/api/auth/status', cookies);
    expect(await status.json()).toMatchObject({ openId: true });
    expect((await visit('/api/contact/submissions', cookies)).response.status).toBe(200);
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
    expect((await site.ask('/api/login', { json: guess })).status).toBe(401);
    expect(await admins.first()).toBeNull();
    expect(await site.addOwner()).toBe(true);
    expect(await site.addOwner('second@firm.example')).toBe(false);
    expect((await site.signIn()).status).toBe(200);
  });

  test('works in several tabs at the same time, and on another instance than it started on', async () => {
    const first = await goToProvider('owner', '/api/login?returnTo=/admin/one');
    const second = await goToProvider('owner', '/api/login?returnTo=/admin/two', first.cookies);
    const finished = await visit(pathOf(first.back), second.cookies);
    expect(finished.location).toBe('/admin/one');
    expect((await visit(pathOf(second.back), finished.cookies)).location).toBe('/admin/two');
  });

  test('never redirects to another site', async () => {
    for (const elsewhere of ['//evil.example', 'https://evil.example', '/\\evil.example', '/\t/evil.example', '/é']) {
      const { location } = await signIn('owner', `/api/login?returnTo=${encodeURIComponent(elsewhere)}`);
      expect(location).toBe('/admin');
    }
  });

  test('uses the site’s URL for the callback, and cookies for https only', async () => {
    await site.restart({ ...configuration(openId.provider), SITE_URL: 'https://www.firm.example', CONTEXT: 'dev' });
    const { location, response } = await visit('/api/login');
    expect(new URL(location).searchParams.get('redirect_uri')).toBe('https://www.firm.example/api/login/callback');
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-oidc-\S+; .*; Secure$/);
  });
});

describe('An account with a password', () => {
  beforeEach(() => site.addOwner('OWNER@firm.example'));
  /** Signs in with a password, as the sign-in page does. @returns the browser's cookies. */
  const byPassword = async () => cookiesAfter(await site.signIn());
  const finish = (held: Record<string, string>) => signIn('owner', '/api/login', held);

  test('is not opened by a company account with the same address', async () => {
    const { location, cookies } = await signIn('owner', '/api/login?returnTo=/admin%3Fsubmission%3D1');
    // After the admin enters the password, the sign-in page redirects to `/api/login`, which starts the sign-in at the
    // provider again. The inner `returnTo` is the page that opens after this second sign-in.
    expect(location).toBe(
      `/admin/sign-in?returnTo=${encodeURIComponent('/api/login?returnTo=%2Fadmin%3Fsubmission%3D1')}#oidc-connect`,
    );
    expect(cookies.session).toBeUndefined();
    expect(takeLog()).toEqual([expect.stringContaining('the account has its own sign-in')]);
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
    const { authorization } = await site.colleague();
    const session = authorization.replace('Bearer ', '');
    expect(await signedInAs({ session })).toBe('b@firm.example');
    expect((await finish({ session })).location).toMatch(/#oidc-connect$/);
    takeLog();
  });
});

test('An account with a passkey and no password is not opened either, and can be connected after a sign-in with the passkey', async () => {
  const email = 'owner@firm.example';
  const session = (await site.colleague(email)).authorization.replace('Bearer ', '');
  await site.services.stores.admins.setPassword(email, '', '2026-01-01T00:00:00Z');
  await site.services.stores.passkeys.create({
    ...{ id: 'one', email, name: 'Chrome on Linux', publicKey: 'x', counter: 0 },
    createdAt: '2026-01-01T00:00:00Z',
  });
  expect((await signIn('owner')).location).toMatch(/^\/admin\/sign-in.*#oidc-connect$/);
  takeLog();
  expect((await signIn('owner', '/api/login', { session })).location).toBe('/admin');
});

describe('A company account', () => {
  test('is recognized by the provider’s id, even after its address changed', async () => {
    await signIn('owner');
    openId.provider.accounts = { ...accounts, owner: { email: 'renamed@firm.example', email_verified: true } };
    expect(await signedInAs((await signIn('owner')).cookies)).toBe('owner@firm.example');
  });

  test('with another id and the same address is another person, and is refused', async () => {
    await signIn('owner');
    openId.provider.accounts = { ...accounts, successor: accounts.owner };
    const { location, cookies } = await signIn('successor');
    expect(location).toBe('/admin/sign-in#oidc-another-account');
    expect(cookies.session).toBeUndefined();
    expect(takeLog()).toEqual([expect.stringContaining('connected to another company account')]);
  });

  test('that is removed from the allowed addresses is refused, although it is connected', async () => {
    await signIn('owner');
    await site.restart({ ...configuration(openId.provider), OIDC_ALLOWED_EMAILS: 'ann@partner.example' });
    await site.services.stores.admins.ensure('owner@firm.example', '2026-01-01T00:00:00Z');
    const identity = { issuer: openId.provider.issuer, subject: 'owner' };
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
    await site.restart({ ...configuration(openId.provider), OIDC_ASSUME_EMAIL_VERIFIED: 'on' });
    expect(await signedInAs((await signIn('silent')).cookies)).toBe('silent@firm.example');
    expect((await signIn('unverified')).location).toBe('/admin/sign-in#oidc-not-allowed');
    takeLog();
  });
});

describe('A recent sign-in through the provider', () => {
  const isFresh = async (cookies: Record<string, string>) =>
    (await visit('/api/auth/fresh', cookies)).response.status === 200;

  test('is not assumed if the provider does not state when the person signed in', async () => {
    expect(await isFresh((await signIn('owner')).cookies)).toBe(false);
  });

  test('is requested from the provider, which then asks the person to sign in again', async () => {
    const begun = await visit('/api/login?fresh=1');
    const asked = new URL(begun.location).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({ prompt: 'login', max_age: '0' });
    // The test's site has a fixed clock with a past date, and the provider states the current time. To the site, this
    // sign-in is in the future, which counts as now.
    const back = await signInAt(begun.location, 'owner');
    expect(await isFresh((await visit(pathOf(back), begun.cookies)).cookies)).toBe(true);
  });

  test('is refused if the provider states that it was long ago', async () => {
    const longAgo = Math.floor(site.services.now().getTime() / 1000) - 3_600;
    openId.provider.alterTokens = async (tokens) => ({
      ...tokens,
      id_token: await openId.provider.sign({ ...decodeJwt(tokens.id_token), auth_time: longAgo }),
    });
    const { cookies, location } = await signIn('owner', '/api/login?fresh=1');
    expect(location).toBe('/admin/sign-in#oidc-not-fresh');
    expect(cookies.session).toBeUndefined();
  });
});

test.for([
  ['treats the site as a public client', { clientAuth: 'none' }, { OIDC_CLIENT_SECRET: '' }],
  ['returns email addresses only at its userinfo endpoint', { thinTokens: true }, {}],
] as const)('A provider that %s is supported', async ([, options, changes]) => {
  const other = await startOpenIdProvider(options);
  onTestFinished(() => other.close());
  await site.restart({ ...configuration(other), ...changes });
  other.accounts = accounts;
  for (const [name, expected] of [
    ['owner', '/admin'],
    ['unverified', '/admin/sign-in#oidc-not-allowed'],
  ] as const) {
    const { location, cookies } = await visit('/api/login');
    expect((await visit(pathOf(await signInAt(location, name)), cookies)).location).toBe(expected);
  }
  expect(takeLog()).toHaveLength(1);
});
