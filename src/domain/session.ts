import * as z from 'zod/mini';
import { cleanLine, longestEmail, rawLength } from './plain-text.ts';

/** `POST /api/login`. The message is the same whichever of the two is wrong. */
export const signInInput = z.object({
  email: z
    .string('Please enter your email address.')
    .check(
      rawLength(longestEmail, `Please use at most ${longestEmail} characters.`),
      z.overwrite(cleanLine),
      z.minLength(1, 'Please enter your email address.'),
      z.maxLength(longestEmail, `Please use at most ${longestEmail} characters.`),
    ),
  password: z
    .string('Please enter your password.')
    .check(z.minLength(1, 'Please enter your password.'), z.maxLength(1024)),
});

export type SignInInput = z.infer<typeof signInInput>;

/** The signed-in admin: answer to `GET /api/auth/status`. */
export const sessionUser = z.object({
  user: z.object({ email: z.string() }),
  /** When the session ends at the latest; ISO 8601, UTC. */
  expiresAt: z.string(),
  /** Admins can also sign in with an account of an OpenID provider. */
  openId: z.boolean(),
});

/** Answer to `POST /api/login` for a client that asks for JSON. */
export const signInReceipt = z.object({
  success: z.literal(true),
  token: z.string(),
  user: z.object({ email: z.string() }),
});

/** Answer to what was done and has nothing else to say. */
export const doneReceipt = z.object({ success: z.literal(true) });

/** Key in local storage from which the shared request helper takes a bearer token, if somebody put one there (spec §3). */
export const bearerStorageKey = 'authToken';

/** Where an admin goes after signing in, unless another page was wanted. */
export const adminHome = '/admin';

/**
 * Where to go after signing in: a path of this site, and nothing that a browser would take for another host.
 * @param value what came with the request; `/admin` takes the place of anything else than such a path. Browsers send
 *   paths percent-encoded, so only ASCII is let through: a header takes no more.
 */
export function returnPath(value: unknown): string {
  return typeof value === 'string' && /^\/(?![/\\])[!-[\]-~]{0,999}$/.test(value) ? value : adminHome;
}
