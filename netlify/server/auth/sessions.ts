import { randomUUID } from 'node:crypto';
import { SignJWT, jwtVerify } from 'jose';
import { siteCookie } from '../http/cookies.ts';
import { Refusal } from '../http/refusal.ts';
import type { Services } from '../services.ts';
import type { StoredSession } from '../stores/sessions.ts';

/** A session ends after this, whatever happens. */
const lifetimeMs = 7 * 24 * 60 * 60 * 1000;
/** It ends sooner where nobody used it for so long: over a weekend, but not over a holiday. */
const idleMs = 3 * 24 * 60 * 60 * 1000;
/** Its last use is noted no more often than this, so that reading writes nothing. */
const noteUseMs = 60 * 60 * 1000;
/** How long after a sign-in an admin may do what could give an account or many people's data away. */
const freshMs = 10 * 60 * 1000;
const algorithm = 'HS256';
const sessionCookie = siteCookie('session');

export interface Session {
  readonly id: string;
  readonly email: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  /** When the admin last proved who they are (ISO 8601, UTC); empty where that is not known. */
  readonly freshAt: string;
  /** The known browser that it belongs to; empty where there is none. */
  readonly device: string;
  /** True where the browser sent it by itself, so that the request's origin must be checked. */
  readonly fromCookie: boolean;
}

/** What telling a session takes; a page that is rendered on request has no more. */
export type SessionServices = Pick<Services, 'env' | 'now'> & { readonly stores: Pick<Services['stores'], 'sessions'> };

/**
 * Starts a session: a signed token whose id is stored, so that it can be ended.
 * @param details.freshAt when the admin proved who they are, if that was not now; empty if it is not known.
 * @param details.device the known browser.
 */
export async function startSession(
  email: string,
  request: Request,
  { env, stores, now }: Services,
  details: { freshAt?: string; device?: string } = {},
): Promise<{ token: string; cookie: string }> {
  const created = now();
  const expires = new Date(created.getTime() + lifetimeMs);
  const id = randomUUID();
  await stores.sessions.create({
    id,
    email,
    createdAt: created.toISOString(),
    expiresAt: expires.toISOString(),
    seenAt: created.toISOString(),
    userAgent: (request.headers.get('user-agent') ?? '').slice(0, 300),
    freshAt: details.freshAt ?? created.toISOString(),
    device: details.device ?? '',
  });
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: algorithm })
    .setSubject(email)
    .setJti(id)
    .setIssuedAt(created)
    .setExpirationTime(expires)
    .sign(signingKey(env.SESSION_SECRET));
  return { token, cookie: sessionCookie.write(token, lifetimeMs / 1000, request, env) };
}

/** Ends the request's session, if it has one. @returns whose it was, and the cookie that forgets it. */
export async function endSession(
  request: Request,
  services: Services,
): Promise<{ email: string | null; cookie: string }> {
  const session = await currentSession(request, services);
  if (session) await services.stores.sessions.remove(session.id);
  return { email: session?.email ?? null, cookie: sessionCookie.write('', 0, request, services.env) };
}

/** @throws {Refusal} `unauthorized` where the request has no session that is still good. */
export async function requireSession(request: Request, services: SessionServices): Promise<Session> {
  const session = await currentSession(request, services);
  if (!session) throw new Refusal('unauthorized', 'Please sign in.');
  return session;
}

/**
 * Refuses a session whose admin signed in too long ago: whoever finds an open browser, or steals a session, cannot prove
 * that they are the admin.
 * @throws {Refusal} `fresh_sign_in`
 */
export function requireFreshSignIn(session: Session, now: Date): void {
  if (isFresh(session, now)) return;
  throw new Refusal('fresh_sign_in', "Confirm that it's you. Sign in again, and then repeat this step.");
}

/** True within 10 minutes after the admin entered their password or used a passkey. */
export function isFresh({ freshAt }: Pick<Session, 'freshAt'>, now: Date): boolean {
  return freshAt !== '' && now.getTime() - Date.parse(freshAt) <= freshMs;
}

/** The request's session by bearer token or cookie, or null. */
export async function currentSession(request: Request, services: SessionServices): Promise<Session | null> {
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const cookie = sessionCookie.read(request, services.env);
  if (bearer) {
    const session = await verify(bearer, services);
    if (session) return { ...session, fromCookie: false };
  }
  // A stale token in local storage must not lock out somebody whose cookie is good.
  if (cookie) {
    const session = await verify(cookie, services);
    if (session) return { ...session, fromCookie: true };
  }
  return null;
}

async function verify(
  token: string,
  { env, stores, now }: SessionServices,
): Promise<Omit<Session, 'fromCookie'> | null> {
  let id: string | undefined;
  try {
    const { payload } = await jwtVerify(token, signingKey(env.SESSION_SECRET), {
      algorithms: [algorithm],
      currentDate: now(),
    });
    id = payload.jti;
  } catch {
    return null;
  }
  const stored = id ? await stores.sessions.get(id) : null;
  if (!stored || hasEnded(stored, now())) return null;
  if (now().getTime() - Date.parse(stored.seenAt) >= noteUseMs) {
    await stores.sessions.touch(stored.id, now().toISOString());
  }
  const { email, expiresAt, freshAt, device } = stored;
  return { id: stored.id, email, expiresAt, freshAt, device };
}

/** True from the moment on from which a session is no longer good, though it may still be stored. */
export function hasEnded({ expiresAt, seenAt }: Pick<StoredSession, 'expiresAt' | 'seenAt'>, now: Date): boolean {
  return expiresAt <= now.toISOString() || seenAt <= unusedSince(now);
}

/** Forgets the sessions that have ended by themselves. */
export async function removeEndedSessions({ stores, now }: Services): Promise<void> {
  await stores.sessions.removeExpired(now().toISOString(), unusedSince(now()));
}

function unusedSince(now: Date): string {
  return new Date(now.getTime() - idleMs).toISOString();
}

/** @throws {Refusal} `unavailable` where SESSION_SECRET is missing. */
export function signingKey(secret: string | undefined): Uint8Array {
  if (!secret) throw new Refusal('unavailable', 'Signing in is not set up: SESSION_SECRET is missing.');
  return new TextEncoder().encode(secret);
}
