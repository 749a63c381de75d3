import * as z from 'zod/mini';

/** The shortest password that an admin can choose, in characters; there is no other rule for it. */
export const shortestPassword = 12;

const currentMissing = 'Please enter your current password.';
const nextTooShort = `Please use at least ${shortestPassword} characters.`;

/** `POST /api/settings/password`. */
export const passwordChange = z
  .object({
    current: z.string(currentMissing).check(z.minLength(1, currentMissing), z.maxLength(1024)),
    next: z
      .string(nextTooShort)
      .check(z.minLength(shortestPassword, nextTooShort), z.maxLength(1024, 'Please use at most 1,024 characters.')),
    /** Ends the admin's other sessions. */
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

/** How many sessions were ended. */
export const endedSessions = z.object({ success: z.literal(true), ended: z.number() });

/** Answer to a changed password: how many sessions were ended, and passkeys removed. */
export const changedPassword = z.extend(endedSessions, { passkeysRemoved: z.number() });

export type ChangedPassword = z.infer<typeof changedPassword>;

/** A browser, or a client with a bearer token, in which an admin is signed in. */
const sessionRecord = z.object({
  id: z.string(),
  /** The browser in words, as far as it says: `Firefox on Windows`. */
  client: z.string(),
  /** When it began, was last used (to the hour), and ends at the latest; ISO 8601, UTC. */
  createdAt: z.string(),
  seenAt: z.string(),
  expiresAt: z.string(),
  /** The one that asks. */
  current: z.boolean(),
});

/** `GET /api/settings/sessions`: one's own, the latest used first. */
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

/** The browser and the system that a `User-Agent` names, for a person. */
export function clientName(userAgent: string): string {
  const client = clients.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (client && system) return `${client} on ${system}`;
  return client ?? system ?? 'An unknown client';
}
