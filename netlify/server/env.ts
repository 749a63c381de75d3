import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { shortestPassword } from '../../src/domain/account/account.ts';

type Rule = RegExp | ((value: string) => boolean);
const follows = (rule: Rule, value: string) => (rule instanceof RegExp ? rule.test(value) : rule(value));

const must = (rule: Rule, what: string) =>
  z.refine<string>((value) => follows(rule, value), { error: `must ${what}`, abort: true });
const text = (...checks: z.core.$ZodCheck<string>[]) => z.optional(z.string().check(...checks));
const email = z.optional(z.email('must be an email address'));
const offUnlessOn = z._default(z.enum(['on', 'off'], 'must be on or off'), 'off');
const isUrl = (value: string) => URL.canParse(value);
const url = (...checks: z.core.$ZodCheck<string>[]) => text(z.trim(), must(isUrl, 'be an absolute URL'), ...checks);

/** A URL that receives secrets. Plain http is accepted only for loopback hosts, where nothing leaves the machine. */
const secureUrl = (rule: Rule, what: string) =>
  url(must(isHttpsOrLoopback, 'be an https URL (http is accepted only for this machine)'), must(rule, what));

/** A list of entries, in lower case. */
const listOf = (rule: Rule, what: string) => {
  const entriesIn = z.transform((value: string) =>
    value
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  );
  const isList = (entries: string[]) => entries.length > 0 && entries.every((entry) => follows(rule, entry));
  const message = `must list ${what}, separated by commas or spaces`;
  return z.optional(z.pipe(z.string(), entriesIn).check(z.refine(isList, message)));
};

/** Netlify's deploy contexts. A branch with its own settings in netlify.toml has the context `branch-deploy`. */
const knownContexts = ['production', 'deploy-preview', 'branch-deploy', 'preview-server', 'dev'] as const;

/**
 * Every environment variable that the server reads ('.env.example' documents them). The server checks them once at
 * start, and treats an empty variable as unset.
 */
const envSchema = z.object({
  PORT: z._default(z.pipe(z.string().check(z.trim(), must(isPort, 'be a port number')), z.transform(Number)), 8888),
  HOST: z._default(z.string(), '127.0.0.1'),
  /** The folder of the embedded database and the blobs. */
  DATA_DIR: z._default(z.string(), '.data'),
  /** The folder for nightly backups. If unset, the server makes no backups by itself. */
  BACKUP_DIR: text(),
  /** The bucket of an S3-compatible store for nightly backups, in place of BACKUP_DIR. */
  BACKUP_URL: text(
    z.trim(),
    z.overwrite(withEncodedSignIn),
    must(isUrl, 'be an absolute URL'),
    must(isHttpsOrLoopback, 'be an https URL (http is accepted only for this machine)'),
    must(isBucket, 'be a URL such as https://KEY:SECRET@s3.us-west-1.example.com/bucket/folder'),
  ),
  /** Encrypts backups. */
  BACKUP_KEY: text(z.minLength(32, 'must have at least 32 characters')),
  /** If the database of earlier starts is missing, the server does not start. `accept` starts with an empty one. */
  EMPTY_DATA: z.optional(z.literal('accept', 'must be accept or unset')),
  /** A trailing slash is removed, because paths are appended to the URL. */
  SITE_URL: text(
    z.trim(),
    must(isUrl, 'be an absolute URL such as https://www.example.com'),
    z.overwrite((value) => value.replace(/\/$/, '')),
  ),
  /** The URL of a libSQL server. If unset, a self-hosted server uses a file in DATA_DIR. */
  LIBSQL_URL: text(
    must(/^(libsql|https?):/, 'begin with libsql:, https: or http:'),
    must(
      (value) => !value.startsWith('http:') || (isUrl(value) && isHttpsOrLoopback(value)),
      'begin with libsql: or https: (http: is accepted only for this machine, because it sends the token unencrypted)',
    ),
  ),
  LIBSQL_AUTH_TOKEN: text(),
  /** For `npm run backup` of a site on Netlify: the id of the site, and a personal access token. */
  NETLIFY_SITE_ID: text(),
  NETLIFY_AUTH_TOKEN: text(),
  /** Signs sessions. */
  SESSION_SECRET: text(z.minLength(32, 'must have at least 32 characters')),
  ADMIN_EMAIL: email,
  ADMIN_PASSWORD: text(z.minLength(shortestPassword, `must have at least ${shortestPassword} characters`)),
  SMTP_URL: text(
    must(/^smtps?:\/\//, 'begin with smtp:// or smtps://'),
    z.overwrite(withEncodedSignIn),
    must(
      isUrl,
      'be a URL such as smtps://user:password@mail.example.com. In .env, put the whole value in quotation marks if the password contains a # sign',
    ),
  ),
  /** The sender of emails: an email address, or `Name <address>`. */
  MAIL_FROM: text(must(/@/, 'be an email address or "Name <email address>"')),
  CONTACT_EMAIL: email,
  HR_EMAIL: email,
  /** Receives a message about each new submission. A secret: anyone who knows the URL can post to it. */
  NOTIFY_WEBHOOK_URL: secureUrl(
    (value) => new URL(value).username === '' && new URL(value).password === '',
    'have no user name and no password before the host: put the secret in the path or query',
  ),
  BUILD_HOOK_URL: url(),
  /**
   * The OpenID provider for admins. It requires OIDC_CLIENT_ID and OIDC_ALLOWED_EMAILS. Three of Microsoft's endpoints
   * are refused: they accept users of every tenant, and a tenant's admin can set any email address for a user.
   */
  OIDC_ISSUER: secureUrl(
    /^(?!https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$))/i,
    'name one tenant',
  ),
  OIDC_CLIENT_ID: text(),
  /** Unset for a public client, which has no secret. */
  OIDC_CLIENT_SECRET: text(),
  /** Email addresses, or `@domain` for every address of a domain. */
  OIDC_ALLOWED_EMAILS: listOf(isAllowedEmail, 'email addresses, or @example.com for all addresses of a domain'),
  /** `on` for a provider that does not send `email_verified` and lets only administrators set email addresses. */
  OIDC_ASSUME_EMAIL_VERIFIED: offUnlessOn,
  /** `off` only for benchmarks and fault tests. */
  RATE_LIMITS: z._default(z.enum(['on', 'off'], 'must be on or off'), 'on'),
  /** Proxies in front of the server whose `X-Forwarded-*` headers are trusted (host/requests/addresses.ts). */
  TRUSTED_PROXIES: listOf(isProxy, 'IP addresses, ranges such as 10.0.0.0/8, or the word loopback'),
  /**
   * Netlify's deploy context. On a self-hosted server that serves the public, the owner sets `production`. An unknown
   * value such as `prod` is an error, so a typo is noticed at start.
   */
  CONTEXT: z.optional(
    z.pipe(
      z.string().check(z.trim(), z.toLowerCase()),
      z.enum(
        knownContexts,
        'must be production on a machine that serves the public, and dev or unset on any other (Netlify also uses deploy-preview, branch-deploy and preview-server)',
      ),
    ),
  ),
  /** `on` lets a deploy preview send email, call the webhook and trigger builds. */
  PREVIEW_MAIL: offUnlessOn,
  /** `on` lets a second self-hosted server use a database that another one already uses. */
  SHARED_DATABASE: offUnlessOn,
});

/** What this deploy is: the public site, a preview, or a developer's machine. */
export type Deployment = 'production' | 'preview' | 'local';

export type Env = z.infer<typeof envSchema> & {
  /** True if the site serves the public. Variables that are optional elsewhere are then required. */
  readonly production: boolean;
  /** Decides which database this deploy may use: a preview never uses the data of production. */
  readonly deployment: Deployment;
};

/** One or more variables are missing or invalid. The message names each one and the expected value. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

/**
 * Reads and checks the environment.
 * @param source usually `process.env`.
 * @param deployContext the deploy context that Netlify passes to a function; undefined elsewhere.
 * @throws {EnvError} if a variable is missing or invalid.
 */
export function readEnv(source: Record<string, string | undefined>, deployContext?: string): Env {
  // Netlify passes the deploy context to each function, and the variable CONTEXT is then ignored.
  const env = parse(envSchema, { ...source, ...(deployContext && { CONTEXT: undefined }) });
  const problems: string[] = [];
  const context = deployContext?.toLowerCase() ?? env.CONTEXT;
  const production = isProduction(context, env.SITE_URL);

  if (env.SMTP_URL && !env.MAIL_FROM) problems.push('MAIL_FROM is missing: with SMTP_URL set, emails need a sender');
  const oidc = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_ALLOWED_EMAILS'] as const;
  const begun = [...oidc, 'OIDC_CLIENT_SECRET' as const].find((name) => env[name]);
  for (const name of oidc) {
    if (begun && !env[name])
      problems.push(`${name} is missing: ${begun} is set, and signing in with OpenID needs ${oidc.join(', ')}`);
  }
  if (production) {
    for (const name of ['SESSION_SECRET', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'] as const) {
      if (!env[name]) problems.push(`${name} is missing: it is required in production`);
    }
    if (env.RATE_LIMITS === 'off') problems.push('RATE_LIMITS=off is refused in production');
  }
  if (problems.length > 0) throw new EnvError(complaint(problems));
  const deployment = deploymentOf(context, production);
  return { ...env, ...(deployment === 'preview' && env.PREVIEW_MAIL === 'off' && quiet), production, deployment };
}

/**
 * Netlify gives a preview the variables of production. A preview must not send messages to real people or rebuild the
 * public site.
 */
const quiet = { SMTP_URL: undefined, MAIL_FROM: undefined, NOTIFY_WEBHOOK_URL: undefined, BUILD_HOOK_URL: undefined };

/** The variables of a build. All of them are optional, and none is a secret except the token of the database. */
const buildEnvSchema = z.extend(
  z.pick(envSchema, { DATA_DIR: true, LIBSQL_URL: true, LIBSQL_AUTH_TOKEN: true, SITE_URL: true }),
  // A build accepts any context, even one that Netlify does not define.
  { CONTEXT: text() },
);

export type BuildEnv = z.infer<typeof buildEnvSchema> & { readonly production: boolean };

/** @throws {EnvError} if a variable is invalid. */
export function readBuildEnv(source: Record<string, string | undefined>): BuildEnv {
  const env = parse(buildEnvSchema, source);
  return { ...env, production: isProduction(env.CONTEXT?.trim().toLowerCase(), env.SITE_URL) };
}

/**
 * Encodes the user name and the password of a mail server's URL where the owner has not. Providers generate
 * passwords with characters such as `/`, `?`, `#` and `%`, which mean something else in a URL.
 */
function withEncodedSignIn(value: string): string {
  return value.replace(/(?<=:\/\/).*(?=@)/s, (signIn) =>
    signIn.replaceAll(/%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:%-]/gi, encodeURIComponent),
  );
}

function isAllowedEmail(entry: string): boolean {
  return z.email().safeParse(entry).success || /^@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/.test(entry);
}

function isProxy(entry: string): boolean {
  const [address = '', prefix = '0', ...more] = entry.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return entry === 'loopback' || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits && more.length === 0);
}

function isPort(value: string): boolean {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535;
}

function isHttpsOrLoopback(value: string): boolean {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));
}

function isBucket(value: string): boolean {
  const { username, password, pathname } = new URL(value);
  return username !== '' && password !== '' && /^(?:\/[\w.-]+)+\/?$/.test(pathname);
}

/** Parses variables, of which an empty one counts as unset. @throws {EnvError} */
function parse<Variables>(schema: z.ZodMiniType<Variables>, source: Record<string, string | undefined>): Variables {
  const given = Object.entries(source).filter(([, value]) => value !== undefined && value.trim() !== '');
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  throw new EnvError(complaint(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)));
}

function complaint(problems: string[]): string {
  return `Correct these environment variables:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\nSee .env.example.`;
}

/**
 * Returns whether the deploy context is production. If the context is missing or unknown, an https SITE_URL counts as
 * production, so a public site never runs with the weaker checks of development.
 */
function isProduction(context: string | undefined, siteUrl: string | undefined): boolean {
  if (knownContexts.some((known) => known === context)) return context === 'production';
  return siteUrl?.startsWith('https:') ?? false;
}

function deploymentOf(context: string | undefined, production: boolean): Deployment {
  if (context === 'production') return 'production';
  // Without a context, an https SITE_URL means a public server, and anything else a developer's machine.
  if (context === undefined) return production ? 'production' : 'local';
  return context === 'dev' ? 'local' : 'preview';
}
