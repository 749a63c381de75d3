import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as z from 'zod/mini';
import { cookieValue, isSecure } from '../http/cookies.ts';
import type { Services } from '../services.ts';
import { signingKey } from './sessions.ts';

/** How long somebody may take at the provider. */
const lifetimeSeconds = 10 * 60;
/** The two addresses of the sign-in, and no other request, carry the cookie. */
const cookiePath = '/api/login';

const transactionClaims = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
});

/** What must be remembered of a sign-in while its person is at the provider. */
export type OidcTransaction = z.infer<typeof transactionClaims>;

/**
 * The cookie that keeps a transaction in the browser that began it, encrypted and authenticated under a key derived from
 * SESSION_SECRET: any instance can finish what another began, and nobody else can read or make one.
 */
export async function keepTransaction(
  transaction: OidcTransaction,
  request: Request,
  { env, now }: Services,
): Promise<string> {
  const created = now();
  const sealed = await new EncryptJWT(transaction)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setIssuedAt(created)
    .setExpirationTime(new Date(created.getTime() + lifetimeSeconds * 1000))
    .encrypt(encryptionKey(env.SESSION_SECRET));
  return cookieOf(request, transaction.state, sealed, lifetimeSeconds);
}

/** The transaction that a state belongs to, or null where this browser has none, or too old a one. */
export async function findTransaction(
  state: string,
  request: Request,
  { env, now }: Services,
): Promise<OidcTransaction | null> {
  const sealed = cookieValue(request, cookieName(request, state));
  if (sealed === null) return null;
  const key = encryptionKey(env.SESSION_SECRET);
  const opened = await jwtDecrypt(sealed, key, {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
    requiredClaims: ['exp'],
    currentDate: now(),
  }).catch(() => null);
  const transaction = transactionClaims.safeParse(opened?.payload);
  return transaction.success && transaction.data.state === state ? transaction.data : null;
}

/** The cookie that forgets a transaction. */
export function forgetTransaction(state: string, request: Request): string {
  return cookieOf(request, state, '', 0);
}

function encryptionKey(secret: string | undefined): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', signingKey(secret), '', 'OpenID transaction', 32));
}

// A name for each transaction: several tabs that are opened again at once all sign in, each by its own.
function cookieName(request: Request, state: string): string {
  return `${isSecure(request) ? '__Secure-' : ''}oidc-${state.slice(0, 8)}`;
}

function cookieOf(request: Request, state: string, value: string, maxAge: number): string {
  const secure = isSecure(request) ? '; Secure' : '';
  const attributes = `Path=${cookiePath}; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
  return `${cookieName(request, state)}=${value}; ${attributes}`;
}
