import { consentKey, consentMaxAgeSeconds, type Consent } from '../domain/consent.ts';

/** The visitor's stored choice about cookies, or null while there is none. A blocked storage counts as none. */
export function readConsent(): Consent | null {
  return consentOf(fromStorage()) ?? consentOf(fromCookie());
}

/**
 * Stores the choice for a year, in local storage and in a first-party cookie of the same name and value (decisions,
 * 'Consent and analytics'). Where a browser blocks one of them, the other still holds.
 */
export function storeConsent(choice: Consent): void {
  try {
    localStorage.setItem(consentKey, choice);
  } catch {
    // The cookie remembers it.
  }
  writeCookie(choice, consentMaxAgeSeconds);
}

/** Forgets the choice, so that the banner asks again. */
export function resetConsent(): void {
  try {
    localStorage.removeItem(consentKey);
  } catch {
    // Nothing was stored there.
  }
  writeCookie('', 0);
}

/** True only after an explicit yes, and never for a browser that sends Global Privacy Control. */
export function analyticsAllowed(): boolean {
  const { globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return readConsent() === 'true' && globalPrivacyControl !== true;
}

function consentOf(value: string | null | undefined): Consent | null {
  return value === 'true' || value === 'declined' ? value : null;
}

function fromStorage(): string | null {
  try {
    return localStorage.getItem(consentKey);
  } catch {
    return null;
  }
}

/** Reading or writing cookies throws in a sandboxed frame. */
function fromCookie(): string | undefined {
  try {
    const prefix = `${consentKey}=`;
    return document.cookie
      .split('; ')
      .find((cookie) => cookie.startsWith(prefix))
      ?.slice(prefix.length);
  } catch {
    return undefined;
  }
}

function writeCookie(value: string, maxAgeSeconds: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  try {
    document.cookie = `${consentKey}=${value}; Max-Age=${maxAgeSeconds}; Path=/; SameSite=Lax${secure}`;
  } catch {
    // Local storage remembers it.
  }
}
