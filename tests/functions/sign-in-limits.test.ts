import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import account from '../../netlify/functions/account.ts';
import login from '../../netlify/functions/login.ts';
import { fullCost } from '../../netlify/server/runtime/passwords.ts';
import { servicesOf } from '../../netlify/server/services.ts';
import { call } from '../support/services.ts';
import { cookiesOf, email, password, passwordHash, usePasswordSignIn } from '../support/password-sign-in.ts';
import { quickCost } from '../support/passwords.ts';

const admin = usePasswordSignIn();
const { signIn } = admin;

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
    admin.site.advance(301_000);
    expect((await signIn()).status).toBe(200);
  });

  const guess = (index: number) =>
    signIn({ json: { email, password: `guess ${index}` }, address: `198.51.100.${index}` });
  test('never locks an admin out of a known browser, and is limited to one every four seconds in all others', async () => {
    const cookie = cookiesOf(await signIn());
    const guesses = Promise.all(Array.from({ length: 30 }, (_, index) => guess(index)));
    const response = await signIn({ address: '203.0.113.9', headers: { cookie } });
    expect(response.status).toBe(200);
    const statuses = (await guesses).map(({ status }) => status);
    // Three guesses are checked immediately, four more wait for up to four seconds, and all others are refused.
    expect(statuses.filter((status) => status === 401)).toHaveLength(7);
    expect(statuses.filter((status) => status === 429)).toHaveLength(23);
    // A minute later, one guess is checked immediately and one after four seconds.
    admin.site.advance(60_000);
    const later = await Promise.all(Array.from({ length: 5 }, (_, index) => guess(40 + index)));
    expect(later.map(({ status }) => status).toSorted()).toEqual([401, 401, 429, 429, 429]);
  });

  test('delays an admin in a new browser by seconds, and never locks them out', async () => {
    for (let index = 0; index < 10; index += 1) {
      expect((await guess(index)).status).toBe(401);
      admin.site.advance(5_000);
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
    admin.site.advance(15 * 60_000 + 1_000);
    expect((await signIn({ address: address(22), headers: { cookie } })).status).toBe(200);
  });

  test('is slow in every other browser, whatever its cookie claims', async () => {
    const former = cookiesOf(await signIn());
    admin.site.advance(181 * 24 * 3600_000);
    const cookies = {
      'made up': 'device=made-up',
      'of another admin': await anotherAdminsCookies(),
      'of a browser that its admin signed out': await signedOutCookies(),
      'older than 180 days': former,
    };
    await Promise.all(Array.from({ length: 7 }, (_, index) => guess(index)));
    for (const [what, cookie] of Object.entries(cookies)) {
      const refused = await signIn({ address: '203.0.113.9', headers: { cookie } });
      expect(refused.status, what).toBe(429);
      expect(Number(refused.headers.get('retry-after')), what).toBeLessThanOrEqual(10);
      expect((await refused.json()).message).toMatch(
        /^Too many attempts to sign in\. Please try again in \d seconds\.$/,
      );
    }
  });

  const anotherAdminsCookies = async (): Promise<string> => {
    await admin.site.services.stores.admins.create(
      { email: 'else@firm.example', passwordHash },
      '2026-01-01T00:00:00Z',
    );
    return cookiesOf(await signIn({ json: { email: 'else@firm.example', password } }));
  };
  const signedOutCookies = async (): Promise<string> => {
    const cookie = cookiesOf(await signIn());
    const other = cookiesOf(await signIn());
    const ended = await call(account, '/api/settings/sessions', admin.site.services, {
      method: 'DELETE',
      headers: { cookie: other },
    });
    expect(ended.status).toBe(200);
    return cookie;
  };
  test('is counted across several instances', async () => {
    const { env, database, now } = admin.site.services;
    const instances = [
      admin.site.services,
      servicesOf(env, database, admin.site.blobs, now, undefined, quickCost),
      servicesOf(env, database, admin.site.blobs, now, undefined, quickCost),
    ];
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        call(login, '/api/login', instances[index % 3] ?? admin.site.services, {
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
  // A check of a password must take longer than the arrival of the other requests.
  beforeEach(() => admin.restart({}, fullCost));

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
    // After the first response and some turns of the event loop, every request of the flood is being checked, is waiting,
    // or has been refused.
    await Promise.any(flood);
    for (let read = 0; read < 20; read += 1) await readFile('package.json');
    const answeredMeanwhile = answered;
    expect((await signIn({ address: '203.0.113.9', headers: { cookie } })).status).toBe(200);
    const responses = await Promise.all(flood);
    expect(answeredMeanwhile).toBeLessThan(answered);
    const refused = responses.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(60 - answered);
    // One check runs and twelve requests wait. When a check ends, one more request can wait.
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
});
