import { consentBannerDelayMs, consentKey } from '../../domain/submissions/consent.ts';

/*
 * Behavior that every page needs immediately. This code is inlined in every page, so keep it small. All other behavior
 * is in src/layouts/later/. Its script tag is in `<template id="later">`, and the code below loads it on the visitor's
 * first input or after five seconds.
 */
declare const later: HTMLTemplateElement;
declare const cookies: HTMLElement;
/** Parts of an event that the later module needs; empty if there was no input. */
export type Touch = Partial<
  Pick<Event, 'type' | 'target' | 'defaultPrevented' | 'isTrusted'> &
    Pick<KeyboardEvent, 'key'> &
    Pick<MouseEvent, 'movementX' | 'movementY'>
>;

let module: Promise<{ default: (touch: Touch) => void }> | undefined;

const touch = (event: Touch = {}) => {
  // Browsers also report a mouse that rests where the page appears.
  if (event.type === 'pointermove' && event.movementX! + event.movementY! === 0) return;
  // Prevents the browser's default action for `[data-hold]` until the module has loaded: a submit button would show the
  // browser's validation messages, and a tab's link would scroll the page and move the focus. If the module fails to
  // load, the click is repeated, and the browser handles the click.
  const held =
    event.type === 'click' && event.isTrusted && (event.target as Element).closest<HTMLElement>('[data-hold]');
  if (held) (event as Event).preventDefault();
  module ??= import(/* @vite-ignore */ (later.content.firstChild as HTMLScriptElement).src);
  module.then(
    (page) => page.default(event),
    () => held && held.click(),
  );
};

// From now on, links within the page scroll smoothly (src/styles/base.css).
addEventListener('load', () =>
  requestAnimationFrame(() => requestAnimationFrame(() => (document.documentElement.dataset.loaded = ''))),
);
// A string is shorter than an array of strings, and every page contains this code.
for (const type of 'keydown pointermove pointerdown focusin scroll click'.split(' '))
  addEventListener(type, touch, true);
// requestAnimationFrame does not run in a prerendered page, so the timers start when the page is shown. setTimeout
// moves the storage access after the frame, because reading storage waits for another process and would delay the first
// paint.
requestAnimationFrame(() =>
  setTimeout(() => {
    // Islands with `client:reach="seen"` and images that load late need the later module even without input.
    setTimeout(touch, 5_000);
    try {
      const choice = localStorage[consentKey] as string | undefined;
      // Loads the later module immediately for any of these: the page needs it (the root's id is `now`), the hash may
      // name a part of an island, the visitor allows analytics (which counts short visits too), or session storage may
      // have a draft.
      if (document.documentElement.id || location.hash || choice === 'true' || sessionStorage.length) touch();
      if (!choice) setTimeout(() => (cookies.hidden = document.cookie.includes(consentKey)), consentBannerDelayMs);
    } catch {
      // Storage is blocked, so a choice could not be stored: the banner stays hidden, and analytics stays off.
    }
  }),
);
