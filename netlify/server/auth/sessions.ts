import { randomUUID } from 'node:crypto';
import { SignJWT, jwtVerify } from 'jose';
import { cookieValue, isSecure } from '../http/cookies.ts';
import { Refusal } from '../http/refusal.ts';
import type { Services } from '../services.ts';
import type { StoredSession } from '../stores/sessions.ts';

/** A session ends after this, whatever happens. */
const lifetimeMs = 7 * 24 * 60 * 60 * 1000;
/** It ends sooner where nobody used it for so long: over a weekend, but not over a holiday. */
const idleMs = 3 * 24 * 60 * 60 * 1000;
/** Its last use is noted no more often than this, so that reading writes nothing. */
const noteUseMs = 60 * 60 * 1000;
const algorithm = 'HS256';

export interface Session {
  readonly id: string;
  readonly email: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  /** True where the browser sent it by itself, so that the request's origin must be checked. */
  readonly fromCookie: boolean;
}

/** What telling a session takes; a page that is rendered on request has no more. */
export type SessionServices = Pick<Services, 'env' | 'now'> & { readonly stores: Pick<Services['stores'], 'sessions'> };

/** Starts a session: a signed token whose id is stored, so that it can be ended. */
export async function startSession(
  email: string,
  request: Request,
  { env, stores, now }: Services,
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
  });
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: algorithm })
    .setSubject(email)
    .setJti(id)
    .setIssuedAt(created)
    .setExpirationTime(expires)
    .sign(signingKey(env.SESSION_SECRET));
  return { token, cookie: cookieOf(request, env, token, lifetimeMs / 1000) };
}

/** Ends the request's session, if it has one. @returns whose it was, and the cookie that forgets it. */
export async function endSession(
  request: Request,
  services: Services,
): Promise<{ email: string | null; cookie: string }> {
  const session = await currentSession(request, services);
  if (session) await services.stores.sessions.remove(session.id);
  return { email: session?.email ?? null, cookie: cookieOf(request, services.env, '', 0) };
}

/** @throws {Refusal} `unauthorized` where the request has no session that is still good. */
export async function requireSession(request: Request, services: SessionServices): Promise<Session> {
  const session = await currentSession(request, services);
  if (!session) throw new Refusal('unauthorized', 'Please sign in.');
  return session;
}

/** The request's session by bearer token or cookie, or null. */
async function currentSession(request: Request, services: SessionServices): Promise<Session | null> {
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const cookie = cookieValue(request, cookieName(request, services.env));
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
  return { id: stored.id, email: stored.email, expiresAt: stored.expiresAt };
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

// The prefix makes browsers refuse the cookie from another subdomain or over plain http.
function cookieName(request: Request, env: Services['env']): string {
  return isSecure(request, env) ? '__Host-session' : 'session';
}

function cookieOf(request: Request, env: Services['env'], value: string, maxAge: number): string {
  const secure = isSecure(request, env) ? '; Secure' : '';
  return `${cookieName(request, env)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
}
