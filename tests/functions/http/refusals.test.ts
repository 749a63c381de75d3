import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiFunctions } from '../../../netlify/api-functions.ts';
import { endSession } from '../../../netlify/server/auth/sessions.ts';
import { lendPlatform } from '../../../netlify/server/platform.ts';
import { anotherSession, signedInAdmin } from '../../support/api/admins.ts';
import { type TestServices, call, testServices } from '../../support/api/services.ts';

const routes = Object.values(await apiFunctions()).flatMap((handler) =>
  handler.routes.map(({ method, path, spec }) => ({
    ...{ handler, method, path, access: spec.access, fresh: spec.fresh === true },
    address: path.replaceAll(/:\w+/g, 'x'),
  })),
);
const adminRoutes = routes.filter(({ access }) => access === 'admin');
const day = 24 * 60 * 60_000;

let site: TestServices;
/** Headers of requests without a valid session, keyed by the problem. */
const invalid: Record<string, Record<string, string>> = {};
let cookie: string;
/** Headers of a session whose admin signed in ten minutes and a second ago. */
let old: { authorization: string };
beforeAll(async () => {
  site = await testServices();
  const { services, advance } = site;
  lendPlatform({ env: services.env, openBlobStore: site.blobs });
  const expired = await signedInAdmin(services);
  advance(8 * day);
  old = await anotherSession(services);
  advance(601_000);
  const valid = await anotherSession(services);
  const signedOut = await anotherSession(services);
  await endSession(new Request('http://site.test', { headers: signedOut }), services);
  const ofFormerAdmin = await signedInAdmin(services, 'former@firm.example');
  await services.stores.admins.createFirst({ email: 'first@firm.example', passwordHash: 'a hash' }, '2026-01-01');
  expect(await services.stores.admins.remove('former@firm.example')).toBe(true);

  const token = valid.authorization.slice('Bearer '.length);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string };
  const signedBy = (key: string) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(key));
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`;
  Object.assign(invalid, {
    'no session': {},
    'an expired session': expired,
    'a session that was signed out': signedOut,
    'the session of a former admin': ofFormerAdmin,
    'a token signed with another key': { authorization: `Bearer ${await signedBy('x'.repeat(32))}` },
    'an unsigned token': { authorization: `Bearer ${unsigned}` },
    'an unsigned token in the cookie': { cookie: `session=${unsigned}` },
    'a token that is no token': { authorization: 'Bearer nonsense' },
    'a password in the header': { authorization: `Basic ${btoa('owner@firm.example:no hash')}` },
  });
  cookie = `session=${token}`;
});
afterAll(async () => {
  lendPlatform(undefined);
  await site.close();
});

test.for(adminRoutes.filter(({ fresh }) => fresh))(
  '$method $path asks an admin who signed in more than ten minutes ago to confirm',
  async ({ handler, method, address }) => {
    const sent = { method, headers: old, ...(method === 'POST' && { json: { email: 'a@b.example' } }) };
    const response = await call(handler, `${address}?email=a@b.example`, site.services, sent);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      code: 'fresh_sign_in',
      message: "Please confirm that it's you. Sign in again, then repeat this step.",
    });
  },
);

test.for(adminRoutes)(
  '$method $path refuses every request without a valid session',
  async ({ handler, method, address }) => {
    for (const [what, headers] of Object.entries(invalid)) {
      const response = await call(handler, address, site.services, { method, headers });
      expect(response.status, what).toBe(401);
      expect(await response.json(), what).toMatchObject({ code: 'unauthorized' });
    }
  },
);

test.for(adminRoutes.filter(({ method }) => method !== 'GET'))(
  '$method $path refuses an admin’s cookie from another site',
  async ({ handler, method, address }) => {
    const otherSites: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://other.site.test' },
    ];
    for (const from of otherSites) {
      const headers = { cookie, host: 'site.test', ...from };
      const response = await call(handler, address, site.services, { method, headers });
      expect(response.status, JSON.stringify(from)).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'forbidden_origin' });
    }
  },
);

test('These routes, with which an attacker could take over an account or read or erase people’s data, are sensitive', async () => {
  const sensitive = routes.filter(({ fresh }) => fresh).map(({ method, path }) => `${method} ${path}`);
  expect(sensitive.sort()).toEqual([
    'DELETE /api/settings/passkeys/:id',
    'GET /api/auth/fresh',
    'GET /api/contact/applications.csv',
    'GET /api/contact/submissions.csv',
    'POST /api/contact/erase',
    'POST /api/contact/personal-data.json',
    'POST /api/settings/invitations',
    'POST /api/settings/passkeys',
    'POST /api/settings/passkeys/options',
    'POST /api/settings/people/remove',
    'POST /api/settings/recovery-codes',
  ]);
});

test('No URL contains an email address, because logs of proxies contain URLs', () => {
  expect(routes.filter(({ path }) => path.includes('email'))).toEqual([]);
});

test('Visitors can use only these routes without a session', () => {
  const others = routes.filter((route) => !adminRoutes.includes(route));
  expect(others.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'GET /api/auth/status',
    'GET /api/cms/blog-posts/published',
    'GET /api/cms/content/:key',
    'GET /api/cms/content/published',
    'GET /api/health',
    'GET /api/login',
    'GET /api/login/callback',
    'GET /api/settings',
    'GET /uploads/:id/:name',
    'GET /uploads/logo',
    'POST /api/career-application',
    'POST /api/contact',
    'POST /api/login',
    'POST /api/login/passkey',
    'POST /api/login/passkey/options',
    'POST /api/login/recovery-code',
    'POST /api/login/set-up',
    'POST /api/login/set-up/options',
    'POST /api/logout',
    'POST /api/uploads',
    'PUT /api/uploads/:id/parts/:part',
  ]);
});

test('The session of these tests is valid', async () => {
  const status = adminRoutes.find(({ path }) => path === '/api/settings/sessions');
  const response = await call(status!.handler, '/api/settings/sessions', site.services, { headers: { cookie } });
  expect(response.status).toBe(200);
});
