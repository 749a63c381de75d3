import { describe, expect, test } from 'vitest';
import { apiFunctions } from '../../../netlify/api-functions.ts';
import { owner, useApi } from '../../support/api/api.ts';
import { cookiesOf } from '../../support/api/cookies.ts';
import { hashPassword } from '../../support/api/passwords.ts';

const { email, password } = owner;
const site = useApi({ owner: true });
const { signIn } = site;

const office = '203.0.113.9';
/** Tries a wrong password. @param index the number of the guess; each has its own address unless one is given. */
const guess = (index: number, account = email, address = `198.51.100.${index}`) =>
  signIn({ json: { email: account, password: `guess ${index}` }, address });
const range = (length: number) => Array.from({ length }, (_, index) => index);
const statuses = (responses: Response[]) => responses.map(({ status }) => status);

describe('Guessing passwords', () => {
  test('is refused for some time after ten attempts from one address, even if they are simultaneous', async () => {
    const tries = await Promise.all(range(14).map((index) => guess(index, `a${index}@firm.example`, office)));
    expect(statuses(tries).toSorted()).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
    const refused = await signIn({ address: office });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('300');
    expect((await refused.json()).message).toBe('Too many attempts to sign in. Please try again in 5 minutes.');
    // The refused attempts did not count.
    site.advance(301_000);
    expect((await signIn({ address: office })).status).toBe(200);
  });

  test('of one account from many addresses leaves each address three attempts in 15 minutes', async () => {
    for (let round = 0; round < 3; round += 1) await Promise.all(range(9).map((index) => guess(index)));
    const again = await Promise.all(range(9).map((index) => guess(index)));
    expect(statuses(again)).toEqual(Array(9).fill(429));
    expect(Number(again[0]?.headers.get('retry-after'))).toBe(900);
    for (let index = 0; index < 3; index += 1) expect((await guess(index, email, office)).status).toBe(401);
    expect((await guess(4, email, office)).status).toBe(429);
    site.advance(901_000);
    expect((await signIn({ address: office })).status).toBe(200);
  });

  test('that is refused for one account leaves the other people of the network their attempts', async () => {
    for (let round = 0; round < 3; round += 1) await Promise.all(range(9).map((index) => guess(index)));
    const tries = await Promise.all(range(12).map(() => guess(0, email, office)));
    expect(statuses(tries).filter((status) => status === 429)).toHaveLength(9);
    expect((await guess(0, 'colleague@firm.example', office)).status).toBe(401);
  });

  test('of one account from one address leaves another address its ten attempts', async () => {
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(range(20).map((index) => guess(index, email, '198.51.100.7')));
    }
    for (let index = 0; index < 10; index += 1) expect((await guess(index, email, office)).status).toBe(401);
  });

  test('is counted across several instances', async () => {
    const instances = range(3).map(() => site.anotherProcess());
    const tries = await Promise.all(
      range(12).map((index) =>
        site.ask('/api/login', { json: { email: `c${index}@firm.example`, password: 'x' } }, instances[index % 3]!),
      ),
    );
    expect(statuses(tries).filter((status) => status === 429)).toHaveLength(2);
  });

  test('from one IPv6 network counts as one address', async () => {
    await Promise.all(range(10).map((index) => guess(index, `b${index}@firm.example`, `2001:db8:0:1::${index + 1}`)));
    expect((await signIn({ address: '2001:db8::1:ffff:0:0:1' })).status).toBe(429);
    expect((await signIn({ address: '2001:db8:0:2::1' })).status).toBe(200);
  });

  test('that ended before a clock was set back does not count', async () => {
    await Promise.all(range(10).map((index) => guess(index, email, office)));
    site.advance(-24 * 3600_000);
    expect((await signIn({ address: office })).status).toBe(200);
  });
});

describe('A browser in which an admin signed in before', () => {
  test('gets in with the right password, also from an office whose other people mistype, while others guess', async () => {
    const cookie = cookiesOf(await signIn({ address: office }));
    await Promise.all(range(12).map((index) => guess(index, `colleague${index}@firm.example`, office)));
    await Promise.all(range(94).map((index) => guess(index)));
    expect((await signIn({ address: office })).status).toBe(429);
    expect((await signIn({ address: office, headers: { cookie } })).status).toBe(200);
  });

  test('gets in even after many wrong passwords in it', async () => {
    const headers = { cookie: cookiesOf(await signIn()) };
    const wrong = () => signIn({ json: { email, password: 'wrong' }, address: office, headers });
    for (let index = 0; index < 12; index += 1) expect((await wrong()).status).toBe(401);
    expect((await signIn({ address: office, headers })).status).toBe(200);
    // A copied cookie does not allow more guesses.
    for (let index = 0; index < 20; index += 1) expect((await wrong()).status).toBe(401);
    expect((await wrong()).status).toBe(429);
  });

  test('is every other browser, whatever its cookie claims', async () => {
    await site.services.stores.admins.create(
      { email: 'else@firm.example', passwordHash: await hashPassword(password) },
      '2026-01-01T00:00:00Z',
    );
    const former = cookiesOf(await signIn());
    site.advance(181 * 24 * 3600_000);
    const cookies = {
      'made up': 'device=made-up',
      'of another admin': cookiesOf(await signIn({ json: { email: 'else@firm.example', password } })),
      'older than 180 days': former,
    };
    await Promise.all(range(10).map((index) => guess(index, `d${index}@firm.example`, office)));
    for (const [what, cookie] of Object.entries(cookies)) {
      expect((await signIn({ address: office, headers: { cookie } })).status, what).toBe(429);
    }
  });
});

/**
 * Sends requests while the check of another password lasts, and lets that check end when the queue is full.
 * @param refused how many of the requests a full queue refuses.
 */
async function whileAnotherChecks(requests: () => Promise<Response>[], refused: number): Promise<Response[]> {
  const held = Promise.withResolvers<boolean>();
  const passwords = { ...site.services.passwords, verify: () => held.promise };
  const slow = { json: { email, password: 'slow' }, address: '198.51.100.200' };
  const other = site.ask('/api/login', slow, { ...site.services, passwords });
  let answered = 0;
  const responses = requests().map((response) => response.finally(() => (answered += 1)));
  await expect.poll(() => answered, { interval: 10 }).toBe(refused);
  held.resolve(false);
  await other;
  return await Promise.all(responses);
}

describe('A flood of guesses from 94 addresses', () => {
  const flood = (account: (index: number) => string) =>
    range(94 * 3).map((index) => guess(index, account(index), `198.51.100.${index % 94}`));
  const atMadeUpAccounts = (index: number) => `a${index}@firm.example`;

  test.each([
    ['at the account', () => email],
    ['at made-up accounts', atMadeUpAccounts],
  ])('%s does not keep an admin out of a new browser', async (_, account) => {
    // One of the 200 that wait has to leave for the admin.
    const responses = await whileAnotherChecks(() => [...flood(account), signIn({ address: office })], 83);
    expect(responses.at(-1)?.status).toBe(200);
  });

  test('does not delay a known browser', async () => {
    const cookie = cookiesOf(await signIn());
    const known = () => signIn({ address: office, headers: { cookie } });
    const responses = await whileAnotherChecks(() => [...flood(atMadeUpAccounts), known()], 83);
    expect(responses.at(-1)?.status).toBe(200);
  });
});

test('Requests to sign in do not use up the limit of the other admins of the network, because each function has its own', async () => {
  const functions = Object.values(await apiFunctions());
  const functionOf = (path: string) => functions.find(({ routes }) => routes.some((route) => route.path === path));
  const signingIn = functionOf('/api/login');
  expect(signingIn?.config.rateLimit?.windowLimit).toBe(60);
  for (const path of ['/api/auth/status', '/api/settings/sessions', '/api/cms/blog-posts']) {
    expect(functionOf(path)?.config.rateLimit?.windowLimit, path).toBe(600);
    expect(functionOf(path), path).not.toBe(signingIn);
  }
});

describe('While more people sign in than the queue holds', () => {
  const person = (index: number) => `192.0.${1 + Math.floor(index / 200)}.${index % 200}`;
  const crowd = (sent: (index: number) => Parameters<typeof signIn>[0]) =>
    whileAnotherChecks(() => range(240).map((index) => signIn({ ...sent(index), address: person(index) })), 40);

  test('the others learn when to try again, and their attempts do not count', async () => {
    const responses = await crowd((index) => ({ json: { email: `a${index}@firm.example`, password: 'x' } }));
    const first = responses.findIndex(({ status }) => status === 503);
    expect(responses[first]?.headers.get('retry-after')).toBe('5');
    expect((await responses[first]?.json()).message).toMatch(/^Too many people are signing in right now/);
    for (let index = 0; index < 10; index += 1) {
      expect((await guess(index, email, person(first))).status).toBe(401);
    }
  });

  test('a form without scripts leads to the sign-in page with an explanation', async () => {
    const form = (index: number) => ({ email: `a${index}@firm.example`, password: 'x' });
    const responses = await crowd((index) => ({ json: undefined, form: form(index) }));
    expect(responses.map((response) => response.headers.get('location'))).toContain('/admin/sign-in#busy');
  });
});
