import { beforeEach, describe, expect, test } from 'vitest';
import { useApi } from '../support/api.ts';
import { softAuthenticator } from '../support/authenticator.ts';
import { takeLog } from '../support/console.ts';
import { cookiesOf } from '../support/cookies.ts';
import type { Sent } from '../support/services.ts';

const origin = 'http://site.test';
// Emails are stored only if a mail server is configured. Nothing is sent in these tests.
const site = useApi({
  owner: true,
  variables: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@firm.example' },
});
let headers: { authorization: string };
let authenticator: ReturnType<typeof softAuthenticator>;
beforeEach(async () => {
  headers = await site.headers();
  authenticator = softAuthenticator('site.test');
});

const send = (path: string, sent: Sent = {}) => site.ask(path, { method: 'POST', ...sent });
const challengeOf = async (path: string, given: Record<string, string> = {}): Promise<string> =>
  (await (await send(path, { headers: given })).json()).challenge;
const newChallenge = () => challengeOf('/api/settings/passkeys/options', headers);
const signInChallenge = () => challengeOf('/api/login/passkey/options');

const add = async (changes: { origin?: string; challenge?: string } = {}) => {
  const place = { origin, challenge: await newChallenge(), ...changes };
  return await send('/api/settings/passkeys', { json: authenticator.create(place), headers });
};
const signIn = async (changes: { origin?: string; challenge?: string } = {}) => {
  const place = { origin, challenge: await signInChallenge(), ...changes };
  return await send('/api/login/passkey', { json: authenticator.answer(place) });
};

describe('A passkey', () => {
  test('that an admin added signs them in, and both are recorded', async () => {
    const added = await add();
    expect(added.status).toBe(201);
    const answer = await signIn();
    expect(answer.status).toBe(200);
    const { token, user } = await answer.json();
    expect(user).toEqual({ email: 'owner@firm.example' });
    expect(answer.headers.get('set-cookie')).toMatch(/^session=/);
    const status = await site.ask('/api/auth/status', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status.status).toBe(200);
    const list = await (await send('/api/settings/passkeys', { method: 'GET', headers })).json();
    expect(list.data).toEqual([
      {
        id: authenticator.id,
        name: 'Unknown browser',
        createdAt: '2026-03-02T18:30:00.000Z',
        usedAt: '2026-03-02T18:30:00.000Z',
      },
    ]);
    expect(await site.activity()).toMatchObject([
      { action: 'signed in with a passkey' },
      { action: 'added the passkey' },
    ]);
  });

  test('uses a challenge that is valid once, for five minutes, and for no other purpose', async () => {
    await add();
    const challenge = await signInChallenge();
    expect((await signIn({ challenge })).status).toBe(200);
    expect((await signIn({ challenge })).status).toBe(401);
    const late = await signInChallenge();
    site.advance(301_000);
    expect((await signIn({ challenge: late })).status).toBe(401);
    expect((await signIn({ challenge: await newChallenge() })).status).toBe(401);
    expect((await signIn({ challenge: 'bWFkZS11cA' })).status).toBe(401);
    expect(takeLog()).toHaveLength(4);
  });

  test('cannot be used by a page of another site', async () => {
    expect((await add({ origin: 'http://evil.test' })).status).toBe(400);
    await add();
    expect((await signIn({ origin: 'http://evil.test' })).status).toBe(401);
    const challenge = await signInChallenge();
    const answer = await send('/api/login/passkey', {
      json: authenticator.answer({ origin, challenge }),
      headers: { origin: 'https://evil.example', host: 'site.test' },
    });
    expect(answer.status).toBe(403);
    takeLog();
  });

  test('that was copied is refused when its counter is behind', async () => {
    await add();
    await signIn();
    authenticator.setCounter(0);
    expect((await signIn()).status).toBe(401);
    takeLog();
  });

  test('that is unknown or was removed cannot sign in', async () => {
    expect((await signIn()).status).toBe(401);
    await add();
    const remove = (given: Record<string, string>) =>
      send(`/api/settings/passkeys/${authenticator.id}`, { method: 'DELETE', headers: given });
    expect((await remove({ ...(await site.colleague('else@firm.example')) })).status).toBe(404);
    expect((await remove(headers)).status).toBe(200);
    expect((await signIn()).status).toBe(401);
  });

  test('is added once, and only by the admin who requested it', async () => {
    await add();
    expect((await add()).status).toBe(400);
    const other = await site.colleague('else@firm.example');
    authenticator = softAuthenticator('site.test');
    const json = authenticator.create({ origin, challenge: await newChallenge() });
    expect((await send('/api/settings/passkeys', { json, headers: other })).status).toBe(400);
  });
});

describe('Passkeys belong to the host name of SITE_URL', () => {
  beforeEach(async () => {
    await site.restart({ SITE_URL: 'https://www.firm.example', CONTEXT: 'dev' });
    headers = await site.headers();
    authenticator = softAuthenticator('www.firm.example');
  });

  test('even if the request and its headers name another host', async () => {
    const forged = { ...headers, host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const options = await (await send('/api/settings/passkeys/options', { headers: forged })).json();
    expect(options.rp.id).toBe('www.firm.example');
    const asked = await (
      await send('/api/login/passkey/options', { headers: { 'x-forwarded-host': 'evil.example' } })
    ).json();
    expect(asked.rpId).toBe('www.firm.example');
  });

  test('and are created and used only at its origin', async () => {
    expect((await add({ origin: 'http://site.test' })).status).toBe(400);
    expect((await add({ origin: 'https://www.firm.example' })).status).toBe(201);
    expect((await signIn({ origin: 'https://www.firm.example' })).status).toBe(200);
    expect((await signIn({ origin: 'http://site.test' })).status).toBe(401);
    takeLog();
  });
});

test('An admin gets an email about each passkey that is added or removed, and about a sign-in in a new browser', async () => {
  await add();
  await signIn();
  await send(`/api/settings/passkeys/${authenticator.id}`, { method: 'DELETE', headers });
  const sent = await site.rows('SELECT recipient, subject, text FROM outbox WHERE submission IS NULL ORDER BY rowid');
  expect(sent.map(({ recipient, subject }) => [recipient, subject])).toEqual([
    ['owner@firm.example', 'Passkey added to your Southbay ERP account'],
    ['owner@firm.example', 'New sign-in to your Southbay ERP account'],
    ['owner@firm.example', 'Passkey removed from your Southbay ERP account'],
  ]);
  expect(sent[1]?.text).toContain(
    'Someone signed in as owner@firm.example in a browser that this account has not used before.',
  );
  expect(sent[1]?.text).toMatch(/When: Monday, March 2, 2026 at 10:30:00\sAM PST\nFrom: Unknown browser/);
  expect(sent[1]?.text).toContain("If it wasn't you, sign in, change your password under Settings");
});

test('A sign-in in a browser that the admin used before sends no email', async () => {
  await add();
  const cookie = cookiesOf(await signIn());
  const json = authenticator.answer({ origin, challenge: await signInChallenge() });
  await send('/api/login/passkey', { json, headers: { cookie } });
  expect(await site.rows("SELECT 1 FROM outbox WHERE key LIKE 'new-sign-in:%'")).toHaveLength(1);
});
