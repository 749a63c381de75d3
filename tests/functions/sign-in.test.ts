import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import authStatus from '../../netlify/functions/auth-status.ts';
import submissions from '../../netlify/functions/contact-submissions.ts';
import login from '../../netlify/functions/login.ts';
import logout from '../../netlify/functions/logout.ts';
import { hashPassword } from '../../netlify/server/auth/passwords.ts';
import { servicesOf } from '../../netlify/server/services.ts';
import { type Sent, type TestServices, call, testServices } from '../support/services.ts';

const email = 'owner@firm.example';
const password = 'correct horse battery';
const passwordHash = await hashPassword(password);

let site: TestServices;
const open = async (variables?: Record<string, string>) => {
  site = await testServices(variables);
  await site.services.stores.admins.createFirst({ email, passwordHash }, new Date().toISOString());
};
beforeEach(() => open());
afterEach(() => site.close());

const signIn = (changes: Sent = {}) =>
  call(login, '/api/login', site.services, { json: { email, password }, ...changes });
const status = (headers: { cookie: string } | { authorization: string }) =>
  call(authStatus, '/api/auth/status', site.services, { headers: { ...headers } });
const cookieOf = (response: Response) => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

describe('Signing in', () => {
  test('gives a cookie that scripts cannot read, and a token to a client that asks for JSON', async () => {
    const response = await signIn();
    expect(response.status).toBe(200);
    const body = await response.json();
    expect(body).toEqual({ success: true, token: expect.any(String), user: { email } });
    expect(response.headers.get('set-cookie')).toMatch(
      /^session=\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/,
    );
    for (const headers of [{ cookie: cookieOf(response) }, { authorization: `Bearer ${body.token}` }]) {
      const answer = await status(headers);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ user: { email } });
    }
  });

  test('on a site whose SITE_URL is https gives a cookie for https and this host alone', async () => {
    await site.close();
    await open({ SITE_URL: 'https://www.firm.example', CONTEXT: 'dev' });
    const response = await signIn();
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-session=.*; Secure$/);
  });

  test('takes no header as proof of https', async () => {
    const response = await signIn({ headers: { 'x-forwarded-proto': 'https' } });
    expect(response.headers.get('set-cookie')).toMatch(/^session=\S+; (?!.*Secure)/);
  });

  test('takes an address in another case, and stores the one that was created', async () => {
    const body = await (await signIn({ json: { email: 'Owner@Firm.example', password } })).json();
    expect(body.user.email).toBe(email);
  });

  test.for([[{ email, password: 'wrong' }], [{ email: 'nobody@firm.example', password }]])(
    'with %j is refused with the same words',
    async ([json]) => {
      const response = await signIn({ json });
      expect(response.status).toBe(401);
      expect((await response.json()).message).toBe('The email address or the password is not right.');
      expect(response.headers.get('set-cookie')).toBeNull();
    },
  );

  test('without scripts leads on to the page that was wanted, and never to another site', async () => {
    const form = (returnTo: string) => signIn({ json: undefined, form: { email, password, returnTo } });
    expect((await form('/admin?submission=1')).headers.get('location')).toBe('/admin?submission=1');
    for (const elsewhere of ['//evil.example', 'https://evil.example', '/\\evil.example', '/\t/evil.example']) {
      expect((await form(elsewhere)).headers.get('location')).toBe('/admin');
    }
  });

  test('without scripts leads on to the page that stands in the address of the form, however many tries it takes', async () => {
    const sign = (tried: string, referer: string) =>
      signIn({ json: undefined, form: { email, password: tried }, headers: { referer } });
    const page = 'http://site.test/admin/sign-in?returnTo=%2Fadmin%3Fsubmission%3D1';
    expect((await sign(password, page)).headers.get('location')).toBe('/admin?submission=1');
    const wrong = (await sign('wrong', page)).headers.get('location') ?? '';
    expect(wrong).toBe('/admin/sign-in?returnTo=%2Fadmin%3Fsubmission%3D1#invalid');
    expect((await sign(password, `http://site.test${wrong}`)).headers.get('location')).toBe('/admin?submission=1');
    const forged = 'http://site.test/admin/sign-in?returnTo=//evil.example';
    expect((await sign(password, forged)).headers.get('location')).toBe('/admin');
  });

  test('without scripts and with a wrong password leads back to the page that says so', async () => {
    const response = await signIn({ json: undefined, form: { email, password: 'wrong' } });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/admin/sign-in#invalid');
  });

  test('from a page of another site is refused', async () => {
    const response = await signIn({ headers: { origin: 'https://evil.example', host: 'site.test' } });
    expect(response.status).toBe(403);
  });

  test('GET leads to the sign-in page', async () => {
    const response = await call(login, '/api/login', site.services);
    expect(response.headers.get('location')).toBe('/admin/sign-in');
  });
});

describe('Guessing', () => {
  test('is refused for a while after ten tries by one address, also where they come at once', async () => {
    const tries = await Promise.all(
      Array.from({ length: 14 }, (_, index) => signIn({ json: { email: `a${index}@firm.example`, password: 'x' } })),
    );
    expect(tries.filter((response) => response.status === 429)).toHaveLength(4);
    const refused = await signIn();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBe(300);
    expect((await refused.json()).message).toBe('Too many attempts to sign in. Please try again in 5 minutes.');
    site.advance(301_000);
    expect((await signIn()).status).toBe(200);
  });

  test('at one account from many addresses is refused for a while, and the lock does not renew itself', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        signIn({ json: { email, password: 'x' }, address: `198.51.100.${index}` }),
      ),
    );
    expect((await signIn({ address: '203.0.113.9' })).status).toBe(429);
    site.advance(14 * 60_000);
    expect((await signIn({ address: '203.0.113.9' })).status).toBe(429);
    site.advance(61_000);
    expect((await signIn({ address: '203.0.113.9' })).status).toBe(200);
  });

  test('is counted together where several instances answer', async () => {
    const { env, database, now } = site.services;
    const instances = [
      site.services,
      servicesOf(env, database, site.blobs, now),
      servicesOf(env, database, site.blobs, now),
    ];
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        call(login, '/api/login', instances[index % 3] ?? site.services, {
          json: { email: `c${index}@firm.example`, password: 'x' },
        }),
      ),
    );
    expect(tries.filter((response) => response.status === 429)).toHaveLength(2);
  });

  test('from one IPv6 network counts as one address', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        signIn({ json: { email: `b${index}@firm.example`, password: 'x' }, address: `2001:db8:0:1::${index + 1}` }),
      ),
    );
    expect((await signIn({ address: '2001:db8::1:ffff:0:0:1' })).status).toBe(429);
    expect((await signIn({ address: '2001:db8:0:2::1' })).status).toBe(200);
  });
});

describe('A session', () => {
  test('ends by signing out, wherever its token is kept', async () => {
    const response = await signIn();
    const { token } = await response.json();
    const out = await call(logout, '/api/logout', site.services, {
      method: 'POST',
      headers: { cookie: cookieOf(response) },
    });
    expect(out.status).toBe(200);
    expect(out.headers.get('set-cookie')).toMatch(/^session=; .*Max-Age=0/);
    expect((await status({ cookie: cookieOf(response) })).status).toBe(401);
    expect((await status({ authorization: `Bearer ${token}` })).status).toBe(401);
  });

  test('ends after a week, however much it is used', async () => {
    const cookie = cookieOf(await signIn());
    for (let day = 1; day <= 6; day += 1) {
      site.advance(24 * 3600_000);
      expect((await status({ cookie })).status).toBe(200);
    }
    site.advance(24 * 3600_000 - 1_000);
    expect((await status({ cookie })).status).toBe(200);
    site.advance(2_000);
    expect((await status({ cookie })).status).toBe(401);
  });

  test('ends where nobody used it for three days', async () => {
    const cookie = cookieOf(await signIn());
    site.advance(3 * 24 * 3600_000 - 1_000);
    expect((await status({ cookie })).status).toBe(200);
    site.advance(3 * 24 * 3600_000 + 1_000);
    expect((await status({ cookie })).status).toBe(401);
  });

  test('cannot be made up, nor signed with another key, nor with none', async () => {
    const claims = () => new SignJWT({}).setSubject(email).setJti('made-up').setExpirationTime('1y');
    const foreign = await claims()
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('x'.repeat(32)));
    const own = await claims()
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(site.services.env.SESSION_SECRET));
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${own.split('.')[1]}.`;
    for (const token of [foreign, own, none, 'nonsense']) {
      expect((await status({ authorization: `Bearer ${token}` })).status).toBe(401);
    }
  });

  test('by cookie does not act for a page of another site', async () => {
    const cookie = cookieOf(await signIn());
    const release = (headers: Record<string, string>) =>
      call(submissions, '/api/contact/submissions/none/release', site.services, {
        method: 'POST',
        headers: { cookie, host: 'site.test', ...headers },
      });
    expect((await release({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await release({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await release({ 'sec-fetch-site': 'same-site', origin: 'http://other.site.test' })).status).toBe(403);
    expect((await release({ origin: 'http://site.test' })).status).toBe(404);
    expect((await release({ 'sec-fetch-site': 'same-origin' })).status).toBe(404);
  });
});

describe('Without a session', () => {
  test.for([
    ['GET', '/api/contact/submissions'],
    ['GET', '/api/contact/submissions.csv'],
    ['GET', '/api/contact/submissions/x'],
    ['POST', '/api/contact/submissions/x/release'],
    ['POST', '/api/contact/submissions/x/quarantine'],
    ['POST', '/api/contact/submissions/x/resend'],
  ])('%s %s is refused', async ([method, path]) => {
    const response = await call(submissions, path ?? '', site.services, { method: method ?? '' });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'unauthorized' });
  });
});
