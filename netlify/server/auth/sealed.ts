import { hkdfSync } from 'node:crypto';
import { EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose';
import type * as z from 'zod/mini';
import type { Services } from '../services.ts';
import { signingKey } from './sessions.ts';

type SealServices = Pick<Services, 'env' | 'now'>;

/**
 * Claims that leave the server and come back: encrypted and authenticated under a key derived from SESSION_SECRET for this
 * purpose alone, so that any instance can read what another made, and nobody else can read or make one.
 * @param lifetimeMs from now on.
 */
export async function seal(
  claims: JWTPayload,
  purpose: string,
  lifetimeMs: number,
  { env, now }: SealServices,
): Promise<string> {
  const created = now();
  return await new EncryptJWT(claims)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setIssuedAt(created)
    .setExpirationTime(new Date(created.getTime() + lifetimeMs))
    .encrypt(keyFor(purpose, env.SESSION_SECRET));
}

/** What was sealed for this purpose and has not expired, else null. */
export async function unseal<Claims>(
  sealed: string,
  purpose: string,
  schema: z.ZodMiniType<Claims>,
  { env, now }: SealServices,
): Promise<Claims | null> {
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
