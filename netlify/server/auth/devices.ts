import { randomUUID } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import * as z from 'zod/mini';
import { keptDays } from '../../../src/domain/retention.ts';
import { siteCookie } from '../http/cookies.ts';
import type { Services } from '../services.ts';
import { seal, unseal } from './sealed.ts';

/** A browser counts as known for this time after the admin last signed in with it. */
const lifetimeMs = keptDays.device * millisecondsInDay;
const purpose = 'known device';
const deviceCookie = siteCookie('device');
const claims = z.object({ id: z.string() });

/** Returns the id in the browser's device cookie, or null if the cookie is missing or forged. */
async function deviceOf(request: Request, services: Services): Promise<string | null> {
  const sealed = deviceCookie.read(request, services.env);
  const opened = sealed === null ? null : await unseal(sealed, purpose, claims, services);
  return opened?.id ?? null;
}

/**
 * Returns the id of the request's browser if it is known: this admin signed in with it in the last 180 days, and has
 * not signed it out from another browser since. Otherwise returns null. In a known browser, a sign-in is not delayed by
 * wrong passwords that were entered in other browsers.
 */
export async function knownDevice(email: string, request: Request, services: Services): Promise<string | null> {
  const id = await deviceOf(request, services);
  if (id === null) return null;
  return (await services.stores.devices.knows(id, email, knownSince(services))) ? id : null;
}

/**
 * Remembers the browser of an admin who has just signed in.
 * @returns the browser's id, and whether it was known before.
 */
export async function rememberDevice(
  email: string,
  request: Request,
  services: Services,
): Promise<{ id: string; wasKnown: boolean; cookie: string }> {
  const { stores, env, now } = services;
  const former = await deviceOf(request, services);
  const wasKnown = former !== null && (await stores.devices.knows(former, email, knownSince(services)));
  const id = former ?? randomUUID();
  await stores.devices.put(id, email, now().toISOString());
  const sealed = await seal({ id }, purpose, lifetimeMs, services);
  return { id, wasKnown, cookie: deviceCookie.write(sealed, lifetimeMs / 1000, request, env) };
}

/** Forgets browsers without a sign-in for 180 days. */
export async function forgetOldDevices(services: Services): Promise<void> {
  await services.stores.devices.removeBefore(knownSince(services));
}

function knownSince({ now }: Services): string {
  return new Date(now().getTime() - lifetimeMs).toISOString();
}
