/**
 * Name of the local storage item and of the first-party cookie that store the visitor's choice about cookies. Both hold
 * the same value (docs/product.md#cookies).
 */
export const consentKey = 'cookies-accepted';
export const consentMaxAgeSeconds = 365 * 24 * 60 * 60;
export const consentBannerDelayMs = 1_000;
export const consentFadeMs = 300;

export type Consent = 'true' | 'declined';
