import { consentBannerDelayMs, consentKey } from '../../domain/consent.ts';

/*
 * The few things that a page does by itself; these bytes stand in every page. The rest of its behavior waits in
 * `<template id="later">` (src/layouts/later/) until somebody touches the page, or some seconds have gone by.
 */
declare const later: HTMLTemplateElement;
declare const cookies: HTMLElement;
declare global {
  interface Window {
    /** The id of a document that does not wait for a touch (src/layouts/PublicPage.astro). */
    now?: HTMLElement;
  }
}

/** What the later part needs to know of an event; it gets an empty one when nobody did anything. */
export type Touch = Partial<
  Pick<Event, 'type' | 'target' | 'defaultPrevented' | 'isTrusted'> & Pick<KeyboardEvent, 'key'>
>;

let module: Promise<{ default: (touch: Touch) => void }> | undefined;

const touch = (event: Touch = {}) => {
  // A press that needs the script waits for it: one that sends a form, which the browser would check in its own words, and
  // one on a tab, which would move the page and the focus. Where the script does not come, the press is repeated, and
  // then goes the browser's own way.
  const held =
    event.type === 'click' && event.isTrusted && (event.target as Element).closest<HTMLElement>('[data-hold]');
  if (held) (event as Event).preventDefault();
  module ??= import(/* @vite-ignore */ (later.content.firstChild as HTMLScriptElement).src);
  module.then(
    (page) => page.default(event),
    () => held && held.click(),
  );
};

// As one text, which is the shortest on the wire.
for (const type of 'keydown pointerover focusin scroll click'.split(' ')) addEventListener(type, touch, true);
// A page that is rendered ahead of a visit has no frames: its clocks start when it is shown. Storage is read after the
// frame, not in it: the browser waits for another process there, and the first paint would wait with it.
requestAnimationFrame(() =>
  setTimeout(() => {
    // Islands that are seen and pictures that load late need the later part even if nobody touches the page.
    setTimeout(touch, 5_000);
    try {
      const choice = localStorage[consentKey] as string | undefined;
      // Some pages are not complete or not up to date without the later part, the address may name a part of an island, a visit that may be
      // counted is, however short, and a text that was typed before a reload comes back at once.
      if (self.now || location.hash || choice === 'true' || sessionStorage.length) touch();
      if (!choice) setTimeout(() => (cookies.hidden = document.cookie.includes(consentKey)), consentBannerDelayMs);
    } catch {
      // Storage is blocked: an answer could not be kept, so none is asked for, and nothing is allowed.
    }
  }),
);
