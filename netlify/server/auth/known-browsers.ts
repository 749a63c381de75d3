import { randomUUID } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import * as z from 'zod/mini';
import { keptDays } from '../../../src/domain/retention.ts';
import { siteCookie } from '../http/cookies.ts';
import type { Services } from '../services.ts';
import { readToken, signToken } from './tokens.ts';

const lifetimeMs = keptDays.device * millisecondsInDay;
/** The most admins whom one browser's cookie names. */
const mostAdmins = 5;
const browserCookie = siteCookie('device');
const claims = z.object({ id: z.string(), admins: z.array(z.string()) });

/**
 * Returns the id of the request's browser if the admin signed in with it in the last 180 days; otherwise null. In a
 * known browser, wrong passwords that were entered elsewhere do not delay a sign-in.
 */
export async function knownBrowser(email: string, request: Request, services: Services): Promise<string | null> {
  const known = await readToken('known browser', browserCookie.read(request, services.env), claims, services);
  return known?.admins.includes(email.toLowerCase()) ? known.id : null;
}

/** Returns a cookie with which the browser is known for an admin who has just signed in. */
export async function rememberBrowser(email: string, request: Request, services: Services): Promise<string> {
  const former = await readToken('known browser', browserCookie.read(request, services.env), claims, services);
  const { id, admins } = former ?? { id: randomUUID(), admins: [] };
  const now = [...new Set([email.toLowerCase(), ...admins])].slice(0, mostAdmins);
  const token = await signToken('known browser', { id, admins: now }, lifetimeMs, services);
  return browserCookie.write(token, lifetimeMs / 1000, request, services.env);
}
