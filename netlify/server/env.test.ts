import { describe, expect, test } from 'vitest';
import { EnvError, readEnv } from './env.ts';

const production = {
  CONTEXT: 'production',
  SESSION_SECRET: 'x'.repeat(32),
  ADMIN_EMAIL: 'owner@firm.example',
  ADMIN_PASSWORD: 'long enough password',
};

const oidc = { OIDC_ISSUER: 'https://id.firm.example', OIDC_CLIENT_ID: 'site', OIDC_ALLOWED_EMAILS: '@firm.example' };

describe('The environment', () => {
  test.for([
    [{}, { PORT: 8888, HOST: '127.0.0.1', DATA_DIR: '.data', production: false }],
    [{ SMTP_URL: ' ', PORT: '' }, { PORT: 8888 }],
    [{ TRUSTED_PROXIES: 'loopback, 10.0.0.0/8 fd00::1' }, { TRUSTED_PROXIES: ['loopback', '10.0.0.0/8', 'fd00::1'] }],
    // Paths are appended to the URL.
    [{ SITE_URL: 'http://www.firm.example/' }, { SITE_URL: 'http://www.firm.example' }],
    [
      { ...oidc, OIDC_ALLOWED_EMAILS: ' Owner@Firm.example,ann@firm.example\n @Sub.Firm.example, ' },
      { OIDC_ALLOWED_EMAILS: ['owner@firm.example', 'ann@firm.example', '@sub.firm.example'] },
    ],
    ...['https://id.firm.example', 'http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000'].map(
      (OIDC_ISSUER) => [{ ...oidc, OIDC_ISSUER }, { OIDC_ISSUER }] as const,
    ),
    ...['https://hooks.chat.example/services/x?sig=y', 'http://127.0.0.1:4000/x'].map(
      (NOTIFY_WEBHOOK_URL) => [{ NOTIFY_WEBHOOK_URL }, { NOTIFY_WEBHOOK_URL }] as const,
    ),
  ] as const)('with %j is accepted as %j', ([source, expected]) => {
    expect(readEnv(source)).toMatchObject(expected);
  });

  test.each(['Top/Secret9', 'what?', 'a#b', '100%', 'me@home', 'a%2Fb', 'a:b', 'p%zz', 'a b"c\\'])(
    'accepts the mail password %s, encoded or not',
    (password) => {
      for (const written of [password, encodeURIComponent(password)]) {
        const { SMTP_URL } = readEnv({
          SMTP_URL: `smtps://user:${written}@mail.firm.example:465`,
          MAIL_FROM: 'no-reply@firm.example',
        });
        const url = new URL(SMTP_URL ?? '');
        expect([url.hostname, url.port, url.username]).toEqual(['mail.firm.example', '465', 'user']);
        // A sign such as %2F in a password stands for the encoded character.
        const meant = written === password ? password.replace('%2F', '/') : password;
        expect(decodeURIComponent(url.password)).toBe(meant);
      }
    },
  );

  test('names the URL of a mail server that is cut off in the password, and does not repeat the password', () => {
    const refused = () => readEnv({ SMTP_URL: 'smtps://user:Secret', MAIL_FROM: 'no-reply@firm.example' });
    expect(refused).toThrow('SMTP_URL must be a URL such as smtps://user:password@mail.example.com');
    expect(refused).not.toThrow('Secret');
  });

  test.for([
    [{ PORT: 'http' }, 'PORT must be a port number'],
    [{ PORT: '70000' }, 'PORT must be a port number'],
    [{ SITE_URL: 'example.com' }, 'SITE_URL must be an absolute URL'],
    [{ LIBSQL_URL: 'postgres://x' }, 'LIBSQL_URL must begin with'],
    [{ LIBSQL_URL: 'file:site.db' }, 'LIBSQL_URL must begin with'],
    [{ SESSION_SECRET: 'short' }, 'SESSION_SECRET must have at least 32 characters'],
    [{ SMTP_URL: 'mail.example.com' }, 'SMTP_URL must begin with smtp:// or smtps://'],
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM is missing'],
    [{ CONTACT_EMAIL: 'sales' }, 'CONTACT_EMAIL must be an email address'],
    [{ NOTIFY_WEBHOOK_URL: 'hooks.chat.example/x' }, 'NOTIFY_WEBHOOK_URL must be an absolute URL'],
    [{ NOTIFY_WEBHOOK_URL: 'http://hooks.chat.example/x' }, 'NOTIFY_WEBHOOK_URL must be an https URL'],
    [{ NOTIFY_WEBHOOK_URL: 'https://me:it@chat.example/x' }, 'NOTIFY_WEBHOOK_URL must have no user name'],
    ...['prod', 'live', 'PROD', 'productoin', 'main'].map(
      (CONTEXT) => [{ CONTEXT }, 'CONTEXT must be production on a machine that serves the public'] as const,
    ),
    [{ CONTEXT: 'Production' }, 'SESSION_SECRET is missing: it is required in production'],
    [{ CONTEXT: ' PRODUCTION ' }, 'SESSION_SECRET is missing: it is required in production'],
    [{ RATE_LIMITS: 'none' }, 'RATE_LIMITS must be on or off'],
    [{ TRUSTED_PROXIES: 'proxy' }, 'TRUSTED_PROXIES must list IP addresses'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES must list IP addresses'],
    [{ TRUSTED_PROXIES: '10.0.0.0/8/8' }, 'TRUSTED_PROXIES must list IP addresses'],
    [{ ...production, ADMIN_PASSWORD: '' }, 'ADMIN_PASSWORD is missing: it is required in production'],
    [{ ...production, SESSION_SECRET: '' }, 'SESSION_SECRET is missing'],
    [{ ...production, RATE_LIMITS: 'off' }, 'RATE_LIMITS=off is refused in production'],
    [{ SITE_URL: 'https://www.firm.example' }, 'SESSION_SECRET is missing: it is required in production'],
    [{ ...oidc, OIDC_ISSUER: '' }, 'OIDC_ISSUER is missing: OIDC_CLIENT_ID is set'],
    [{ ...oidc, OIDC_CLIENT_ID: '' }, 'OIDC_CLIENT_ID is missing: OIDC_ISSUER is set'],
    [{ ...oidc, OIDC_ALLOWED_EMAILS: ' ' }, 'OIDC_ALLOWED_EMAILS is missing: OIDC_ISSUER is set'],
    [{ OIDC_CLIENT_SECRET: 'secret' }, 'OIDC_ISSUER is missing: OIDC_CLIENT_SECRET is set'],
    [{ ...oidc, OIDC_ALLOWED_EMAILS: 'owner' }, 'OIDC_ALLOWED_EMAILS must list email addresses'],
    [{ ...oidc, OIDC_ALLOWED_EMAILS: 'owner@firm.example, @' }, 'OIDC_ALLOWED_EMAILS must list email addresses'],
    [{ ...oidc, OIDC_ALLOWED_EMAILS: ',' }, 'OIDC_ALLOWED_EMAILS must list email addresses'],
    [{ ...oidc, OIDC_ISSUER: 'id.firm.example' }, 'OIDC_ISSUER must be an absolute URL'],
    [{ ...oidc, OIDC_ISSUER: 'http://id.firm.example' }, 'OIDC_ISSUER must be an https URL'],
    [{ ...oidc, OIDC_ISSUER: 'http://127.0.0.1.firm.example' }, 'OIDC_ISSUER must be an https URL'],
    [{ ...oidc, OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }, 'OIDC_ISSUER must name one tenant'],
  ] as const)('with %j is refused with the name of the variable', ([source, message]) => {
    expect(() => readEnv(source)).toThrow(EnvError);
    expect(() => readEnv(source)).toThrow(message);
  });

  test('does not print the secret of an invalid webhook', () => {
    expect(() => readEnv({ NOTIFY_WEBHOOK_URL: 'http://chat.example/secret-path' })).not.toThrow('secret-path');
  });

  test('reports all mistakes in one message', () => {
    expect(() => readEnv({ CONTEXT: 'production' })).toThrow(/SESSION_SECRET[\s\S]*ADMIN_EMAIL[\s\S]*ADMIN_PASSWORD/);
  });

  test('is production by Netlify’s context, by `CONTEXT`, or by default if the site has an https URL', () => {
    expect(readEnv(production).production).toBe(true);
    expect(readEnv({ ...production, CONTEXT: undefined }, 'production').production).toBe(true);
    expect(readEnv({ SITE_URL: 'https://preview.example', CONTEXT: 'deploy-preview' }).production).toBe(false);
    expect(readEnv({ SITE_URL: 'https://preview.example' }, 'deploy-preview').production).toBe(false);
    expect(readEnv({ SITE_URL: 'http://192.168.1.4:8888' }).production).toBe(false);
  });

  test('treats an unknown deploy context as production if the site has an https URL', () => {
    const source = { ...production, CONTEXT: undefined, SITE_URL: 'https://www.firm.example' };
    expect(readEnv(source, 'staging')).toMatchObject({ production: true, deployment: 'preview' });
    expect(() => readEnv({ SITE_URL: source.SITE_URL }, 'staging')).toThrow('SESSION_SECRET is missing');
  });

  test.for([
    ['deploy-preview', 'preview'],
    ['branch-deploy', 'preview'],
    ['preview-server', 'preview'],
    ['staging', 'preview'],
    ['dev', 'local'],
    ['production', 'production'],
  ] as const)('of a function in Netlify’s context %s is that of %s, regardless of CONTEXT', ([context, deployment]) => {
    expect(readEnv(production, context).deployment).toBe(deployment);
  });

  test('of a preview has no mail server and no webhook, unless the owner allows them', () => {
    const inherited = {
      ...production,
      SMTP_URL: 'smtps://mail.firm.example',
      MAIL_FROM: 'no-reply@firm.example',
      NOTIFY_WEBHOOK_URL: 'https://hooks.chat.example/x',
      BUILD_HOOK_URL: 'https://api.netlify.example/hook',
    };
    const sends = ({ SMTP_URL, NOTIFY_WEBHOOK_URL, BUILD_HOOK_URL }: ReturnType<typeof readEnv>) =>
      [SMTP_URL, NOTIFY_WEBHOOK_URL, BUILD_HOOK_URL].map((value) => value !== undefined);
    expect(sends(readEnv(inherited, 'deploy-preview'))).toEqual([false, false, false]);
    expect(sends(readEnv({ ...inherited, PREVIEW_MAIL: 'on' }, 'deploy-preview'))).toEqual([true, true, true]);
    expect(sends(readEnv(inherited, 'production'))).toEqual([true, true, true]);
  });
});
