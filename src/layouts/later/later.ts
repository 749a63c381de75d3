import { type Consent, consentFadeMs } from '../../domain/submissions/consent.ts';
import type { Touch } from '../../islands/reach/first-touch.ts';
import { trackPage } from '../../lib/consent/analytics.ts';
import { attempt } from '../../lib/request/attempt.ts';
import { readConsent, resetConsent, storeConsent } from '../../lib/consent/consent.ts';
import { namedPart, reachIsland, reachNamedIsland, reachSeenIslands } from './islands.ts';

/*
 * Handles input events. This module loads on the first pointer, key, focus or scroll event, or after five seconds.
 * src/islands/reach/first-touch.ts passes every event to this function.
 */
export default function onTouch(touch: Touch): void {
  const { type, target, defaultPrevented } = touch;
  if (!(target instanceof Element)) return;
  reachIsland(touch, target);
  if (type === 'keydown' && touch.key === 'Escape') declineByEscape(touch);
  const choice = type === 'click' && target.closest<HTMLElement>('#cookies [data-consent]')?.dataset['consent'];
  if (choice) answerConsent(choice as Consent);
  if (type === 'click' && target.closest('[data-reset-consent]')) {
    resetConsent();
    location.reload();
  }
  // A click on a button that opens or closes a panel counts as interaction with the form in that panel.
  const panel = type === 'click' ? target.closest('[popovertarget]')?.getAttribute('popovertarget') : null;
  const form = panel
    ? document.querySelector<HTMLFormElement>(`#${panel} form`)
    : target.closest<HTMLFormElement>('form[data-enhance]');
  // first-touch.ts prevents the default action of clicks that this module must handle. The browser handles all others.
  const sends = type === 'click' && defaultPrevented === true && target.closest('[type=submit]') !== null;
  if (form && type !== 'pointermove') void enhance(form, sends);
}

/**
 * Enhances a form.
 * @param send true if the visitor already clicked the submit button: the form is submitted, even if the import fails.
 */
async function enhance(form: HTMLFormElement, send: boolean): Promise<void> {
  if (form.noValidate) return;
  form.dataset['reached'] ??= String(Date.now());
  try {
    const { enhanceForm } = await import('../../lib/forms/enhance.ts');
    enhanceForm(form);
    if (send) form.requestSubmit();
  } catch {
    if (send) form.submit();
  }
}

/** Returns the element around the cookie banner (CookieBanner.astro), or null after the visitor's choice. */
const consentBanner = (): HTMLElement | null => document.querySelector('#cookies');

/** Stores the visitor's choice and fades the banner out. */
function answerConsent(choice: Consent): void {
  const banner = consentBanner();
  const section = banner?.querySelector<HTMLElement>('.cookie-banner:not([data-leaving])');
  // Ignores a second click while the banner fades out.
  if (!banner || !section) return;
  section.dataset['leaving'] = '';
  storeConsent(choice);
  if (choice === 'true') trackPage();
  setTimeout(() => banner.remove(), consentFadeMs);
}

/** Declines cookies on Esc, unless Esc closes something above the banner or clears a search field. */
function declineByEscape({ defaultPrevented, target }: Touch): void {
  const open = consentBanner();
  if (target instanceof Element && target.matches('[type=search]')) return;
  if (defaultPrevented || !open || open.hidden || document.querySelector(':popover-open, :modal')) return;
  answerConsent('declined');
}

// Hides the cookie banner of a page that the Back button restores, if the visitor answered the banner on another page.
addEventListener('pageshow', ({ persisted }) => {
  const answered = readConsent() === null ? null : consentBanner();
  if (answered) answered.hidden = true;
  if (persisted) trackPage();
});

/** Runs once for each page, without waiting for input. */
function begin(): void {
  trackPage();

  // Restores a draft and selects the visitor's service before the visitor reaches the form. A hash that is not the id
  // of an element may be the id of a service.
  const namesService = location.search.includes('service=') || (location.hash !== '' && !namedPart());
  if (namesService || attempt(() => sessionStorage.length > 0)) {
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-enhance]')) void enhance(form, false);
  }
  reachNamedIsland();
  reachSeenIslands();
  if (document.documentElement.id && document.querySelector('[data-section]')) {
    void import('../../lib/live/refresh.ts').then(({ refreshSections }) => refreshSections());
  }
  if (!CSS.supports('animation-timeline: scroll()') && document.querySelector('[data-home], .progress')) {
    void import('../../lib/scroll.ts').then(({ followScroll }) => followScroll());
  }
  if (document.querySelector('.article')) {
    void import('../../lib/reading.ts').then(({ assistReading }) => assistReading());
  }
  const results = document.querySelector<HTMLElement>('[data-search]');
  if (results) void import('../../lib/search.ts').then(({ answerQuestions }) => answerQuestions(results));
  if (document.querySelector('.post-picture, .post-body')) {
    void import('../../lib/live/pictures.ts').then(({ awaitPictures }) => awaitPictures(document));
  }
}

// This module may run before the document is parsed.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin);
else begin();
