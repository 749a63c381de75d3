import type { Touch } from '../../islands/reach/first-touch.ts';
import type { WaitingIsland } from '../../islands/reach/directive.ts';
import { attempt } from '../../lib/request/attempt.ts';

/**
 * Hydrates the island that the visitor interacts with by pointer, focus or click. The island keeps its current state,
 * such as an open popover. A click that needs React, and a key pressed on a tab, are repeated after hydration.
 */
export function reachIsland({ type, key }: Touch, target: Element): void {
  const island = target.closest<WaitingIsland>('astro-island[ssr]');
  if (!island) return;
  const button =
    type === 'click' ? target.closest<HTMLElement>('button:not([popovertarget], [type="submit"]), [role="tab"]') : null;
  void hydrate(island).then(
    () => {
      button?.click();
      if (type === 'keydown') {
        // An earlier key may have moved the focus to another tab.
        const tab = island.querySelector('[role="tab"]:focus');
        tab?.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true }));
      }
    },
    () => button instanceof HTMLAnchorElement && (location.hash = button.hash),
  );
}

/** Returns the element that the URL's hash names, or null if there is none. */
export function namedPart(): HTMLElement | null {
  // The hash may contain a percent sign that is not part of an escape sequence.
  return attempt(() => document.getElementById(decodeURIComponent(location.hash.slice(1)))) ?? null;
}

/** Hydrates the island that contains the element named by the URL's hash. */
export function reachNamedIsland(): void {
  const island = namedPart()?.closest<WaitingIsland>('astro-island[ssr]');
  if (island) void hydrate(island);
}

/** Hydrates each island with `client:reach="seen"` when it comes into view. */
export function reachSeenIslands(): void {
  for (const island of document.querySelectorAll<WaitingIsland>(`astro-island[ssr][opts*='"seen"']`)) {
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      void hydrate(island);
    });
    // The island element has `display: contents` and therefore no box, so its first child is observed.
    if (island.firstElementChild) observer.observe(island.firstElementChild);
  }
}

const hydrating = new WeakMap<WaitingIsland, Promise<void>>();

/**
 * Hydrates an island once, although one tap causes pointer, focus and click events. A second hydration would replace
 * the elements of the first, and the click would be repeated on a button that is no longer in the page.
 */
function hydrate(island: WaitingIsland): Promise<void> {
  let work = hydrating.get(island);
  if (!work) {
    work = run(island);
    hydrating.set(island, work);
    // Allows another attempt on the next input if the network failed.
    work.catch(() => hydrating.delete(island));
  }
  return work;
}

async function run({ load }: WaitingIsland): Promise<void> {
  const start = await load?.();
  await start?.();
}
