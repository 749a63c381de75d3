import * as z from 'zod/mini';
import { exactText } from '../text/plain-text.ts';
import { longestPassword } from './session.ts';

/** Minimum length of an admin's password, in characters. Digits and symbols are not required. */
export const shortestPassword = 12;

/**
 * The fields of the password form. They are not text fields (`Fields`), because text fields are trimmed and cleaned,
 * and a password must stay exactly as typed.
 */
export const passwordFields = {
  current: { label: 'Current password', min: 1, max: longestPassword, message: 'Please enter your current password.' },
  next: {
    label: 'New password',
    min: shortestPassword,
    max: longestPassword,
    message: `Please use at least ${shortestPassword} characters.`,
  },
} as const;

export const newPassword = exactText(passwordFields.next);

/** Request body of `POST /api/settings/password`. */
export const passwordChange = z
  .object({
    current: exactText(passwordFields.current),
    next: newPassword,
    /** Signs the admin out of all other sessions. */
    signOutElsewhere: z._default(z.boolean(), true),
    removePasskeys: z._default(z.boolean(), false),
  })
  .check(
    z.refine(({ current, next }) => current !== next, {
      path: ['next'],
      message: 'This is your current password. Please choose another one.',
    }),
  );

export type PasswordChange = z.infer<typeof passwordChange>;

/** Response with the number of sessions that were ended. */
export const endedSessions = z.object({ success: z.literal(true), ended: z.number() });

/** Response of `POST /api/settings/password`, with the numbers of ended sessions and removed passkeys. */
export const changedPassword = z.extend(endedSessions, { passkeysRemoved: z.number() });

export type ChangedPassword = z.infer<typeof changedPassword>;

/** A session of an admin, in a browser or in an API client with a bearer token. */
const sessionRecord = z.object({
  id: z.string(),
  /** Browser and operating system, such as `Firefox on Windows`, as far as the `User-Agent` names them. */
  client: z.string(),
  /** When the session began, was last used (rounded down to the hour), and expires; ISO 8601, UTC. */
  createdAt: z.string(),
  seenAt: z.string(),
  expiresAt: z.string(),
  /** True for the session that sent this request. */
  current: z.boolean(),
});

/** Response of `GET /api/settings/sessions`: the signed-in admin's sessions, most recently used first. */
export const sessionList = z.object({ data: z.array(sessionRecord) });

const clients: readonly [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrom(e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const systems: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns the browser and operating system of a `User-Agent` header, such as `Firefox on Windows`. */
export function clientName(userAgent: string): string {
  const client = clients.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (client && system) return `${client} on ${system}`;
  return client ?? system ?? 'Unknown browser';
}

const base64url = z.string().check(z.regex(/^[\w-]{1,20000}$/, 'This is not base64url.'));

/**
 * Request body of `POST /api/settings/passkeys` and `POST /api/login/passkey`: the JSON result of
 * `navigator.credentials.create` or `get` (WebAuthn Level 3). @simplewebauthn/server checks the rest.
 */
export const passkeyAnswer = z.looseObject({ id: base64url, response: z.record(z.string(), z.unknown()) });

export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

/** JSON options for `navigator.credentials.create` and `get`. The schema checks only the challenge. */
export const passkeyOptions = z.looseObject({ challenge: base64url });

export type PasskeyOptions = z.infer<typeof passkeyOptions>;

export const passkeyRecord = z.object({
  id: z.string(),
  /** The browser that created the passkey, such as `Firefox on Windows`. */
  name: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  usedAt: z.nullable(z.string()),
});

export type PasskeyRecord = z.infer<typeof passkeyRecord>;

/** Response of `GET /api/settings/passkeys`: the signed-in admin's passkeys, oldest first. */
export const passkeyList = z.object({ data: z.array(passkeyRecord) });

/** Returns false for an IP address, because browsers create passkeys only for domain names. */
export function canHavePasskeys(hostname: string): boolean {
  return !/^[\d.]+$|^\[/.test(hostname);
}
