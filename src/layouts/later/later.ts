import type { Touch } from '../../islands/reach/first-touch.ts';
import { trackPage } from '../../lib/analytics.ts';
import { readConsent, resetConsent } from '../../lib/consent.ts';
import { namedPart, reachIsland, reachNamedIsland, reachSeenIslands } from './islands.ts';

/** Set in Safari before 17, which has no popovers. Nothing is hydrated until then: the islands ask which popover is open. */
let popoversAdded: Promise<void> | undefined;
if (!('showPopover' in document.body)) {
  const added = () => (popoversAdded = undefined);
  popoversAdded = import('../../lib/popovers/polyfill.ts').then(added, added);
}

/*
 * The behavior of a page that nobody has touched yet can wait: this part is fetched with the first pointer, key, focus
 * or scroll, or after some seconds (src/islands/reach/first-touch.ts, which then hands every event on to it).
 */
export default function onTouch(touch: Touch): void {
  if (!popoversAdded) return answer(touch);
  const { type, target } = touch;
  const opener =
    type === 'click' && target instanceof Element ? target.closest<HTMLElement>('[popovertarget]') : undefined;
  void popoversAdded.then(() => (opener ? opener.click() : answer(touch)));
}

function answer(touch: Touch): void {
  const { type, target, defaultPrevented } = touch;
  if (!(target instanceof Element)) return;
  reachIsland(touch, target);
  if (type === 'keydown' && touch.key === 'Escape') declineByEscape(touch);
  if (type === 'click' && target.closest('[data-reset-consent]')) {
    resetConsent();
    location.reload();
  }
  // Whoever opens the panel has reached the form in it.
  const panel = type === 'click' ? target.closest('[popovertarget]')?.getAttribute('popovertarget') : null;
  const form = panel
    ? document.querySelector<HTMLFormElement>(`#${panel} form`)
    : target.closest<HTMLFormElement>('form[data-enhance]');
  // A press that was not held back goes the browser's own way.
  const sends = type === 'click' && defaultPrevented === true && target.closest('[type=submit]') !== null;
  if (form && type !== 'pointerover') void enhance(form, sends);
}

const banner = () => document.querySelector<HTMLElement>('#cookies');

/** Takes over a form; one that was already being sent is sent now, by the browser's own way if need be. */
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

/** Esc closes the banner wherever the focus is, unless it closes something that lies above it. */
function declineByEscape({ defaultPrevented }: Touch): void {
  const open = banner();
  if (defaultPrevented || !open || open.hidden || document.querySelector(':popover-open, :modal')) return;
  open.querySelector<HTMLElement>('[data-close]')?.click();
}

// The back button may bring back a page as it was before the visitor answered on another one.
addEventListener('pageshow', ({ persisted }) => {
  const answered = readConsent() === null ? null : banner();
  if (answered) answered.hidden = true;
  if (persisted) trackPage();
});

/** What the page does without being touched. */
function begin(): void {
  trackPage();

  // A kept text comes back, and the service that the visitor comes from is chosen, before anybody looks for it. A hash that
  // names no part of the page may be a service.
  const namesService = location.search.includes('service=') || (location.hash !== '' && !namedPart());
  if (sessionStorage.length > 0 || namesService) {
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-enhance]')) void enhance(form, false);
  }
  reachNamedIsland();
  reachSeenIslands();
  if (self.now && document.querySelector('[data-section]')) {
    void import('../../lib/live/refresh.ts').then(({ refreshSections }) => refreshSections());
  }
  if (!CSS.supports('animation-timeline: scroll()') && document.querySelector('[data-home], .progress')) {
    void import('../../lib/scroll.ts').then(({ followScroll }) => followScroll());
  }
  if (document.querySelector('.article')) {
    void import('../../lib/reading.ts').then(({ assistReading }) => assistReading());
  }
  const suggestions = document.querySelector<HTMLElement>('[data-suggestions]');
  if (suggestions) void import('./missing.ts').then(({ suggestPages }) => suggestPages(suggestions));
  const results = document.querySelector<HTMLElement>('[data-search]');
  if (results) void import('../../lib/search/page.ts').then(({ answerQuestions }) => answerQuestions(results));
  if (document.querySelector('.post-picture, .post-body')) {
    void import('../../lib/live/pictures.ts').then(({ awaitPictures }) => awaitPictures(document));
  }
}

// This part may be here before the rest of the page is.
function beginOnceParsed(): void {
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin);
  else begin();
}
if (popoversAdded) void popoversAdded.then(beginOnceParsed);
else beginOnceParsed();
