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

/** The deploy contexts that Netlify has. A branch with its own settings is a `branch-deploy`. */
const knownContexts = ['production', 'deploy-preview', 'branch-deploy', 'preview-server', 'dev'] as const;

/** `Production` means production; `prod` and other near misses stop the start instead of counting as something else. */
const context = z.optional(
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((value) => value.trim().toLowerCase()),
    ),
    z.enum(
      knownContexts,
      'must be production on a machine that serves the public, and dev or unset on any other (Netlify also uses deploy-preview, branch-deploy and preview-server)',
    ),
  ),
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
        error:
          'must begin with libsql: or https: (http: is accepted for this machine alone: it would send the token unencrypted)',
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
  /** Receives a message about each new submission. A secret: anyone who knows the URL can post to it. */
  NOTIFY_WEBHOOK_URL: z.optional(
    secureUrl.check(
      z.refine((value) => new URL(value).username === '' && new URL(value).password === '', {
        error: 'must have no user name and no password before the host: put the secret in the path or query',
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
  /** `on` for a provider that leaves out `email_verified` and whose own administrators set every address. */
  OIDC_ASSUME_EMAIL_VERIFIED: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
  /** `off` only for benches and fault tests. */
  RATE_LIMITS: z._default(z.enum(['on', 'off'], 'must be on or off'), 'on'),
  /** Proxies in front of the host, whose `X-Forwarded-*` headers are believed: host/trusted-proxies.ts. */
  TRUSTED_PROXIES: z.optional(proxies),
  /** Whether a host of its own logs a line for each request. */
  ACCESS_LOG: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
  /** Netlify's deploy context; an owner who serves the public from a machine sets `production`. */
  CONTEXT: context,
  /** `on` lets a deploy preview send email, call the webhook and ask for a build. */
  PREVIEW_MAIL: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
  /** `on` lets a second machine serve from a database that another machine serves from. */
  SHARED_DATABASE: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
});

/** Who uses the data: the public site, a deploy preview, or a person on their own machine. */
export type Deployment = 'production' | 'preview' | 'local';

export type Env = z.infer<typeof envSchema> & {
  /** True where the public is served; everything that may be left out elsewhere is then required. */
  readonly production: boolean;
  /** What this deploy may read and change. A preview never uses the data of production. */
  readonly deployment: Deployment;
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
  // A function on Netlify learns its context from Netlify, so a variable of the same name has no say.
  const parsed = envSchema.safeParse(withoutEmpty({ ...source, ...(deployContext && { CONTEXT: undefined }) }));
  const problems = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  if (!parsed.success) throw new EnvError(complaint(problems));
  const env = parsed.data;
  const context = deployContext?.toLowerCase() ?? env.CONTEXT;
  const production = isProduction(context, env.SITE_URL);

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
  const deployment = deploymentOf(context, production);
  return { ...env, ...(deployment === 'preview' && env.PREVIEW_MAIL === 'off' && quiet), production, deployment };
}

/** A preview inherits the variables of production, and must not write to the people of production. */
const quiet = { SMTP_URL: undefined, MAIL_FROM: undefined, NOTIFY_WEBHOOK_URL: undefined, BUILD_HOOK_URL: undefined };

/** What a build reads: where the database is. It needs none, and none of the secrets either. */
const buildEnvSchema = z.extend(
  z.pick(envSchema, { DATA_DIR: true, LIBSQL_URL: true, LIBSQL_AUTH_TOKEN: true, SITE_URL: true }),
  // Any context may be built.
  { CONTEXT: text },
);

export type BuildEnv = z.infer<typeof buildEnvSchema> & { readonly production: boolean };

/** @throws {EnvError} */
export function readBuildEnv(source: Record<string, string | undefined>): BuildEnv {
  const parsed = buildEnvSchema.safeParse(withoutEmpty(source));
  if (!parsed.success) {
    throw new EnvError(complaint(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)));
  }
  const { CONTEXT, SITE_URL } = parsed.data;
  return { ...parsed.data, production: isProduction(CONTEXT?.trim().toLowerCase(), SITE_URL) };
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
 * Production is what Netlify or an owner says it is. Where the context is not known, or is none that Netlify has, an https
 * address of the site counts as production, so that nothing ever falls open.
 */
function isProduction(context: string | undefined, siteUrl: string | undefined): boolean {
  if (isKnown(context)) return context === 'production';
  return siteUrl?.startsWith('https:') ?? false;
}

function deploymentOf(context: string | undefined, production: boolean): Deployment {
  if (context === 'production') return 'production';
  // No context at all: a machine, which is production where its address is public.
  if (context === undefined) return production ? 'production' : 'local';
  return context === 'dev' ? 'local' : 'preview';
}

function isKnown(context: string | undefined): context is (typeof knownContexts)[number] {
  return (knownContexts as readonly (string | undefined)[]).includes(context);
}
