/** The visitor's choice about cookies (spec §4): local storage and a first-party cookie of the same name and value. */
export const consentKey = 'cookies-accepted';
export const consentMaxAgeSeconds = 365 * 24 * 60 * 60;
export const consentBannerDelayMs = 1_000;
export const consentFadeMs = 300;

export type Consent = 'true' | 'declined';
