import type { Touch } from '../../islands/reach/first-touch.ts';
import type { WaitingIsland } from '../../islands/reach/directive.ts';

/**
 * Hydrates the island that the visitor reaches for: a pointer comes in, the focus does, something in it is clicked. What
 * the island shows by then (an open popover, a chosen anchor) it adopts; a click on a button that only React can answer
 * is made again once it can.
 */
export function reachIsland({ type }: Touch, target: Element): void {
  const island = target.closest<WaitingIsland>('astro-island[ssr]');
  if (!island) return;
  const button = type === 'click' ? target.closest<HTMLElement>('button:not([popovertarget], [type="submit"])') : null;
  void hydrate(island).then(() => button?.click());
}

/** Hydrates the island that holds the part which the address names. */
export function reachNamedIsland(): void {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const island = named?.closest<WaitingIsland>('astro-island[ssr]');
  if (island) void hydrate(island);
}

/** Hydrates each island that is there to be seen (`client:reach="seen"`) as it comes into view. */
export function reachSeenIslands(): void {
  for (const island of document.querySelectorAll<WaitingIsland>(`astro-island[ssr][opts*='"seen"']`)) {
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      void hydrate(island);
    });
    // The island itself has no box.
    if (island.firstElementChild) observer.observe(island.firstElementChild);
  }
}

async function hydrate(island: WaitingIsland): Promise<void> {
  const run = await island.load?.();
  await run?.();
}
