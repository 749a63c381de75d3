import * as z from 'zod/mini';
import { cookieValue, isSecure } from '../http/cookies.ts';
import type { Services } from '../services.ts';
import { readToken, signToken } from './tokens.ts';

/** The time that a person has to sign in at the provider. */
const lifetimeSeconds = 10 * 60;
/** The browser sends the cookie only to the two paths that start and finish a sign-in. */
const cookiePath = '/api/login';

const transactionClaims = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  /** True if the provider was asked to make the person sign in again, even if they were already signed in there. */
  fresh: z._default(z.boolean(), false),
});

/** The state of a sign-in while the person is at the provider. */
export type OidcTransaction = z.infer<typeof transactionClaims>;

/** Returns a cookie that stores the transaction in the browser. */
export async function keepTransaction(
  transaction: OidcTransaction,
  request: Request,
  services: Services,
): Promise<string> {
  const token = await signToken('company sign-in', transaction, lifetimeSeconds * 1000, services);
  return cookieOf(request, services, transaction.state, token, lifetimeSeconds);
}

/** Returns the transaction with this state; null if this browser has no such transaction or it has expired. */
export async function findTransaction(
  state: string,
  request: Request,
  services: Services,
): Promise<OidcTransaction | null> {
  const token = cookieValue(request, cookieName(request, services, state));
  const transaction = await readToken('company sign-in', token, transactionClaims, services);
  return transaction?.state === state ? transaction : null;
}

/** Returns a cookie that deletes a transaction. */
export function forgetTransaction(state: string, request: Request, services: Services): string {
  return cookieOf(request, services, state, '', 0);
}

// Each transaction has its own cookie, so several tabs can sign in at the same time.
function cookieName(request: Request, { env }: Services, state: string): string {
  return `${isSecure(request, env) ? '__Secure-' : ''}oidc-${state.slice(0, 8)}`;
}

function cookieOf(request: Request, services: Services, state: string, value: string, maxAge: number): string {
  const secure = isSecure(request, services.env) ? '; Secure' : '';
  const attributes = `Path=${cookiePath}; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
  return `${cookieName(request, services, state)}=${value}; ${attributes}`;
}
