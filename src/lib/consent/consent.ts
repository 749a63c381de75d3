import { consentKey, consentMaxAgeSeconds, type Consent } from '../../domain/submissions/consent.ts';
import { attempt } from '../request/attempt.ts';

/** Returns the visitor's stored cookie choice, or null if none is stored or storage is blocked. */
export function readConsent(): Consent | null {
  return consentOf(attempt(() => localStorage.getItem(consentKey))) ?? consentOf(attempt(cookieValue));
}

/**
 * Stores the choice for a year, in local storage and in a first-party cookie with the same name and value
 * (docs/product.md#cookies). If the browser blocks one of them, the other still works.
 */
export function storeConsent(choice: Consent): void {
  attempt(() => localStorage.setItem(consentKey, choice));
  writeCookie(choice, consentMaxAgeSeconds);
}

/** Deletes the stored choice, so the banner asks again. */
export function resetConsent(): void {
  attempt(() => localStorage.removeItem(consentKey));
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

function cookieValue(): string | undefined {
  const prefix = `${consentKey}=`;
  const cookies = document.cookie.split('; ');
  return cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
}

function writeCookie(value: string, maxAgeSeconds: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  attempt(() => {
    document.cookie = `${consentKey}=${value}; Max-Age=${maxAgeSeconds}; Path=/; SameSite=Lax${secure}`;
  });
}
