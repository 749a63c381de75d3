import type { Touch } from '../../islands/reach/first-touch.ts';
import type { WaitingIsland } from '../../islands/reach/directive.ts';

/**
 * Hydrates the island that the visitor reaches for with a pointer, the focus or a click. The island adopts what it shows by
 * then, such as an open popover or a chosen anchor. A click that only React can answer is repeated after hydration.
 */
export function reachIsland({ type }: Touch, target: Element): void {
  const island = target.closest<WaitingIsland>('astro-island[ssr]');
  if (!island) return;
  const button =
    type === 'click' ? target.closest<HTMLElement>('button:not([popovertarget], [type="submit"]), [role="tab"]') : null;
  void hydrate(island).then(
    () => button?.click(),
    () => button instanceof HTMLAnchorElement && (location.hash = button.hash),
  );
}

/** Returns the part of the page that the address names; null where it names none. */
export function namedPart(): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    // A percent sign that begins no escape.
    return null;
  }
}

/** Hydrates the island that holds the part which the address names. */
export function reachNamedIsland(): void {
  const island = namedPart()?.closest<WaitingIsland>('astro-island[ssr]');
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

const hydrating = new WeakMap<WaitingIsland, Promise<void>>();

/**
 * Hydrates an island once. A pointer, the focus and a click arrive together: a second hydration would replace the elements
 * of the first one, and the click would be repeated on a button that is no longer in the page.
 */
function hydrate(island: WaitingIsland): Promise<void> {
  let work = hydrating.get(island);
  if (!work) {
    work = run(island);
    hydrating.set(island, work);
    // The next touch tries again if the network failed.
    work.catch(() => hydrating.delete(island));
  }
  return work;
}

async function run({ load }: WaitingIsland): Promise<void> {
  const start = await load?.();
  await start?.();
}
