import { type JWTPayload, decodeJwt, generateKeyPair } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import { takeLog } from '../../support/console.ts';
import { configuration, pathOf, signWith, startOpenIdProvider, useOpenIdSignIn } from '../../support/servers/openid.ts';

const openId = useOpenIdSignIn();
const { expectRefusal, goToProvider, signIn, site, visit } = openId;

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
    await site.restart({ ...configuration(openId.provider), SESSION_SECRET: 'another secret, long enough as well' });
    await expectRefusal(await visit(pathOf(back), cookies), 'oidc-expired');
  });

  const forgeries: Record<string, (claims: JWTPayload, token: string) => string | Promise<string>> = {
    'with changed claims': (claims, token) => {
      const [head = '', , signature = ''] = token.split('.');
      return [head, encode({ ...claims, email: 'owner@firm.example' }), signature].join('.');
    },
    'signed by another key': async (claims) => signWith((await generateKeyPair('ES256')).privateKey, claims),
    'without a signature': (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`,
    'of another sign-in': (claims) => openId.provider.sign({ ...claims, nonce: 'another' }),
    'for another site': (claims) => openId.provider.sign({ ...claims, aud: 'another' }),
    'of another issuer': (claims) => openId.provider.sign({ ...claims, iss: 'https://evil.example' }),
    'that has expired': (claims) => openId.provider.sign({ ...claims, exp: (claims.iat ?? 0) - 60 }),
  };
  test.for(Object.keys(forgeries))('with an id_token %s', async (name) => {
    const claimed = { email: 'owner@firm.example', email_verified: true };
    openId.provider.alterTokens = async (tokens) => {
      const forged = await forgeries[name]?.({ ...decodeJwt(tokens.id_token), ...claimed }, tokens.id_token);
      return { ...tokens, id_token: forged ?? '' };
    };
    await expectRefusal(await signIn('stranger'), 'oidc-unavailable');
    expect(takeLog()).toEqual([expect.stringContaining('the sign-in at the OpenID provider failed')]);
  });

  test('but accepts the same claims if the provider signs them with its key', async () => {
    openId.provider.alterTokens = async (tokens) => ({
      ...tokens,
      id_token: await openId.provider.sign(decodeJwt(tokens.id_token)),
    });
    expect((await signIn('owner')).location).toBe('/admin');
  });
});

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('While the OpenID provider is unreachable', () => {
  test('the sign-in opens the password page, where passwords work', async () => {
    const gone = await startOpenIdProvider();
    await gone.close();
    await site.restart(configuration(gone));
    await expectRefusal(await visit('/api/login'), 'oidc-unavailable');
    expect((await visit('/api/login?returnTo=/admin/one')).location).toBe(
      '/admin/sign-in?returnTo=%2Fadmin%2Fone#oidc-unavailable',
    );
    expect(takeLog()).toEqual(Array(2).fill(expect.stringContaining('OpenID provider not reached')));
    await site.addOwner();
    expect((await site.signIn()).status).toBe(200);
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
      openId.provider.silentAt = address;
      await expectRefusal(await visit(pathOf(back), cookies), 'oidc-unavailable');
      expect(limits).toContain(10_000);
      expect(takeLog()).toHaveLength(1);
    },
  );

  test('an invalid client secret is logged, and not shown to the visitor', async () => {
    await site.restart({ ...configuration(openId.provider), OIDC_CLIENT_SECRET: 'wrong' });
    await expectRefusal(await signIn('owner'), 'oidc-unavailable');
    expect(takeLog()).toEqual([expect.stringContaining('"code":"invalid_client"')]);
  });
});
