import { consentKey, consentMaxAgeSeconds, type Consent } from '../domain/consent.ts';

/** Returns the visitor's stored cookie choice, or null if none is stored or storage is blocked. */
export function readConsent(): Consent | null {
  return consentOf(fromStorage()) ?? consentOf(fromCookie());
}

/**
 * Stores the choice for a year, in local storage and in a first-party cookie with the same name and value
 * (docs/product.md#cookies). If the browser blocks one of them, the other still works.
 */
export function storeConsent(choice: Consent): void {
  try {
    localStorage.setItem(consentKey, choice);
  } catch {
    // Local storage is blocked. The cookie stores the choice.
  }
  writeCookie(choice, consentMaxAgeSeconds);
}

/** Deletes the stored choice, so the banner asks again. */
export function resetConsent(): void {
  try {
    localStorage.removeItem(consentKey);
  } catch {
    // Local storage is blocked, so it contains no choice to delete.
  }
  writeCookie('', 0);
}

/** Returns true only after explicit consent, and never if the browser sends Global Privacy Control. */
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

/** Returns the cookie's value; undefined in a sandboxed frame, where reading cookies throws an error. */
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
    // Cookies are blocked. Local storage stores the choice.
  }
}
