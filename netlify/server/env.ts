import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { shortestPassword } from '../../src/domain/account.ts';

/**
 * The contract of the server (README, '.env.example'): every variable that it reads, checked once at start.
 * An empty variable is the same as none.
 */
const url = (what: string) => z.optional(z.url({ error: what }));
const email = (what: string) => z.optional(z.email({ error: what }));
const text = z.optional(z.string());

/** An address, or `@domain` for all of a domain's; in lower case. */
const allowedEmail = z.union([
  z.email(),
  z.string().check(z.regex(/^@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/)),
]);
const allowedEmails = z.pipe(
  z.string(),
  z.transform((value, context) => {
    const listed = value
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((entry) => entry !== '');
    const parsed = z.array(allowedEmail).check(z.minLength(1)).safeParse(listed);
    if (parsed.success) return parsed.data;
    context.issues.push({
      code: 'custom',
      input: value,
      message: 'must list e-mail addresses, or @example.com for all of a domain, separated by commas or spaces',
    });
    return z.NEVER;
  }),
);

/** Where secrets are sent; plain http only where it never leaves the machine. */
const secureUrl = z.url({ error: 'must be an absolute address', abort: true }).check(
  z.refine(isHttpsOrLoopback, {
    error: 'must be an https address (http is taken for this machine alone)',
    abort: true,
  }),
);

const issuer = secureUrl.check(
  // At these addresses anybody's directory vouches for any e-mail address.
  z.refine((value) => !/^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i.test(value), {
    error: 'must name one tenant',
  }),
);

/** Addresses, CIDR ranges and the word `loopback`. */
const proxies = z.pipe(
  z.string(),
  z.transform((value, context) => {
    const listed = value.split(/[\s,]+/).filter((entry) => entry !== '');
    if (listed.every((entry) => entry === 'loopback' || isAddressRange(entry))) return listed;
    context.issues.push({
      code: 'custom',
      input: value,
      message: 'must list IP addresses, ranges such as 10.0.0.0/8, or the word loopback, separated by commas or spaces',
    });
    return z.NEVER;
  }),
);

const envSchema = z.object({
  PORT: z._default(
    z.coerce
      .number('must be a port number')
      .check(z.int('must be a port number'), z.gte(0, 'must be a port number'), z.lte(65_535, 'must be a port number')),
    8888,
  ),
  HOST: z._default(z.string(), '127.0.0.1'),
  /** Where the embedded database and the blobs live. */
  DATA_DIR: z._default(z.string(), '.data'),
  /** `accept` lets a start begin with an empty database where an earlier start had data. */
  EMPTY_DATA: z.optional(z.literal('accept', 'must be accept, or not set')),
  SITE_URL: url('must be an absolute address such as https://www.example.com'),
  /** `libsql:`, `https:` or `http:` of a libSQL server. None: a file under DATA_DIR, where the host has a disk. */
  LIBSQL_URL: z.optional(
    z.string().check(
      z.regex(/^(libsql|https?|file):/, 'must begin with libsql:, https:, http: or file:'),
      z.refine((value) => !value.startsWith('http:') || (URL.canParse(value) && isHttpsOrLoopback(value)), {
        error: 'must begin with libsql: or https: (http: is accepted for this machine alone: it would send the token unencrypted)',
      }),
    ),
  ),
  LIBSQL_AUTH_TOKEN: text,
  /** Signs sessions; at least 32 characters. */
  SESSION_SECRET: z.optional(z.string().check(z.minLength(32, 'must have at least 32 characters'))),
  ADMIN_EMAIL: email('must be an e-mail address'),
  ADMIN_PASSWORD: z.optional(
    z.string().check(z.minLength(shortestPassword, `must have at least ${shortestPassword} characters`)),
  ),
  SMTP_URL: z.optional(z.string().check(z.regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://'))),
  /** `Name <address>` or an address. */
  MAIL_FROM: z.optional(z.string().check(z.regex(/@/, 'must be an address, or "Name <address>"'))),
  CONTACT_EMAIL: email('must be an e-mail address'),
  HR_EMAIL: email('must be an e-mail address'),
  /** Where each new submission is told of; whoever knows it can post there. */
  NOTIFY_WEBHOOK_URL: z.optional(
    secureUrl.check(
      z.refine((value) => new URL(value).username === '' && new URL(value).password === '', {
        error: 'must have no user name and no password before the host: what is secret stands in its path or query',
      }),
    ),
  ),
  BUILD_HOOK_URL: url('must be an absolute address'),
  /** The OpenID provider that admins sign in with; with it the client id and the allowed addresses are required. */
  OIDC_ISSUER: z.optional(issuer),
  OIDC_CLIENT_ID: text,
  /** None for a client that the provider knows as public. */
  OIDC_CLIENT_SECRET: text,
  OIDC_ALLOWED_EMAILS: z.optional(allowedEmails),
  /** `off` only for benches and fault tests. */
  RATE_LIMITS: z._default(z.enum(['on', 'off'], 'must be on or off'), 'on'),
  /** Proxies in front of the host, whose `X-Forwarded-*` headers are believed: host/trusted-proxies.ts. */
  TRUSTED_PROXIES: z.optional(proxies),
  /** Netlify's deploy context; an owner who serves the public from a machine sets `production`. */
  CONTEXT: text,
});

export type Env = z.infer<typeof envSchema> & {
  /** True where the public is served; everything that may be left out elsewhere is then required. */
  readonly production: boolean;
};

/** A variable is missing or wrong. The message names each one and what it must be. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

/**
 * Reads and checks the environment.
 * @param source usually `process.env`.
 * @param deployContext what a function's own context says of the deploy, where there is one.
 * @throws {EnvError} naming every variable that is missing or wrong.
 */
export function readEnv(source: Record<string, string | undefined>, deployContext?: string): Env {
  const parsed = envSchema.safeParse(withoutEmpty(source));
  const problems = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  if (!parsed.success) throw new EnvError(complaint(problems));
  const env = parsed.data;
  const production = isProduction(env, deployContext);

  if (env.SMTP_URL && !env.MAIL_FROM) problems.push('MAIL_FROM is missing: SMTP_URL is set, so mail needs a sender');
  const oidc = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_ALLOWED_EMAILS'] as const;
  const begun = [...oidc, 'OIDC_CLIENT_SECRET' as const].find((name) => env[name]);
  for (const name of oidc) {
    if (begun && !env[name]) problems.push(`${name} is missing: ${begun} is set, and OpenID sign-in needs both`);
  }
  if (production) {
    for (const name of ['SESSION_SECRET', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'] as const) {
      if (!env[name]) problems.push(`${name} is missing: it is required in production`);
    }
    if (env.RATE_LIMITS === 'off') problems.push('RATE_LIMITS=off is refused in production');
  }
  if (problems.length > 0) throw new EnvError(complaint(problems));
  return { ...env, production };
}

/** What a build reads: where the database is. It needs none, and none of the secrets either. */
const buildEnvSchema = z.pick(envSchema, { DATA_DIR: true, LIBSQL_URL: true, LIBSQL_AUTH_TOKEN: true });

/** @throws {EnvError} */
export function readBuildEnv(source: Record<string, string | undefined>): z.infer<typeof buildEnvSchema> {
  const parsed = buildEnvSchema.safeParse(withoutEmpty(source));
  if (parsed.success) return parsed.data;
  throw new EnvError(complaint(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)));
}

function withoutEmpty(source: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value.trim() !== ''));
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

function complaint(problems: string[]): string {
  return `The environment is not complete:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\nSee .env.example.`;
}

/**
 * Production is what Netlify or an owner says it is. A function on Netlify learns its deploy context at run time; where
 * neither is known, an https address of the site counts as production, so that nothing ever falls open.
 */
function isProduction(env: z.infer<typeof envSchema>, deployContext: string | undefined): boolean {
  const context = deployContext ?? env.CONTEXT;
  if (context !== undefined) return context === 'production';
  return env.SITE_URL?.startsWith('https:') ?? false;
}
