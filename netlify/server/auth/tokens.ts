import { hkdfSync } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type * as z from 'zod/mini';
import type { Env } from '../env.ts';
import { Refusal } from '../refusal.ts';

/** What a token is for. A token is valid only for its purpose, because each purpose has its own key. */
type Purpose = 'session' | 'known browser' | 'company sign-in' | 'new passkey' | 'passkey sign-in' | 'shared preview';

export interface TokenServices {
  readonly env: Env;
  readonly now: () => Date;
}

const algorithm = 'HS256';

/**
 * Signs claims that a browser or a link keeps for the server. Everyone who has the token can read the claims. The key is
 * derived from SESSION_SECRET, so every instance of the site accepts the token.
 * @throws {Refusal} `unavailable` if SESSION_SECRET is missing.
 */
export async function signToken(
  purpose: Purpose,
  claims: JWTPayload,
  lifetimeMs: number,
  { env, now }: TokenServices,
): Promise<string> {
  // Loads the library when it is first used, so the start of the process does not wait for the library's 46 files.
  const { SignJWT } = await import('jose');
  const created = now();
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm })
    .setIssuedAt(created)
    .setExpirationTime(new Date(created.getTime() + lifetimeMs))
    .sign(keyFor(purpose, env.SESSION_SECRET));
}

/** The most seconds by which the clocks of two instances of the site may differ. */
const clockDifference = 60;

/**
 * Returns the claims of a token that was signed for this purpose and has not expired; otherwise null. A token from the
 * future was signed while the clock was ahead, and would be valid for too long.
 */
export async function readToken<Claims>(
  purpose: Purpose,
  token: string | null | undefined,
  schema: z.ZodMiniType<Claims>,
  { env, now }: TokenServices,
): Promise<Claims | null> {
  if (!token) return null;
  const { jwtVerify } = await import('jose');
  const key = keyFor(purpose, env.SESSION_SECRET);
  const options = { algorithms: [algorithm], requiredClaims: ['exp'], currentDate: now() };
  const payload = (await jwtVerify(token, key, options).catch(() => null))?.payload;
  if ((payload?.iat ?? 0) > now().getTime() / 1000 + clockDifference) return null;
  return schema.safeParse(payload).data ?? null;
}

function keyFor(purpose: Purpose, secret: string | undefined): Uint8Array {
  if (secret) return new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
  throw new Refusal(
    'unavailable',
    'Signing in is not set up. Ask the person who manages the server to set SESSION_SECRET and restart the site.',
  );
}
