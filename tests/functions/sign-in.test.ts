import { scryptSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import account from '../../netlify/functions/account.ts';
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

// Each password takes a tenth of a second of processor time, and several seconds on a machine with many other
// processes.
vi.setConfig({ testTimeout: 60_000 });

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
/** Returns all cookies of a response, as a browser sends them back. */
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
const cookieOf = (response: Response) => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

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
    for (const headers of [{ cookie: cookieOf(response) }, { authorization: `Bearer ${body.token}` }]) {
      const answer = await status(headers);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ user: { email }, openId: false });
    }
  });

  test('on a site with an https SITE_URL sets a cookie for https and this host only', async () => {
    await site.close();
    await open({ SITE_URL: 'https://www.firm.example', CONTEXT: 'dev' });
    const response = await signIn();
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=.*; Secure$/),
      expect.stringMatching(/^__Host-device=.*; Secure$/),
    ]);
  });

  test('does not trust a header about https', async () => {
    const response = await signIn({ headers: { 'x-forwarded-proto': 'https' } });
    for (const cookie of response.headers.getSetCookie()) expect(cookie).toMatch(/^(session|device)=(?!.*Secure)/);
  });

  test('accepts an email address in another case, and stores the original one', async () => {
    const body = await (await signIn({ json: { email: 'Owner@Firm.example', password } })).json();
    expect(body.user.email).toBe(email);
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

  test('without scripts leads to the requested page, and never to another site', async () => {
    const form = (returnTo: string) => signIn({ json: undefined, form: { email, password, returnTo } });
    expect((await form('/admin?submission=1')).headers.get('location')).toBe('/admin?submission=1');
    for (const elsewhere of ['//evil.example', 'https://evil.example', '/\\evil.example', '/\t/evil.example']) {
      expect((await form(elsewhere)).headers.get('location')).toBe('/admin');
    }
  });

  test('without scripts leads to the page in the form’s URL, even after wrong passwords', async () => {
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

  test('without scripts and with a wrong password returns to the page with an error', async () => {
    const response = await signIn({ json: undefined, form: { email, password: 'wrong' } });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/admin/sign-in#invalid');
  });

  test('from a page of another site is refused', async () => {
    const response = await signIn({ headers: { origin: 'https://evil.example', host: 'site.test' } });
    expect(response.status).toBe(403);
  });

  test('with GET opens the sign-in page', async () => {
    const response = await call(login, '/api/login', site.services);
    expect(response.headers.get('location')).toBe('/admin/sign-in');
  });
});

describe('Guessing passwords', () => {
  test('is refused for some time after ten attempts from one address, even if they are simultaneous', async () => {
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

  const guess = (index: number) =>
    signIn({ json: { email, password: `guess ${index}` }, address: `198.51.100.${index}` });
  test('never locks an admin out of a known browser', async () => {
    const cookie = cookiesOf(await signIn());
    const guesses = Promise.all(Array.from({ length: 30 }, (_, index) => guess(index)));
    const response = await signIn({ address: '203.0.113.9', headers: { cookie } });
    expect(response.status).toBe(200);
    const statuses = (await guesses).map(({ status }) => status);
    // Three guesses are checked immediately, four more wait for up to four seconds, and all others are refused.
    expect(statuses.filter((status) => status === 401)).toHaveLength(7);
    expect(statuses.filter((status) => status === 429)).toHaveLength(23);
  });

  test('delays an admin in a new browser by seconds, and never locks them out', async () => {
    for (let index = 0; index < 10; index += 1) {
      expect((await guess(index)).status).toBe(401);
      site.advance(5_000);
    }
    expect((await signIn({ address: '203.0.113.9' })).status).toBe(200);
  });

  test('in a known browser counts for that browser only, ten times in 15 minutes', async () => {
    const cookie = cookiesOf(await signIn());
    const address = (index: number) => `203.0.113.${index}`;
    const wrong = (index: number) =>
      signIn({ json: { email, password: `guess ${index}` }, address: address(index), headers: { cookie } });
    for (let index = 0; index < 10; index += 1) expect((await wrong(index)).status).toBe(401);
    const refused = await signIn({ address: address(20), headers: { cookie } });
    expect(refused.status).toBe(429);
    expect((await refused.json()).message).toBe('Too many attempts to sign in. Please try again in 15 minutes.');
    expect((await signIn({ address: address(21) })).status).toBe(200);
    site.advance(15 * 60_000 + 1_000);
    expect((await signIn({ address: address(22), headers: { cookie } })).status).toBe(200);
  });

  test.for([
    ['made up', async (): Promise<string> => 'device=made-up'],
    ['of another admin', () => anotherAdminsCookies()],
    ['of a browser that its admin signed out', () => signedOutCookies()],
    ['older than 180 days', () => oldCookies()],
  ] as const)('is slow if the browser’s cookie is %s', async ([, cookies]) => {
    const cookie = await cookies();
    const refused = await takeEveryTurn();
    expect((await signIn({ address: '203.0.113.9', headers: { cookie } })).status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    expect((await refused.json()).message).toMatch(/^Too many attempts to sign in\. Please try again in \d seconds\.$/);
  });
  /** Uses all attempts that the account allows in the next four seconds. @returns the response to one more guess. */
  const takeEveryTurn = async (): Promise<Response> => {
    const at = site.services.now().getTime();
    for (let taken = 0; taken < 10; taken += 1) await openAt(at + taken, `198.51.100.${taken}`);
    return await guess(99);
  };
  const openAt = (ms: number, address: string): Promise<{ id: number | null; startsAt?: string }> => {
    const iso = (time: number) => new Date(time).toISOString();
    return site.services.stores.signInAttempts.open(
      { address, account: email, client: null, at: iso(ms) },
      {
        most: 10,
        addressSince: iso(ms - 300_000),
        clientSince: iso(ms - 900_000),
        accountSince: iso(ms - 900_000),
        free: 3,
        firstGap: 0.25,
        largestGap: 4,
        latestStart: iso(ms + 4_000),
      },
    );
  };

  test('of one account from many addresses is limited to three attempts and then one every four seconds', async () => {
    const starts: number[] = [];
    const begin = site.services.now().getTime();
    for (let try_ = 0; try_ < 1_200; try_ += 1) {
      const opened = await openAt(begin + try_ * 250, `2001:db8:${try_}::1`);
      if (opened.id !== null) starts.push(Date.parse(opened.startsAt ?? '') - begin);
    }
    // An attacker tries four times a second for five minutes. The first attempts are allowed more often, while the gap
    // grows to four seconds.
    expect(starts.length).toBeLessThanOrEqual(300 / 4 + 7);
    expect(starts.length).toBeGreaterThan(50);
    const gaps = starts.slice(8).map((start, index) => start - (starts[index + 7] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4_000);
  });

  const anotherAdminsCookies = async (): Promise<string> => {
    await site.services.stores.admins.create({ email: 'else@firm.example', passwordHash }, '2026-01-01T00:00:00Z');
    return cookiesOf(await signIn({ json: { email: 'else@firm.example', password } }));
  };
  const signedOutCookies = async (): Promise<string> => {
    const cookie = cookiesOf(await signIn());
    const other = cookiesOf(await signIn());
    const ended = await call(account, '/api/settings/sessions', site.services, {
      method: 'DELETE',
      headers: { cookie: other },
    });
    expect(ended.status).toBe(200);
    return cookie;
  };
  const oldCookies = async (): Promise<string> => {
    const cookie = cookiesOf(await signIn());
    site.advance(181 * 24 * 3600_000);
    return cookie;
  };

  test('is counted across several instances', async () => {
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

describe('A flood of sign-ins', () => {
  test('does not block files and known browsers, and other visitors learn when to try again', async () => {
    const cookie = cookiesOf(await signIn());
    let answered = 0;
    const flood = Array.from({ length: 60 }, async (_, index) => {
      const response = await signIn({
        json: { email: `a${index}@firm.example`, password: 'x' },
        address: `198.51.100.${index}`,
      });
      if (response.status === 401) answered += 1;
      return response;
    });
    // By now every request of the flood is being checked, is waiting, or has been refused.
    await Promise.any(flood);
    for (let read = 0; read < 20; read += 1) await readFile('package.json');
    const answeredMeanwhile = answered;
    expect((await signIn({ address: '203.0.113.9', headers: { cookie } })).status).toBe(200);
    const responses = await Promise.all(flood);
    expect(answeredMeanwhile).toBeLessThan(answered);
    const refused = responses.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(60 - answered);
    // One check runs and twelve wait. When a check ends, a request that arrives later can wait in its place.
    expect(answered).toBeGreaterThanOrEqual(13);
    expect(answered).toBeLessThan(40);
    for (const response of refused) {
      expect(response.headers.get('retry-after')).toBe('5');
      expect((await response.json()).message).toMatch(/^Too many people are signing in right now/);
    }
  });

  test('without scripts leads to the sign-in page with an explanation', async () => {
    const flood = Array.from({ length: 14 }, (_, index) =>
      signIn({
        json: undefined,
        form: { email: `a${index}@firm.example`, password: 'x' },
        address: `198.51.100.${index}`,
      }),
    );
    const places = (await Promise.all(flood)).map((response) => response.headers.get('location'));
    expect(places).toContain('/admin/sign-in#busy');
  });

  test('updates password hashes of earlier versions', async () => {
    const { admins } = site.services.stores;
    // 'correct horse battery', hashed with the parameters of the first version.
    const salt = Buffer.alloc(16, 7);
    const key = scryptSync(password, salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 });
    const former = ['scrypt', 17, 8, 1, salt.toString('base64url'), key.toString('base64url')].join('$');
    await admins.setPassword(email, former, '2026-01-01T00:00:00Z');
    expect((await signIn({ json: { email, password: 'wrong' } })).status).toBe(401);
    expect((await admins.get(email))?.passwordHash).toBe(former);
    expect((await signIn()).status).toBe(200);
    expect((await admins.get(email))?.passwordHash).toMatch(/^scrypt\$15\$8\$3\$/);
    expect((await signIn()).status).toBe(200);
  });
});

describe('A session', () => {
  test('ends when its admin signs in again in the same browser, so a stolen copy stops working', async () => {
    const stolen = cookiesOf(await signIn());
    const again = cookiesOf(await signIn({ headers: { cookie: stolen } }));
    expect((await status({ cookie: stolen })).status).toBe(401);
    expect((await status({ cookie: again })).status).toBe(200);
  });

  test('ends with a sign-out, wherever its token is stored', async () => {
    const response = await signIn();
    const { token } = await response.json();
    const out = await call(logout, '/api/logout', site.services, {
      method: 'POST',
      headers: { cookie: cookieOf(response) },
    });
    expect(out.status).toBe(200);
    expect(out.headers.get('set-cookie')).toMatch(/^session=; .*Max-Age=0/);
    expect(out.headers.get('clear-site-data')).toBe('"cache"');
    expect((await status({ cookie: cookieOf(response) })).status).toBe(401);
    expect((await status({ authorization: `Bearer ${token}` })).status).toBe(401);
  });

  test('ends after a week, even with constant use', async () => {
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

  test('ends after three days without use', async () => {
    const cookie = cookieOf(await signIn());
    site.advance(3 * 24 * 3600_000 - 1_000);
    expect((await status({ cookie })).status).toBe(200);
    site.advance(3 * 24 * 3600_000 + 1_000);
    expect((await status({ cookie })).status).toBe(401);
  });

  test('cannot be forged', async () => {
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

  test('with a cookie does not accept requests from another site', async () => {
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
