import { beforeEach, describe, expect, test } from 'vitest';
import { apiFunctions } from '../../netlify/api-functions.ts';
import { useApi } from '../support/api.ts';
import { cookiesOf } from '../support/cookies.ts';

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

  test('does not make a stolen copy of the session recent: the copy is signed out', async () => {
    const stolen = cookiesOf(await signIn());
    site.advance(11 * 60_000);
    await signIn({ headers: { cookie: stolen } });
    const response = await site.ask('/api/auth/fresh', { headers: { cookie: stolen } });
    expect(response.status).toBe(401);
  });
});
