import {
  AuthenticatorEmulator,
  PasskeysCredentialsMemoryRepository,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  WebAuthnEmulator,
} from 'nid-webauthn-emulator';
import { beforeEach, describe, expect, test } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { takeLog } from '../../support/console.ts';
import { cookiesOf } from '../../support/api/cookies.ts';
import type { Sent } from '../../support/api/services.ts';

const siteUrl = 'http://site.test';
// Emails are stored only if a mail server is configured. Nothing is sent in these tests.
const site = useApi({
  owner: true,
  variables: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@firm.example' },
});
let headers: { authorization: string };
let authenticator: WebAuthnEmulator;
beforeEach(async () => {
  headers = await site.headers();
  const credentialsRepository = new PasskeysCredentialsMemoryRepository();
  authenticator = new WebAuthnEmulator(new AuthenticatorEmulator({ credentialsRepository }));
});

const send = (path: string, sent: Sent = {}) => site.ask(path, { method: 'POST', ...sent });
const newPasskeyOptions = async (): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  (await send('/api/settings/passkeys/options', { headers })).json();
const signInOptions = async (): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  (await send('/api/login/passkey/options')).json();

/** Creates a passkey, also for a page of another site, where a browser would refuse. */
const create = async (origin = siteUrl) => authenticator.createJSON(origin, await newPasskeyOptions(), [origin]);
const add = async (origin?: string) => await send('/api/settings/passkeys', { json: await create(origin), headers });
/** Answers a challenge with the passkey, also for a page of another site. */
const answer = async (options = signInOptions(), origin = siteUrl) =>
  authenticator.getJSON(origin, await options, [origin]);
const signIn = async (...given: Parameters<typeof answer>) =>
  await send('/api/login/passkey', { json: await answer(...given) });
const remove = async (id: string, given: Record<string, string> = headers) =>
  await send(`/api/settings/passkeys/${id}`, { method: 'DELETE', headers: given });

describe('A passkey', () => {
  test('that an admin added signs them in, and both are recorded', async () => {
    const created = await create();
    expect((await send('/api/settings/passkeys', { json: created, headers })).status).toBe(201);
    const signedIn = await signIn();
    expect(signedIn.status).toBe(200);
    const { token, user } = await signedIn.json();
    expect(user).toEqual({ email: 'owner@firm.example' });
    expect(signedIn.headers.get('set-cookie')).toMatch(/^session=/);
    const status = await site.ask('/api/auth/status', { headers: { authorization: `Bearer ${token}` } });
    expect(status.status).toBe(200);
    const list = await (await send('/api/settings/passkeys', { method: 'GET', headers })).json();
    expect(list.data).toEqual([
      {
        id: created.id,
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

  test('makes a session recent again', async () => {
    await add();
    site.advance(11 * 60_000);
    expect((await site.ask('/api/auth/fresh', { headers })).status).toBe(403);
    const cookie = cookiesOf(await send('/api/login/passkey', { json: await answer(), headers }));
    expect((await site.ask('/api/auth/fresh', { headers: { cookie } })).status).toBe(200);
  });

  test('uses a challenge that is valid once, for five minutes, and for no other purpose', async () => {
    await add();
    const options = await signInOptions();
    expect((await signIn(Promise.resolve(options))).status).toBe(200);
    const late = await signInOptions();
    site.advance(301_000);
    const { challenge } = await newPasskeyOptions();
    const invalid = [options, late, { ...late, challenge }, { ...late, challenge: 'bWFkZS11cA' }];
    for (const given of invalid) expect((await signIn(Promise.resolve(given))).status).toBe(401);
    expect(takeLog()).toHaveLength(4);
  });

  test('cannot be used by a page of another site', async () => {
    expect((await add('http://evil.test')).status).toBe(400);
    await add();
    expect((await signIn(signInOptions(), 'http://evil.test')).status).toBe(401);
    const from = { origin: 'https://evil.example', host: 'site.test' };
    expect((await send('/api/login/passkey', { json: await answer(), headers: from })).status).toBe(403);
    takeLog();
  });

  test('that was copied is refused when its counter is behind', async () => {
    await add();
    const copy = await answer();
    expect((await signIn()).status).toBe(200);
    expect((await send('/api/login/passkey', { json: copy })).status).toBe(401);
    takeLog();
  });

  test('that was removed cannot sign in, and only its admin removes it', async () => {
    const { id } = await (await add()).json();
    expect((await remove(id, await site.colleague('else@firm.example'))).status).toBe(404);
    expect((await remove(id)).status).toBe(200);
    expect((await signIn()).status).toBe(401);
  });

  test('is not removed if no one could sign in without it', async () => {
    await site.services.stores.admins.setPassword('owner@firm.example', '', '2026-01-01T00:00:00Z');
    const { id } = await (await add()).json();
    const refused = await remove(id);
    expect(refused.status).toBe(409);
    expect((await refused.json()).message).toMatch(/no one could sign in without it. First add another passkey/);
    expect((await signIn()).status).toBe(200);
    await site.colleague('else@firm.example');
    expect((await remove(id)).status).toBe(200);
  });

  test('can be removed if a company account can sign in', async () => {
    const email = 'owner@firm.example';
    const issuer = 'http://127.0.0.1:9';
    await site.restart({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'site', OIDC_ALLOWED_EMAILS: email });
    headers = await site.headers();
    await site.services.stores.admins.setPassword(email, '', '2026-01-01T00:00:00Z');
    const { id } = await (await add()).json();
    expect((await remove(id)).status).toBe(409);
    await site.services.stores.identities.create({ issuer, subject: 'one' }, email, '2026-01-01T00:00:00Z');
    expect((await remove(id)).status).toBe(200);
  });

  test('is added once, and only by the admin who requested it', async () => {
    const created = await create();
    const { response } = await create();
    const other = await site.colleague('else@firm.example');
    expect((await send('/api/settings/passkeys', { json: created, headers: other })).status).toBe(400);
    expect((await send('/api/settings/passkeys', { json: created, headers })).status).toBe(201);
    // No signature covers the challenge of a new passkey, so the same passkey can answer another challenge.
    const again = { ...created, response: { ...created.response, clientDataJSON: response.clientDataJSON } };
    expect((await send('/api/settings/passkeys', { json: again, headers })).status).toBe(400);
  });
});

describe('Passkeys belong to the host name of SITE_URL', () => {
  const firmUrl = 'https://www.firm.example';
  beforeEach(async () => {
    await site.restart({ SITE_URL: firmUrl, CONTEXT: 'dev' });
    headers = await site.headers();
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
    expect((await add(siteUrl)).status).toBe(400);
    expect((await add(firmUrl)).status).toBe(201);
    expect((await signIn(signInOptions(), firmUrl)).status).toBe(200);
    expect((await signIn(signInOptions(), siteUrl)).status).toBe(401);
    takeLog();
  });
});

test('An admin gets an email about each passkey that is added or removed, and about a sign-in in a new browser', async () => {
  const { id } = await (await add()).json();
  const cookie = cookiesOf(await signIn());
  // A sign-in in a browser that the admin used before sends no email.
  await send('/api/login/passkey', { json: await answer(), headers: { cookie } });
  await remove(id);
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
  expect(sent[1]?.text).toContain("If it wasn't you, sign in and open Settings. Change your password");
});
