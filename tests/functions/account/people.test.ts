import { AuthenticatorEmulator, PasskeysCredentialsMemoryRepository, WebAuthnEmulator } from 'nid-webauthn-emulator';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSetUpLink } from '../../../netlify/server/people/set-up.ts';
import { owner, useApi } from '../../support/api/api.ts';
import { takeLog } from '../../support/console.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const jane = 'jane@firm.example';
const password = 'four unrelated words here';
const site = useApi({ owner: true, mail: true });

const people = () =>
  site.read<{ data: { email: string }[]; invitations: { email: string; expiresAt: string }[] }>('/api/settings/people');
const invite = (email = jane) => site.admin('/api/settings/invitations', { json: { email } });
const linkIn = (text = '') => /\/admin\/set-up#(?<token>[\w-]{43})/.exec(text)?.groups?.token ?? '';
/** Invites a person. @returns the token of the link in the email. */
const invited = async (email = jane): Promise<string> => {
  expect((await invite(email)).status).toBe(200);
  return linkIn(site.mail.messages.findLast(({ envelope }) => envelope.to.includes(email))?.text);
};
const open = (token: string) => site.ask('/api/login/set-up/options', { json: { token } });
const setUp = (token: string, credential: object = { password }) =>
  site.ask('/api/login/set-up', { json: { token, ...credential } });
const signIn = (email: string, tried: string) => site.ask('/api/login', { json: { email, password: tried } });
const remove = (email: string) => site.admin('/api/settings/people/remove', { json: { email } });
const withdraw = () => site.admin('/api/settings/invitations/withdraw', { json: { email: jane } });
const recover = (code: string, email = owner.email) => site.ask('/api/login/recovery-code', { json: { email, code } });
const newCodes = async () =>
  (await site.read<{ codes: string[] }>('/api/settings/recovery-codes', { method: 'POST' })).codes;
const subjects = async () => {
  await site.tick();
  return site.mail.messages.map(({ envelope, subject }) => `${envelope.to.join()}: ${subject}`);
};
const statusOf = async (headers: Record<string, string>) => (await site.ask('/api/auth/status', { headers })).status;
let authenticator: WebAuthnEmulator;
beforeEach(() => {
  const credentialsRepository = new PasskeysCredentialsMemoryRepository();
  authenticator = new WebAuthnEmulator(new AuthenticatorEmulator({ credentialsRepository }));
});
const passkeyFor = async (token: string) => {
  const { options } = await (await open(token)).json();
  return authenticator.createJSON('http://site.test', options, ['http://site.test']);
};

describe('An invited person', () => {
  test('becomes an admin with the link and a good password, and every admin gets an email', async () => {
    const token = await invited();
    expect((await signIn(jane, password)).status).toBe(401);
    expect(await (await open(token)).json()).toMatchObject({ email: jane, invited: true });
    expect(await (await setUp(token, { password: 'password123456' })).json()).toMatchObject({
      errors: { password: expect.stringContaining('too easy to guess') },
    });
    expect((await setUp(token, {})).status).toBe(400);
    const joined = await setUp(token);
    expect(joined.headers.get('set-cookie')).toMatch(/^session=/);
    const bearer = { authorization: `Bearer ${(await joined.json()).token}` };
    expect(await statusOf(bearer)).toBe(200);
    expect((await signIn(jane, password)).status).toBe(200);
    expect(await people()).toMatchObject({
      data: [
        { email: owner.email },
        {
          email: jane,
          hasPassword: true,
          passkeys: 0,
          companyAccount: false,
          recoveryCodes: 0,
          signedInAt: '2026-03-02T18:30:00.000Z',
        },
      ],
      invitations: [],
    });
    expect(await site.activity()).toMatchObject([
      { who: jane, action: 'signed in' },
      { who: jane, action: `accepted the invitation of ${owner.email}` },
      { action: expect.stringContaining('tried to sign in') },
      { who: owner.email, action: 'invited', subject: jane },
    ]);
    const told = await subjects();
    for (const to of [owner.email, jane]) expect(told.join('\n')).toMatch(new RegExp(`${to}: New admin of`));
  });

  test('becomes an admin with a passkey instead', async () => {
    const token = await invited();
    const passkey = await passkeyFor(token);
    expect((await setUp(token, { passkey: { ...passkey, response: {} } })).status).toBe(400);
    expect((await setUp(token, { passkey })).status).toBe(200);
    const options = await (await site.ask('/api/login/passkey/options', { method: 'POST' })).json();
    const answer = authenticator.getJSON('http://site.test', options, ['http://site.test']);
    expect(await (await site.ask('/api/login/passkey', { json: answer })).json()).toMatchObject({
      user: { email: jane },
    });
  });

  test('cannot use the link twice, after an hour, after a newer one, or after it was withdrawn', async () => {
    const gone = async (token: string) => {
      for (const answer of [await open(token), await setUp(token)]) {
        expect(answer.status).toBe(404);
        expect((await answer.json()).message).toMatch(/^This link is incomplete/);
      }
    };
    await gone('nonsense');
    const first = await invited();
    const second = await invited();
    await gone(first);
    site.advance(60 * minute);
    await gone(second);
    // An expired invitation stays in the list for a week, so that it can be sent again.
    expect((await people()).invitations).toMatchObject([{ email: jane, expiresAt: '2026-03-02T19:30:00.000Z' }]);
    await site.renewSession();
    const third = await invited();
    expect((await withdraw()).status).toBe(200);
    await gone(third);
    expect((await withdraw()).status).toBe(404);
    const fourth = await invited();
    const answers = await Promise.all([setUp(fourth), setUp(fourth)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    await gone(fourth);
  });

  test('who became an admin in another way cannot use the link, so nobody else can set their password', async () => {
    const token = await invited();
    await site.colleague(jane);
    expect((await open(token)).status).toBe(404);
    expect((await setUp(token)).status).toBe(404);
    expect((await people()).invitations).toEqual([]);
    const again = await invite(jane.toUpperCase());
    expect(again.status).toBe(409);
    expect((await again.json()).errors.email).toMatch(/is already an admin/);
  });

  test('cannot use a link of an admin who was removed while the link was made', async () => {
    const { path } = await createSetUpLink(jane, 'removed@firm.example', site.services);
    expect((await open(linkIn(path))).status).toBe(404);
    expect((await setUp(linkIn(path))).status).toBe(404);
  });

  test('cannot use a link that was made while the clock was ahead, because it would work for too long', async () => {
    site.advance(2 * day);
    const { path } = await createSetUpLink(jane, owner.email, site.services);
    expect((await open(linkIn(path))).status).toBe(200);
    site.advance(-2 * day);
    expect((await open(linkIn(path))).status).toBe(404);
  });

  test('is forgotten a week after the link expired, and when their data is erased', async () => {
    await invited();
    await site.passTime(8 * day);
    await site.renewSession();
    expect((await people()).invitations).toEqual([]);
    await invited();
    const copy = await site.admin('/api/contact/personal-data.json', { json: { email: jane } });
    expect((await copy.json()).invitations).toMatchObject([{ email: jane, invitedBy: owner.email }]);
    const erased = await site.admin('/api/contact/erase', { json: { email: jane } });
    expect(await erased.json()).toMatchObject({ invitations: 1 });
    expect((await people()).invitations).toEqual([]);
    expect(JSON.stringify(await site.activity())).not.toContain(jane);
  });
});

describe('An invitation', () => {
  test('has its token only in the email: not in the database, not in the log', async () => {
    const token = await invited();
    expect(token).not.toBe('');
    const stored = await site.rows(`SELECT group_concat(token || email) AS text FROM set_up_links
      UNION ALL SELECT group_concat(text) FROM outbox UNION ALL SELECT group_concat(subject) FROM activity`);
    expect(JSON.stringify(stored)).toContain(jane);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(takeLog()).toEqual([]);
  });

  test('shows its link to the admin if the mail server refuses the email or none is set up', async () => {
    site.mail.fail('refuse-recipients');
    const refused = await (await invite()).json();
    expect(takeLog().join()).toContain('invitation not sent');
    expect((await open(linkIn(refused.setUpLink))).status).toBe(200);
    await site.restart({ SMTP_URL: '' });
    const shown = await (await invite()).json();
    expect((await open(linkIn(shown.setUpLink))).status).toBe(200);
  });

  test('is refused if there are 20 others, or after 20 in an hour', async () => {
    for (let index = 0; index < 20; index += 1) expect((await invite(`p${index}@firm.example`)).status).toBe(200);
    const late = await invite();
    expect(late.status).toBe(429);
    expect(late.headers.get('retry-after')).toBe('3600');
    site.advance(61 * minute);
    await site.renewSession();
    expect((await invite()).status).toBe(409);
    expect((await invite('p0@firm.example')).status).toBe(200);
  });
});

describe('A removed admin', () => {
  test('loses sessions, passkeys, codes, share links, invitations and unsaved texts; their posts keep their name', async () => {
    const token = await invited();
    const passkey = await passkeyFor(token);
    const { token: bearer } = await (await setUp(token, { passkey })).json();
    const headers = { authorization: `Bearer ${bearer}` };
    const text = { title: 'Half a plan', content: '<p>Words.</p>' };
    await site.ask('/api/cms/unsaved/post/plan', { method: 'PUT', headers, json: { text } });
    await site.ask('/api/cms/blog-posts/plan/links', { method: 'POST', headers });
    await site.ask('/api/settings/recovery-codes', { method: 'POST', headers });
    await site.ask('/api/settings/invitations', { headers, json: { email: 'friend@firm.example' } });
    expect((await remove(jane)).status).toBe(200);
    expect(await statusOf(headers)).toBe(401);
    expect((await people()).data.map(({ email }) => email)).toEqual([owner.email]);
    expect((await people()).invitations).toEqual([]);
    for (const table of ['passkeys', 'recovery_codes', 'share_links', 'unsaved', 'sessions']) {
      expect(await site.rows(`SELECT * FROM ${table} WHERE email = '${jane}'`), table).toEqual([]);
    }
    expect((await remove(jane)).status).toBe(404);
    expect(await site.activity()).toContainEqual({ who: owner.email, action: 'removed the admin', subject: jane });
    expect(await subjects()).toContainEqual(expect.stringMatching(/^owner@firm\.example: Admin removed from /));
    expect(site.mail.messages.at(-1)?.text).not.toContain('OIDC');
  });

  test('can sign in again with a company account that OIDC_ALLOWED_EMAILS names, and the email says so', async () => {
    const issuer = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'site' };
    await site.restart({ ...issuer, OIDC_ALLOWED_EMAILS: '@firm.example' });
    await site.colleague(jane);
    await remove(jane);
    await site.tick();
    expect(site.mail.messages.at(-1)?.text).toContain('remove the address, or its domain, from OIDC_ALLOWED_EMAILS');
  });

  test('is never the last one who can sign in with a password or a passkey', async () => {
    await site.services.stores.admins.ensure('company@firm.example', '2026-01-01T00:00:00Z');
    const refused = await remove(owner.email);
    expect(refused.status).toBe(409);
    expect((await refused.json()).message).toMatch(/no other admin can sign in/);
    const token = await invited();
    await setUp(token, { passkey: await passkeyFor(token) });
    // An admin may remove themselves, which ends their session.
    expect((await remove(owner.email)).status).toBe(200);
    expect((await site.admin('/api/settings/people')).status).toBe(401);
  });

  test('does not come back from ADMIN_PASSWORD while an admin has a passkey', async () => {
    await site.restart({ ADMIN_EMAIL: owner.email, ADMIN_PASSWORD: owner.password });
    const token = await invited();
    await setUp(token, { passkey: await passkeyFor(token) });
    await remove(owner.email);
    expect((await signIn(owner.email, owner.password)).status).toBe(401);
  });
});

describe('A recovery code', () => {
  test('signs in once, an email says so, and a new password ends the other sessions', async () => {
    const codes = await newCodes();
    expect(new Set(codes).size).toBe(10);
    const code = codes[3] ?? '';
    const answer = await recover(` ${code.toUpperCase().replaceAll('-', ' ')}`);
    expect(answer.status).toBe(200);
    const { token, setUpLink } = await answer.json();
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(200);
    expect((await recover(code)).status).toBe(401);
    expect((await people()).data).toMatchObject([{ recoveryCodes: 9 }]);

    expect(await (await open(linkIn(setUpLink))).json()).toMatchObject({ email: owner.email, invited: false });
    expect((await setUp(linkIn(setUpLink))).status).toBe(200);
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(401);
    expect((await signIn(owner.email, owner.password)).status).toBe(401);
    expect((await signIn(owner.email, password)).status).toBe(200);
    const told = (await subjects()).join('\n');
    for (const subject of [/New recovery codes/, /Recovery code used/, /password was changed/])
      expect(told).toMatch(subject);
    expect(told).not.toMatch(/Invitation/);
    // A new password alone would leave codes that a thief has created.
    expect(site.mail.messages.find(({ subject }) => subject?.startsWith('New recovery codes'))?.text).toContain(
      'replace your recovery codes',
    );
    expect((await site.activity()).map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'created recovery codes',
        'signed in with a recovery code',
        'tried to sign in with a wrong recovery code',
        'set a new password or passkey',
      ]),
    );
  });

  test('has a link that still works after another admin was removed', async () => {
    const [code = ''] = await newCodes();
    await setUp(await invited());
    const { setUpLink } = await (await recover(code)).json();
    expect((await remove(jane)).status).toBe(200);
    expect((await setUp(linkIn(setUpLink))).status).toBe(200);
  });

  test('has a link that ends with a new password, so whoever stole the code cannot set another one', async () => {
    const [code = ''] = await newCodes();
    const { setUpLink } = await (await recover(code)).json();
    expect((await open(linkIn(setUpLink))).status).toBe(200);
    const change = { current: owner.password, next: password };
    expect((await site.admin('/api/settings/password', { json: change })).status).toBe(200);
    expect((await open(linkIn(setUpLink))).status).toBe(404);
  });

  test('takes the same work for an unknown email address, so nobody learns who the admins are', async () => {
    const workFor = async (email: string) => {
      const { services, statements } = site.counted();
      const sent = { json: { email, code: 'wrong' } };
      expect((await site.ask('/api/login/recovery-code', sent, services)).status).toBe(401);
      return statements;
    };
    await newCodes();
    expect(await workFor('nobody@firm.example')).toEqual(await workFor(owner.email));
  });

  test('is stored as a hash, and new codes replace it', async () => {
    const [code = ''] = await newCodes();
    expect(JSON.stringify(await site.rows('SELECT * FROM recovery_codes'))).not.toContain(code.slice(0, 5));
    await newCodes();
    expect((await recover(code)).status).toBe(401);
  });

  test('works only for its admin, and wrong codes count as wrong passwords', async () => {
    const [code = ''] = await newCodes();
    await site.colleague(jane);
    expect((await recover(code, jane)).status).toBe(401);
    for (let index = 0; index < 9; index += 1) expect((await recover('wrong')).status).toBe(401);
    expect((await recover(code)).status).toBe(429);
    expect((await site.signIn()).status).toBe(429);
  });
});
