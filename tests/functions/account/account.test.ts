import { beforeEach, describe, expect, test } from 'vitest';
import { owner, useApi } from '../../support/api/api.ts';
import { anotherSession, signedInAdmin } from '../../support/api/admins.ts';
import { takeLog } from '../../support/console.ts';
import { cookiesOf } from '../../support/api/cookies.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const { email, password } = owner;
const site = useApi({ owner: true, mail: true });
let headers: { authorization: string };
beforeEach(async () => {
  headers = await site.headers();
});

const statusOf = async (given: Record<string, string>) =>
  (await site.ask('/api/auth/status', { headers: given })).status;
const sessions = async () => (await (await site.ask('/api/settings/sessions', { headers })).json()).data;
const end = (path: string, given: { authorization?: string } = headers) =>
  site.ask(`/api/settings/sessions${path}`, { method: 'DELETE', headers: given });
const change = (json: unknown, given: Record<string, string> = headers) =>
  site.ask('/api/settings/password', { json, headers: given });
const signIn = (tried: string) => site.signIn({ json: { email, password: tried } });
const activity = async () => (await site.activity()).map(({ action, subject }) => `${action} ${subject}`.trim());

test('An admin can read everything while nothing can be written, such as on a full disk', async () => {
  site.advance(2 * 3_600_000);
  await site.services.database.read({ sql: 'PRAGMA query_only = ON', args: [] });
  expect(await sessions()).toHaveLength(1);
  expect(takeLog().join()).toContain('use of a session not recorded');
});

describe('An admin can see where they are signed in', () => {
  test('with the browser, the time of its last use, and which one is current', async () => {
    site.advance(3_600_000);
    await anotherSession(site.services, email, firefox);
    await signedInAdmin(site.services, 'else@firm.example');
    expect(await sessions()).toEqual([
      expect.objectContaining({ client: 'Firefox on Linux', current: false }),
      {
        id: expect.any(String),
        client: 'curl',
        createdAt: '2026-03-02T18:30:00.000Z',
        seenAt: '2026-03-02T19:30:00.000Z',
        expiresAt: '2026-03-09T18:30:00.000Z',
        current: true,
      },
    ]);
  });

  test('and can end one of them immediately', async () => {
    const other = await anotherSession(site.services, email, firefox);
    const [one] = (await sessions()).filter((session: { current: boolean }) => !session.current);
    expect(await (await end(`/${one.id}`)).json()).toEqual({ success: true, ended: 1 });
    expect(await statusOf(other)).toBe(401);
    expect(await statusOf(headers)).toBe(200);
    expect((await end(`/${one.id}`)).status).toBe(404);
    expect(await activity()).toEqual(['ended the session Firefox on Linux']);
  });

  test('and can end all their other sessions, but not those of other admins', async () => {
    const others = [await anotherSession(site.services), await anotherSession(site.services)];
    const colleague = await signedInAdmin(site.services, 'else@firm.example');
    expect(await (await end('')).json()).toEqual({ success: true, ended: 2 });
    expect(await Promise.all([...others, colleague, headers].map(statusOf))).toEqual([401, 401, 200, 200]);
  });

  test('but can never end a session of another admin', async () => {
    const colleague = await signedInAdmin(site.services, 'else@firm.example');
    const [theirs] = await site.services.stores.sessions.listOf('else@firm.example');
    expect((await end(`/${theirs?.id}`)).status).toBe(404);
    expect(await statusOf(colleague)).toBe(200);
  });
});

describe('An admin can change their password', () => {
  const next = 'a new and longer one';

  test('and is then signed out everywhere else, also in a stolen copy of the session', async () => {
    const other = await anotherSession(site.services);
    const stolen = cookiesOf(await signIn(password));
    const response = await change({ current: password, next }, { cookie: stolen });
    expect(await response.json()).toEqual({ success: true, ended: 2, passkeysRemoved: 0 });
    const cookie = cookiesOf(response);
    expect(await Promise.all([{ cookie }, headers, other, { cookie: stolen }].map(statusOf))).toEqual([
      200, 401, 401, 401,
    ]);
    expect((await site.ask('/api/auth/fresh', { headers: { cookie } })).status).toBe(200);
    expect((await signIn(password)).status).toBe(401);
    expect((await signIn(next)).status).toBe(200);
    expect(await activity()).toEqual([
      'signed in',
      'tried to sign in with a wrong password',
      'changed the password',
      'signed in',
    ]);
  });

  test('keeps other sessions and removes the passkeys if the admin wants both, and gets an email about the change', async () => {
    const other = await anotherSession(site.services);
    await site.services.stores.passkeys.create({
      ...{ id: 'one', email, name: 'Chrome on Linux', publicKey: 'x', counter: 0 },
      createdAt: '2026-03-01T00:00:00Z',
    });
    await signedInAdmin(site.services, 'else@firm.example');
    const wishes = { next, signOutElsewhere: false, removePasskeys: true };
    expect((await change({ current: 'not the password', ...wishes })).status).toBe(400);
    await site.tick();
    expect(site.mail.messages).toEqual([]);
    expect(await (await change({ current: password, ...wishes })).json()).toMatchObject({
      ended: 0,
      passkeysRemoved: 1,
    });
    expect(await statusOf(other)).toBe(200);
    expect(await site.services.stores.passkeys.listOf(email)).toEqual([]);
    await site.tick();
    expect(site.mail.messages.map(({ envelope }) => envelope.to)).toEqual([[email]]);
    expect(site.mail.messages[0]?.subject).toBe('Your Southbay ERP password was changed');
    expect(site.mail.messages[0]?.text).toContain(`The password for ${email} was changed.`);
    expect(site.mail.messages[0]?.text).not.toContain(next);
  });

  test('only with the current one, and wrong attempts are counted', async () => {
    for (let index = 0; index < 20; index += 1) {
      const response = await change({ current: `guess ${index}`, next });
      expect(response.status).toBe(400);
      expect((await response.json()).errors).toEqual({
        current: 'This is not your current password. Please try again.',
      });
    }
    const refused = await change({ current: password, next });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).not.toBeNull();
  });

  test.for([
    [{ current: password, next: 'too short' }, { next: 'Please use at least 12 characters.' }],
    [{ current: password, next: password }, { next: 'This is your current password. Please choose another one.' }],
    [{ next }, { current: 'Please enter your current password.' }],
    ...['passwordpassword', 'password123456', 'qwertyuiop12', 'aaaaaaaaaaaaa'].map((common) => [
      { current: password, next: common },
      { next: expect.stringContaining('too easy to guess') },
    ]),
    ...['correct-owner-horse', 'southbayerp42!x'].map((personal) => [
      { current: password, next: personal },
      { next: expect.stringContaining("without your email address or the firm's name") },
    ]),
  ])('but not to %j', async ([json, errors]) => {
    const response = await change(json);
    expect(response.status).toBe(400);
    expect((await response.json()).errors).toEqual(errors);
  });

  test('but not if the account has none', async () => {
    await site.services.stores.admins.ensure('oidc@firm.example', '2026-01-01T00:00:00Z');
    const given = await anotherSession(site.services, 'oidc@firm.example');
    const response = await change({ current: 'anything at all', next }, given);
    expect(response.status).toBe(409);
  });
});
