import * as z from 'zod/mini';
import { exactText, longestEmail, textField } from '../text/plain-text.ts';

/** Maximum length of a password, in characters. */
export const longestPassword = 1_024;

/** Request body of `POST /api/login`. */
export const signInInput = z.object({
  email: textField('line', 'Please enter your email address.', { max: longestEmail }),
  password: exactText({ min: 1, max: longestPassword, message: 'Please enter your password.' }),
});

export type SignInInput = z.infer<typeof signInInput>;

/** Response of `GET /api/auth/status`: the signed-in admin. */
export const sessionUser = z.object({
  user: z.object({ email: z.string() }),
  /** When the session expires; ISO 8601, UTC. */
  expiresAt: z.string(),
  /** True if admins can also sign in with an OpenID Connect provider. */
  openId: z.boolean(),
});

/** Response of `POST /api/login` for a client that accepts JSON. */
export const signInReceipt = z.object({
  success: z.literal(true),
  token: z.string(),
  user: z.object({ email: z.string() }),
  /** After a sign-in with a recovery code: the path of the page to set a password or a passkey. */
  setUpLink: z.optional(z.string()),
});

export type SignInReceipt = z.infer<typeof signInReceipt>;

/** Response of a successful request that returns no data. */
export const doneReceipt = z.object({ success: z.literal(true) });

/**
 * Key of the bearer token in local storage. src/lib/request/api.ts sends the token, if there is one, with every request
 * (docs/product.md#signing-in).
 */
export const bearerStorageKey = 'authToken';

/** Path of the page that opens after signing in, unless the admin requested another page. */
export const adminHome = '/admin';

/** Path of the page to sign in with a password, which works even while the OpenID provider is unreachable. */
export const signInPage = '/admin/sign-in';

/**
 * Returns the path to open after signing in. Rejects every value that a browser could resolve to another host.
 * @param value the requested path, from an untrusted request. Only printable ASCII is accepted: browsers percent-encode
 *   other characters in paths, and an HTTP header cannot contain them.
 * @returns `value` if it is a path on this site, or `/admin`.
 */
export function returnPath(value: unknown): string {
  return typeof value === 'string' && /^\/(?![/\\])[!-[\]-~]{0,999}$/.test(value) ? value : adminHome;
}
