import { randomUUID } from 'node:crypto';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { freshSignInMinutes, keptDays } from '../../../src/domain/retention.ts';
import { siteCookie } from '../http/cookies.ts';
import { Refusal } from '../runtime/refusal.ts';
import type { Services } from '../services.ts';
import type { StoredSession } from '../stores/sessions.ts';

const lifetimeMs = keptDays.session * millisecondsInDay;
const idleMs = keptDays.idleSession * millisecondsInDay;
/** A session's `seenAt` is updated at most once per hour, so most requests do not write to the database. */
const noteUseMs = 60 * 60 * 1000;
const freshMs = freshSignInMinutes * millisecondsInMinute;
const algorithm = 'HS256';
const sessionCookie = siteCookie('session');

/** Loads the library when it is first used, so the start of the process does not wait for the library's 46 files. */
export const jose = () => import('jose');

export interface Session {
  readonly id: string;
  readonly email: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  /** When the admin signed in with a password, a passkey or a company account (ISO 8601, UTC); empty if unknown. */
  readonly freshAt: string;
  /** The id of the browser in which the admin signed in (`devices.ts`); empty if unknown. */
  readonly device: string;
  /** True if the token came in a cookie. Browsers send cookies automatically, so the origin must be checked. */
  readonly fromCookie: boolean;
}

/** The services that are needed to find a session. Pages that are rendered on demand have only these services. */
export type SessionServices = Pick<Services, 'env' | 'now'> & { readonly stores: Pick<Services['stores'], 'sessions'> };

/**
 * Starts a session. The signed token contains the id of the stored session, so the session can be ended early.
 * @param details.freshAt the time of the sign-in; empty if unknown. The default is now.
 * @param details.device the id of the browser (`devices.ts`).
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
  const { SignJWT } = await jose();
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: algorithm })
    .setSubject(email)
    .setJti(id)
    .setIssuedAt(created)
    .setExpirationTime(expires)
    .sign(signingKey(env.SESSION_SECRET));
  return { token, cookie: sessionCookie.write(token, lifetimeMs / 1000, request, env) };
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
  return freshAt !== '' && now.getTime() - Date.parse(freshAt) <= freshMs;
}

/** Returns the request's session, from a bearer token or a cookie, or null. */
export async function currentSession(request: Request, services: SessionServices): Promise<Session | null> {
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const cookie = sessionCookie.read(request, services.env);
  if (bearer) {
    const session = await verify(bearer, services);
    if (session) return { ...session, fromCookie: false };
  }
  // An invalid or expired bearer token must not hide a valid cookie.
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
    const { jwtVerify } = await jose();
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

/** Returns true for a session that has expired or was unused for too long, even if its row still exists. */
export function hasEnded({ expiresAt, seenAt }: Pick<StoredSession, 'expiresAt' | 'seenAt'>, now: Date): boolean {
  return expiresAt <= now.toISOString() || seenAt <= unusedSince(now);
}

export async function removeEndedSessions({ stores, now }: Services): Promise<void> {
  await stores.sessions.removeExpired(now().toISOString(), unusedSince(now()));
}

function unusedSince(now: Date): string {
  return new Date(now.getTime() - idleMs).toISOString();
}

/** Returns the key for signing session tokens. @throws {Refusal} `unavailable` if SESSION_SECRET is missing. */
export function signingKey(secret: string | undefined): Uint8Array {
  if (!secret)
    throw new Refusal(
      'unavailable',
      'Signing in is not set up. Ask the person who manages the server to set SESSION_SECRET and restart the site.',
    );
  return new TextEncoder().encode(secret);
}
