import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { text } from '../../netlify/server/db/database.ts';
import { type OpenIdProvider, openIdClient, startOpenIdProvider } from './openid-provider.ts';
import { useApi } from './api.ts';

export const callback = 'http://site.test/api/login/callback';
export const accounts = {
  owner: { email: 'Owner@Firm.example', email_verified: true },
  ann: { email: 'ann@partner.example', email_verified: true },
  silent: { email: 'silent@firm.example' },
  worded: { email: 'worded@firm.example', email_verified: 'true' },
  unverified: { email: 'owner@firm.example', email_verified: false },
  unverifiedInWords: { email: 'owner@firm.example', email_verified: 'false' },
  stranger: { email: 'owner@elsewhere.example', email_verified: true },
  lookalike: { email: 'owner@not-firm.example', email_verified: true },
  subdomain: { email: 'owner@sub.firm.example', email_verified: true },
  twofold: { email: 'owner@firm.example@elsewhere.example', email_verified: true },
  nameless: {},
};

export function configuration({ issuer }: OpenIdProvider): Record<string, string> {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: openIdClient.id,
    OIDC_CLIENT_SECRET: openIdClient.secret,
    OIDC_ALLOWED_EMAILS: '@firm.example, ann@partner.example',
    // Emails are stored only if a mail server is configured. Nothing is sent in these tests.
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@firm.example',
  };
}

export const pathOf = (url: URL) => url.pathname + url.search;

/** Provides one OpenID provider, new services for each test, and the steps of a browser. Call it once in a file. */
export function useOpenIdSignIn() {
  let provider: OpenIdProvider;
  const site = useApi();
  beforeAll(async () => {
    provider = await startOpenIdProvider({ callback });
  });
  beforeEach(async () => {
    Object.assign(provider, { accounts, alterTokens: null, silentAt: null });
    await site.restart(configuration(provider));
  });
  afterAll(() => provider.close());

  /** Makes a request like a browser. @returns the redirect target and the browser's cookies. */
  async function visit(path: string, held: Record<string, string> = {}, headers: Record<string, string> = {}) {
    const cookie = Object.entries(held)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const response = await site.ask(path, { headers: { accept: 'text/html', cookie, ...headers } });
    const cookies = { ...held };
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) delete cookies[name];
      else cookies[name] = value;
    }
    return { response, cookies, location: response.headers.get('location') ?? '' };
  }

  /** Returns the stored emails to admins. */
  async function noticesSent(): Promise<{ recipient: string; subject: string }[]> {
    const rows = await site.rows('SELECT recipient, subject FROM outbox WHERE submission IS NULL');
    return rows.map(({ recipient, subject }) => ({ recipient: text(recipient), subject: text(subject) }));
  }

  /** Signs in at the provider, but does not follow the redirect to the callback. */
  async function goToProvider(as: string | null, path = '/api/login') {
    const begun = await visit(path);
    expect(begun.location).toMatch(provider.issuer);
    return { cookies: begun.cookies, back: await provider.visit(begun.location, as) };
  }

  async function signIn(as: string | null, path?: string) {
    const { cookies, back } = await goToProvider(as, path);
    return await visit(pathOf(back), cookies);
  }

  async function signedInAs(cookies: Record<string, string>): Promise<string | null> {
    const headers = { cookie: `session=${cookies.session}` };
    const response = await site.ask('/api/auth/status', { headers });
    return response.status === 200 ? (await response.json()).user.email : null;
  }

  async function expectRefusal(visited: Awaited<ReturnType<typeof visit>>, fragment: string) {
    expect(visited.response.status).toBe(303);
    expect(visited.location).toBe(`/admin/sign-in#${fragment}`);
    expect(visited.cookies).toEqual({});
    expect(await visited.response.text()).toBe('');
    expect(await site.services.stores.admins.get('owner@firm.example')).toBeNull();
  }

  return {
    get provider() {
      return provider;
    },
    site,
    restart: site.restart,
    visit,
    noticesSent,
    goToProvider,
    signIn,
    signedInAs,
    expectRefusal,
  };
}
