import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { shortestPassword } from '../../src/domain/account.ts';

const url = (what: string) => z.optional(z.url({ error: what }));
const email = (what: string) => z.optional(z.email({ error: what }));
const text = z.optional(z.string());

const entriesOf = z.pipe(
  z.string(),
  z.transform((value) => value.split(/[\s,]+/).filter((entry) => entry !== '')),
);

/** Email addresses, or `@domain` for every address of a domain; in lower case. */
const allowedEmails = z.pipe(
  entriesOf,
  z.array(z.string()).check(
    z.overwrite((entries) => entries.map((entry) => entry.toLowerCase())),
    z.refine(
      (entries) => entries.length > 0 && entries.every(isAllowedEmail),
      'must list email addresses, or @example.com for all addresses of a domain, separated by commas or spaces',
    ),
  ),
);

/** IP addresses, CIDR ranges and the word `loopback`. */
const proxies = z.pipe(
  entriesOf,
  z
    .array(z.string())
    .check(
      z.refine(
        (entries) => entries.every((entry) => entry === 'loopback' || isAddressRange(entry)),
        'must list IP addresses, ranges such as 10.0.0.0/8, or the word loopback, separated by commas or spaces',
      ),
    ),
);

/** A URL that receives secrets. Plain http is accepted only for loopback hosts, where nothing leaves the machine. */
const secureUrl = z.url({ error: 'must be an absolute address', abort: true }).check(
  z.refine(isHttpsOrLoopback, {
    error: 'must be an https address (http is accepted only for this machine)',
    abort: true,
  }),
);

const issuer = secureUrl.check(
  // These Microsoft endpoints accept users of every tenant, and a tenant's admin can set any email address for a user.
  z.refine((value) => !/^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i.test(value), {
    error: 'must name one tenant',
  }),
);

/** Netlify's deploy contexts. A branch with its own settings in netlify.toml has the context `branch-deploy`. */
const knownContexts = ['production', 'deploy-preview', 'branch-deploy', 'preview-server', 'dev'] as const;

/** Parses CONTEXT and ignores its case. An unknown value such as `prod` is an error, so a typo is noticed at start. */
const context = z.optional(
  z.pipe(
    z.string().check(z.trim(), z.toLowerCase()),
    z.enum(
      knownContexts,
      'must be production on a machine that serves the public, and dev or unset on any other (Netlify also uses deploy-preview, branch-deploy and preview-server)',
    ),
  ),
);

/**
 * Every environment variable that the server reads ('.env.example' documents them). The server checks them once at
 * start, and treats an empty variable as unset.
 */
const envSchema = z.object({
  PORT: z._default(
    z.coerce
      .number('must be a port number')
      .check(z.int('must be a port number'), z.gte(0, 'must be a port number'), z.lte(65_535, 'must be a port number')),
    8888,
  ),
  HOST: z._default(z.string(), '127.0.0.1'),
  /** The folder of the embedded database and the blobs. */
  DATA_DIR: z._default(z.string(), '.data'),
  /** If the database of earlier starts is missing, the server does not start. `accept` starts with an empty one. */
  EMPTY_DATA: z.optional(z.literal('accept', 'must be accept or unset')),
  /** A trailing slash is removed, because paths are appended to the URL. */
  SITE_URL: z.optional(
    z
      .url({ error: 'must be an absolute address such as https://www.example.com' })
      .check(z.overwrite((value) => value.replace(/\/$/, ''))),
  ),
  /** The URL of a libSQL server, or a `file:` URL. If unset, a self-hosted server uses a file under DATA_DIR. */
  LIBSQL_URL: z.optional(
    z.string().check(
      z.regex(/^(libsql|https?|file):/, 'must begin with libsql:, https:, http: or file:'),
      z.refine((value) => !value.startsWith('http:') || (URL.canParse(value) && isHttpsOrLoopback(value)), {
        error:
          'must begin with libsql: or https: (http: is accepted only for this machine, because it sends the token unencrypted)',
      }),
    ),
  ),
  LIBSQL_AUTH_TOKEN: text,
  /** Signs sessions; at least 32 characters. */
  SESSION_SECRET: z.optional(z.string().check(z.minLength(32, 'must have at least 32 characters'))),
  ADMIN_EMAIL: email('must be an email address'),
  ADMIN_PASSWORD: z.optional(
    z.string().check(z.minLength(shortestPassword, `must have at least ${shortestPassword} characters`)),
  ),
  SMTP_URL: z.optional(
    z.string().check(
      z.regex(/^smtps?:\/\//, { error: 'must begin with smtp:// or smtps://', abort: true }),
      z.overwrite(withEncodedSignIn),
      z.refine(
        (value) => URL.canParse(value),
        'must be an address such as smtps://user:password@mail.example.com. In .env, put the whole value in quotation marks if the password contains a # sign',
      ),
    ),
  ),
  /** The sender of emails: an email address, or `Name <address>`. */
  MAIL_FROM: z.optional(z.string().check(z.regex(/@/, 'must be an address or "Name <address>"'))),
  CONTACT_EMAIL: email('must be an email address'),
  HR_EMAIL: email('must be an email address'),
  /** Receives a message about each new submission. A secret: anyone who knows the URL can post to it. */
  NOTIFY_WEBHOOK_URL: z.optional(
    secureUrl.check(
      z.refine((value) => new URL(value).username === '' && new URL(value).password === '', {
        error: 'must have no user name and no password before the host: put the secret in the path or query',
      }),
    ),
  ),
  BUILD_HOOK_URL: url('must be an absolute address'),
  /** The OpenID provider for admins. It requires OIDC_CLIENT_ID and OIDC_ALLOWED_EMAILS. */
  OIDC_ISSUER: z.optional(issuer),
  OIDC_CLIENT_ID: text,
  /** Unset for a public client, which has no secret. */
  OIDC_CLIENT_SECRET: text,
  OIDC_ALLOWED_EMAILS: z.optional(allowedEmails),
  /** `on` for a provider that does not send `email_verified` and lets only administrators set email addresses. */
  OIDC_ASSUME_EMAIL_VERIFIED: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
  /** `off` only for benchmarks and fault tests. */
  RATE_LIMITS: z._default(z.enum(['on', 'off'], 'must be on or off'), 'on'),
  /** Proxies in front of the server whose `X-Forwarded-*` headers are trusted (host/requests/addresses.ts). */
  TRUSTED_PROXIES: z.optional(proxies),
  /** Netlify's deploy context. On a self-hosted server that serves the public, the owner sets `production`. */
  CONTEXT: context,
  /** `on` lets a deploy preview send email, call the webhook and trigger builds. */
  PREVIEW_MAIL: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
  /** `on` lets a second self-hosted server use a database that another one already uses. */
  SHARED_DATABASE: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
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
  { CONTEXT: text },
);

export type BuildEnv = z.infer<typeof buildEnvSchema> & { readonly production: boolean };

/** @throws {EnvError} if a variable is invalid. */
export function readBuildEnv(source: Record<string, string | undefined>): BuildEnv {
  const env = parse(buildEnvSchema, source);
  return { ...env, production: isProduction(env.CONTEXT?.trim().toLowerCase(), env.SITE_URL) };
}

/**
 * Encodes the user name and the password of a mail server's address where the owner has not. Providers generate
 * passwords with characters such as `/`, `?`, `#` and `%`, which mean something else in an address.
 */
function withEncodedSignIn(value: string): string {
  return value.replace(/(?<=:\/\/).*(?=@)/s, (signIn) =>
    signIn.replaceAll(/%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:%-]/gi, encodeURIComponent),
  );
}

function isAllowedEmail(entry: string): boolean {
  return z.email().safeParse(entry).success || /^@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/.test(entry);
}

function isAddressRange(entry: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (bits ?? 0));
  return bits !== undefined && isPrefix && more.length === 0;
}

function isHttpsOrLoopback(value: string): boolean {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));
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
