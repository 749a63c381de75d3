import { hkdfSync } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type * as z from 'zod/mini';
import type { Services } from '../services.ts';
import { jose, signingKey } from './sessions.ts';

type SealServices = Pick<Services, 'env' | 'now'>;

/**
 * Encrypts and authenticates claims that the browser stores for the server. The key is derived from SESSION_SECRET and
 * the purpose, so every instance of the site can read the result, but only for this purpose.
 * @param lifetimeMs the time until the result expires.
 */
export async function seal(
  claims: JWTPayload,
  purpose: string,
  lifetimeMs: number,
  { env, now }: SealServices,
): Promise<string> {
  const created = now();
  const { EncryptJWT } = await jose();
  return await new EncryptJWT(claims)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setIssuedAt(created)
    .setExpirationTime(new Date(created.getTime() + lifetimeMs))
    .encrypt(keyFor(purpose, env.SESSION_SECRET));
}

/** Returns the claims if they were sealed for this purpose and have not expired; otherwise null. */
export async function unseal<Claims>(
  sealed: string,
  purpose: string,
  schema: z.ZodMiniType<Claims>,
  { env, now }: SealServices,
): Promise<Claims | null> {
  const { jwtDecrypt } = await jose();
  const opened = await jwtDecrypt(sealed, keyFor(purpose, env.SESSION_SECRET), {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
    requiredClaims: ['exp'],
    currentDate: now(),
  }).catch(() => null);
  return schema.safeParse(opened?.payload).data ?? null;
}

function keyFor(purpose: string, secret: string | undefined): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', signingKey(secret), '', purpose, 32));
}
