import { randomUUID } from 'node:crypto';
import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import * as z from 'zod/mini';
import { freshSignInMinutes, keptDays } from '../../../src/domain/submissions/retention.ts';
import { adminHome, returnPath, signInPage } from '../../../src/domain/account/session.ts';
import { siteCookie } from '../http/cookies.ts';
import { logError } from '../log.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import type { StoredSession } from './store.ts';
import { readToken, signToken } from './tokens.ts';

const lifetimeMs = keptDays.session * millisecondsInDay;
const idleMs = keptDays.idleSession * millisecondsInDay;
const sessionCookie = siteCookie('session');
/** The token contains the id of the stored session, so the session can be ended early. */
const claims = z.object({ jti: z.string() });

export interface Session extends Pick<StoredSession, 'id' | 'email' | 'expiresAt' | 'freshAt'> {
  /** True if the token came in a cookie. Browsers send cookies automatically, so the origin must be checked. */
  readonly fromCookie: boolean;
}

/** The services that are needed to find a session. Pages that are rendered on demand have only these services. */
export type SessionServices = Pick<Services, 'env' | 'now'> & { readonly stores: Pick<Services['stores'], 'sessions'> };

/**
 * Starts a session.
 * @param freshAt the time of the sign-in; empty if unknown. The default is now.
 */
export async function startSession(
  email: string,
  request: Request,
  services: Services,
  freshAt?: string,
): Promise<{ token: string; cookie: string }> {
  const id = randomUUID();
  const at = services.now();
  await services.stores.sessions.create({
    id,
    email,
    createdAt: at.toISOString(),
    expiresAt: new Date(at.getTime() + lifetimeMs).toISOString(),
    seenAt: at.toISOString(),
    userAgent: (request.headers.get('user-agent') ?? '').slice(0, 300),
    freshAt: freshAt ?? at.toISOString(),
  });
  const token = await signToken('session', { jti: id }, lifetimeMs, services);
  return { token, cookie: sessionCookie.write(token, lifetimeMs / 1000, request, services.env) };
}

/**
 * Ends the request's session.
 * @returns the admin's email address, or null without a session, and a cookie that deletes the session cookie.
 */
export async function endSession(
  request: Request,
  services: Services,
): Promise<{ email: string | null; cookie: string }> {
  const session = await currentSession(request, services);
  if (session) await services.stores.sessions.remove(session.id);
  return { email: session?.email ?? null, cookie: sessionCookie.write('', 0, request, services.env) };
}

/** Returns the request's session. @throws {Refusal} `unauthorized` without a valid session. */
export async function requireSession(request: Request, services: SessionServices): Promise<Session> {
  const session = await currentSession(request, services);
  if (!session) throw new Refusal('unauthorized', 'Please sign in.');
  return session;
}

/**
 * Refuses a session whose last sign-in is too old, so a stolen session or an unattended browser is not enough for a
 * sensitive step.
 * @throws {Refusal} `fresh_sign_in`
 */
export function requireFreshSignIn(session: Session, now: Date): void {
  if (isFresh(session, now)) return;
  throw new Refusal('fresh_sign_in', "Please confirm that it's you. Sign in again, then repeat this step.");
}

/** Returns true if the admin signed in at most {@link freshSignInMinutes} ago. */
export function isFresh({ freshAt }: Pick<Session, 'freshAt'>, now: Date): boolean {
  return freshAt !== '' && now.getTime() - Date.parse(freshAt) <= freshSignInMinutes * millisecondsInMinute;
}

/** Returns the request's session, from a bearer token or a cookie, or null. */
export async function currentSession(request: Request, services: SessionServices): Promise<Session | null> {
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  // An invalid or expired bearer token must not hide a valid cookie.
  const ofBearer = await storedSession(bearer, services);
  const session = ofBearer ?? (await storedSession(sessionCookie.read(request, services.env), services));
  return session && { ...session, fromCookie: !ofBearer };
}

async function storedSession(
  token: string | null | undefined,
  services: SessionServices,
): Promise<StoredSession | null> {
  const { stores, now } = services;
  const claimed = await readToken('session', token, claims, services);
  const stored = claimed && (await stores.sessions.get(claimed.jti));
  if (!stored || hasEnded(stored, now())) return null;
  // The time is written at most once per hour, so most requests do not write to the database.
  if (now().getTime() - Date.parse(stored.seenAt) >= millisecondsInHour) {
    // A full disk must not keep an admin from reading what to do about it.
    await stores.sessions
      .touch(stored.id, now().toISOString())
      .catch((error: unknown) => logError('use of a session not recorded', {}, error));
  }
  return stored;
}

/** Returns true for a session that has expired or was unused for too long, even if its row still exists. */
export function hasEnded({ expiresAt, seenAt }: Pick<StoredSession, 'expiresAt' | 'seenAt'>, now: Date): boolean {
  return expiresAt <= now.toISOString() || seenAt <= new Date(now.getTime() - idleMs).toISOString();
}

/**
 * Returns the URL of the sign-in page. The query parameter `returnTo` names the page to open after the sign-in, and the
 * fragment names the reason for a refused sign-in.
 */
export function signInAddress(returnTo: string, fragment?: string): string {
  const query = returnTo === adminHome ? '' : `?returnTo=${encodeURIComponent(returnTo)}`;
  return `${signInPage}${query}${fragment ? `#${fragment}` : ''}`;
}

/**
 * Returns the path of the page to open after a sign-in without scripts. The sign-in page is static, so its form cannot
 * send the path. The path comes from the query of the page's URL, which is the Referer.
 */
export function wantedPage(request: Request): string {
  const referrer = request.headers.get('referer') ?? '';
  return returnPath(URL.canParse(referrer) ? new URL(referrer).searchParams.get('returnTo') : null);
}
