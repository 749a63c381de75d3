import { beforeEach, describe, expect, test } from 'vitest';
import { apiFunctions } from '../../netlify/api-functions.ts';
import { owner, useApi } from '../support/api.ts';
import { anotherSession } from '../support/admins.ts';
import { softAuthenticator } from '../support/authenticator.ts';
import { cookiesOf } from '../support/cookies.ts';
import type { Sent } from '../support/services.ts';

const functions = await apiFunctions();

/** All routes that an attacker could use to take over an account, or to read or erase people's data. */
const sensitive = [
  'DELETE /api/settings/passkeys/:id',
  'GET /api/auth/fresh',
  'GET /api/contact/applications.csv',
  'GET /api/contact/submissions.csv',
  'POST /api/contact/erase',
  'POST /api/contact/personal-data.json',
  'POST /api/settings/passkeys',
  'POST /api/settings/passkeys/options',
];
const routes = Object.values(functions).flatMap((handler) =>
  handler.routes.map((route) => ({ handler, route, is: `${route.method} ${route.path}` })),
);

const { email, password } = owner;
const site = useApi({ owner: true });
const { signIn } = site;
let headers: { authorization: string };
beforeEach(async () => {
  headers = await site.headers();
});

const isFresh = async (given: Record<string, string>) =>
  (await site.ask('/api/auth/fresh', { headers: given })).status === 200;

describe('A session whose admin signed in more than ten minutes ago', () => {
  test.for(routes.filter(({ is }) => sensitive.includes(is)).map(({ is, ...one }) => [is, one] as const))(
    'is refused at %s, and asked to confirm',
    async ([, { route }]) => {
      const path = `${route.path.replace(':id', 'x')}?email=a@b.example`;
      const send = () =>
        site.ask(path, {
          method: route.method,
          headers,
          ...(route.method === 'POST' && { json: { email: 'a@b.example' } }),
        });
      site.advance(10 * 60_000);
      const allowed = await send();
      expect(allowed.status).not.toBe(403);
      // Cancels exports, because an export that is not read delays the next exports for up to a minute.
      await allowed.body?.cancel();
      site.advance(1_000);
      const response = await send();
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        code: 'fresh_sign_in',
        message: "Please confirm that it's you. Sign in again, then repeat this step.",
      });
    },
  );

  test('can do everything else', async () => {
    site.advance(11 * 60_000);
    const response = await site.ask('/api/settings/sessions', { headers });
    expect(response.status).toBe(200);
  });
});

test('The sensitive routes are those that the API document says need a recent sign-in', async () => {
  expect(
    routes
      .filter(({ route }) => route.spec.fresh)
      .map(({ is }) => is)
      .sort(),
  ).toEqual(sensitive);
  const { paths } = await (await site.ask('/api/openapi.json')).json();
  expect(paths['/api/contact/erase'].post.description).toMatch(/^Requires a sign-in within the last 10 minutes/);
  expect(paths['/api/contact/erase'].post.responses['403'].description).toMatch(
    /^`forbidden_origin`: [\s\S]*`fresh_sign_in`: /,
  );
  expect(paths['/api/contact/submissions.csv'].get.responses['403'].description).toMatch(/^`fresh_sign_in`: /);
});

describe('Signing in again', () => {
  test('by password makes the session recent for ten minutes', async () => {
    const first = cookiesOf(await signIn());
    site.advance(11 * 60_000);
    expect(await isFresh({ cookie: first })).toBe(false);
    const again = cookiesOf(await signIn({ headers: { cookie: first } }));
    expect(await isFresh({ cookie: again })).toBe(true);
  });

  test('by passkey also makes the session recent', async () => {
    const authenticator = softAuthenticator('site.test');
    const send = (path: string, sent: Sent) => site.ask(path, { method: 'POST', ...sent });
    const challenge = async (path: string) => (await (await send(path, { headers })).json()).challenge as string;
    const origin = 'http://site.test';
    const made = authenticator.create({ origin, challenge: await challenge('/api/settings/passkeys/options') });
    expect((await send('/api/settings/passkeys', { json: made, headers })).status).toBe(201);
    site.advance(11 * 60_000);
    expect(await isFresh(headers)).toBe(false);
    const answer = authenticator.answer({ origin, challenge: await challenge('/api/login/passkey/options') });
    const again = cookiesOf(await send('/api/login/passkey', { json: answer, headers }));
    expect(await isFresh({ cookie: again })).toBe(true);
  });

  test('does not make a stolen copy of the session recent: the copy is signed out', async () => {
    const stolen = cookiesOf(await signIn());
    site.advance(11 * 60_000);
    await signIn({ headers: { cookie: stolen } });
    const response = await site.ask('/api/auth/fresh', { headers: { cookie: stolen } });
    expect(response.status).toBe(401);
  });
});

describe('Changing the password', () => {
  const next = 'a new and longer one';
  const change = (json: Record<string, unknown>, given: Record<string, string>) =>
    site.ask('/api/settings/password', {
      json: { current: password, next, ...json },
      headers: given,
    });
  const statusOf = async (given: Record<string, string>) =>
    (await site.ask('/api/auth/status', { headers: given })).status;

  test('ends a stolen copy of the session that changes it, and continues with a new session', async () => {
    const stolen = cookiesOf(await signIn());
    const response = await change({}, { cookie: stolen });
    expect(response.status).toBe(200);
    expect(await statusOf({ cookie: stolen })).toBe(401);
    expect(await statusOf({ cookie: cookiesOf(response) })).toBe(200);
    expect(await isFresh({ cookie: cookiesOf(response) })).toBe(true);
  });

  test('keeps other sessions if requested', async () => {
    const other = await anotherSession(site.services, email);
    expect(await (await change({ signOutElsewhere: false }, headers)).json()).toMatchObject({ ended: 0 });
    expect(await statusOf(other)).toBe(200);
  });

  test('removes the passkeys if requested', async () => {
    const add = (id: string) =>
      site.services.stores.passkeys.create({
        id,
        email,
        name: 'Chrome on Linux',
        publicKey: 'x',
        counter: 0,
        createdAt: '2026-03-01T00:00:00Z',
      });
    await Promise.all([add('one'), add('two')]);
    expect(await (await change({ removePasskeys: true }, headers)).json()).toMatchObject({ passkeysRemoved: 2 });
    expect(await site.services.stores.passkeys.listOf(email)).toEqual([]);
  });

  test.for([
    'passwordpassword',
    'password123456',
    'qwertyuiop12',
    'correct-owner-horse',
    'southbayerp42!x',
    'aaaaaaaaaaaaa',
  ])('to %s is refused with the reason', async (common) => {
    const response = await change({ next: common }, headers);
    expect(response.status).toBe(400);
    const { errors } = await response.json();
    expect(errors.next).toMatch(/too easy to guess|without your email address or the firm's name/);
    expect((await signIn()).status).toBe(200);
  });
});
