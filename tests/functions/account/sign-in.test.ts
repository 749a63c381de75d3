import { describe, expect, test } from 'vitest';
import { fullCost, passwordsOf } from '../../../netlify/server/auth/passwords.ts';
import { owner, useApi } from '../../support/api/api.ts';
import { cookiesOf } from '../../support/api/cookies.ts';
import { hashPassword } from '../../support/api/passwords.ts';

const { email, password } = owner;
const site = useApi({ owner: true });
const { signIn } = site;
const status = (headers: { cookie: string } | { authorization: string }) =>
  site.ask('/api/auth/status', { headers: { ...headers } });

describe('Signing in', () => {
  test('sets a cookie that scripts cannot read, and returns a token to a client that requests JSON', async () => {
    const response = await signIn();
    expect(response.status).toBe(200);
    const body = await response.json();
    expect(body).toEqual({ success: true, token: expect.any(String), user: { email } });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/),
      // The browser remains known for 180 days.
      expect.stringMatching(/^device=\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/),
    ]);
    for (const headers of [{ cookie: cookiesOf(response) }, { authorization: `Bearer ${body.token}` }]) {
      const answer = await status(headers);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ user: { email }, openId: false });
    }
  });

  test('on a site with an https SITE_URL sets a cookie for https and this host only', async () => {
    await site.restart({ SITE_URL: 'https://www.firm.example', CONTEXT: 'dev' });
    const response = await signIn();
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=.*; Secure$/),
      expect.stringMatching(/^__Host-device=.*; Secure$/),
    ]);
  });

  test('does not trust a header about https', async () => {
    const response = await signIn({ headers: { 'x-forwarded-proto': 'https' } });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=(?!.*Secure)/),
      expect.stringMatching(/^device=(?!.*Secure)/),
    ]);
  });

  test('accepts an email address in another case, and stores the original one', async () => {
    const body = await (await signIn({ json: { email: 'Owner@Firm.example', password } })).json();
    expect(body.user.email).toBe(email);
  });

  test('accepts a password with accents that another keyboard composes of two characters', async () => {
    const accented = 'fünf grüne Häuser';
    const passwordHash = await hashPassword(accented);
    await site.services.stores.admins.create({ email: 'zoe@firm.example', passwordHash }, '2026-01-01T00:00:00Z');
    const json = { email: 'zoe@firm.example', password: accented.normalize('NFD') };
    expect((await signIn({ json })).status).toBe(200);
  });

  test.for([[{ email, password: 'wrong' }], [{ email: 'nobody@firm.example', password }]])(
    'with %j is refused with the same message',
    async ([json]) => {
      const response = await signIn({ json });
      expect(response.status).toBe(401);
      expect((await response.json()).message).toBe('The email address or password is incorrect.');
      expect(response.headers.get('set-cookie')).toBeNull();
    },
  );

  test('without scripts leads to the page in the form’s URL, even after wrong passwords, and never to another site', async () => {
    const sign = async (tried: string, referer: string) => {
      const response = await signIn({ json: undefined, form: { email, password: tried }, headers: { referer } });
      expect(response.status).toBe(303);
      return response.headers.get('location') ?? '';
    };
    const page = 'http://site.test/admin/sign-in?returnTo=';
    expect(await sign(password, `${page}%2Fadmin%3Fsubmission%3D1`)).toBe('/admin?submission=1');
    const wrong = await sign('wrong', `${page}%2Fadmin%3Fsubmission%3D1`);
    expect(wrong).toBe('/admin/sign-in?returnTo=%2Fadmin%3Fsubmission%3D1#invalid');
    expect(await sign(password, `http://site.test${wrong}`)).toBe('/admin?submission=1');
    for (const elsewhere of ['//evil.example', 'https://evil.example', '/\\evil.example', '/\t/evil.example']) {
      expect(await sign(password, `${page}${encodeURIComponent(elsewhere)}`)).toBe('/admin');
    }
  });

  test('updates password hashes of earlier versions', async () => {
    const { admins } = site.services.stores;
    const former = await passwordsOf({ N: 32, r: 1, p: 1 }).hash(password);
    await admins.setPassword(email, former, '2026-01-01T00:00:00Z');
    expect((await signIn({ json: { email, password: 'wrong' } })).status).toBe(401);
    expect((await admins.get(email))?.passwordHash).toBe(former);
    expect((await signIn()).status).toBe(200);
    expect((await admins.get(email))?.passwordHash).toMatch(/^scrypt\$4\$1\$1\$/);
    expect((await signIn()).status).toBe(200);
    // The cost of a running site, which the other tests do not use.
    expect(fullCost).toEqual({ N: 2 ** 15, r: 8, p: 3 });
  });

  test.for([
    ['', '/admin/sign-in'],
    ['?returnTo=/admin%3Fsubmission%3D1', '/admin/sign-in?returnTo=%2Fadmin%3Fsubmission%3D1'],
    ['?returnTo=//evil.example', '/admin/sign-in'],
    ['/callback?code=x&state=x', '/admin/sign-in'],
  ])('without an OpenID provider, /api/login%s leads to %s', async ([asked, location]) => {
    expect((await site.ask(`/api/login${asked}`)).headers.get('location')).toBe(location);
  });
});

describe('A session', () => {
  test('is recent for ten minutes after each sign-in', async () => {
    const isFresh = async (cookie: string) =>
      (await site.ask('/api/auth/fresh', { headers: { cookie } })).status === 200;
    const first = cookiesOf(await signIn());
    site.advance(10 * 60_000);
    expect(await isFresh(first)).toBe(true);
    site.advance(1_000);
    expect(await isFresh(first)).toBe(false);
    expect(await isFresh(cookiesOf(await signIn({ headers: { cookie: first } })))).toBe(true);
  });

  test('ends when its admin signs in again in the same browser, so a stolen copy stops working', async () => {
    const stolen = cookiesOf(await signIn());
    const again = cookiesOf(await signIn({ headers: { cookie: stolen } }));
    expect((await status({ cookie: stolen })).status).toBe(401);
    expect((await status({ cookie: again })).status).toBe(200);
  });

  test('ends with a sign-out, wherever its token is stored', async () => {
    const response = await signIn();
    const { token } = await response.json();
    const out = await site.ask('/api/logout', {
      method: 'POST',
      headers: { cookie: cookiesOf(response) },
    });
    expect(out.status).toBe(200);
    expect(out.headers.get('set-cookie')).toMatch(/^session=; .*Max-Age=0/);
    expect(out.headers.get('clear-site-data')).toBe('"cache"');
    expect((await status({ cookie: cookiesOf(response) })).status).toBe(401);
    expect((await status({ authorization: `Bearer ${token}` })).status).toBe(401);
  });

  test('ends after a week, even with constant use', async () => {
    const cookie = cookiesOf(await signIn());
    for (let day = 1; day <= 6; day += 1) {
      site.advance(24 * 3600_000);
      expect((await status({ cookie })).status).toBe(200);
    }
    site.advance(24 * 3600_000 - 1_000);
    expect((await status({ cookie })).status).toBe(200);
    site.advance(2_000);
    expect((await status({ cookie })).status).toBe(401);
  });

  test('ends after three days without use', async () => {
    const cookie = cookiesOf(await signIn());
    site.advance(3 * 24 * 3600_000 - 1_000);
    expect((await status({ cookie })).status).toBe(200);
    site.advance(3 * 24 * 3600_000 + 1_000);
    expect((await status({ cookie })).status).toBe(401);
  });

  test('that began while the clock was a year ahead ends when the clock is right again', async () => {
    const year = 365 * 24 * 3600_000;
    site.advance(year);
    const cookie = cookiesOf(await signIn());
    site.advance(-year);
    expect((await status({ cookie })).status).toBe(401);
  });

  test('with a cookie accepts requests from the site, and not from the same host with another scheme', async () => {
    const cookie = cookiesOf(await signIn());
    const release = (headers: Record<string, string>) =>
      site.ask('/api/contact/submissions/none/release', {
        method: 'POST',
        headers: { cookie, host: 'site.test', ...headers },
      });
    for (const scheme of ['ftp', 'javascript', 'file']) {
      expect((await release({ origin: `${scheme}://site.test` })).status, scheme).toBe(403);
    }
    expect((await release({ origin: 'http://site.test' })).status).toBe(404);
    expect((await release({ 'sec-fetch-site': 'same-origin' })).status).toBe(404);
  });

  test('over https does not accept requests from the site over plain http', async () => {
    await site.restart({ SITE_URL: 'https://www.firm.example', CONTEXT: 'dev' });
    const from = (origin: string) => signIn({ headers: { origin, host: 'www.firm.example' } });
    expect((await from('http://www.firm.example')).status).toBe(403);
    expect((await from('https://www.firm.example')).status).toBe(200);
  });
});
