import { type Consent, consentFadeMs } from '../../domain/consent.ts';
import { trackPage } from '../../lib/analytics.ts';
import { storeConsent } from '../../lib/consent.ts';

/** Returns the element around the cookie banner (CookieBanner.astro), or null after the visitor's choice. */
export const consentBanner = (): HTMLElement | null => document.querySelector('#cookies');

/** Stores the visitor's choice and fades the banner out. */
export function answerConsent(choice: Consent): void {
  const banner = consentBanner();
  const section = banner?.querySelector<HTMLElement>('.cookie-banner:not([data-leaving])');
  // Ignores a second click while the banner fades out.
  if (!banner || !section) return;
  section.dataset['leaving'] = '';
  storeConsent(choice);
  if (choice === 'true') trackPage();
  setTimeout(() => banner.remove(), consentFadeMs);
}

/** Handles a click on one of the banner's buttons. */
export function answerConsentClick(target: Element): void {
  const choice = target.closest<HTMLElement>('#cookies [data-consent]')?.dataset['consent'];
  if (choice) answerConsent(choice as Consent);
}
