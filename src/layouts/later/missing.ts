import { searchAddress, searchPath } from '../../domain/search.ts';
import { suggestionsFor, wordsOf } from '../../lib/suggestions.ts';

/**
 * Shows the pages whose addresses are like the one that leads nowhere, and has the search look for its words: `place` holds
 * all pages in a template.
 */
export function suggestPages(place: HTMLElement): void {
  const search = document.querySelector<HTMLAnchorElement>(`main a[href="${searchPath}"]`);
  if (search) search.href = searchAddress(wordsOf(location.pathname));
  const links = [...(place.querySelector('template')?.content.querySelectorAll('a') ?? [])];
  const found = suggestionsFor(location.pathname, links.map(pathOf));
  if (found.length === 0) return;
  const items = found.map((path) => {
    const item = document.createElement('li');
    item.append(links.find((link) => pathOf(link) === path)!);
    return item;
  });
  place.querySelector('ul')?.replaceChildren(...items);
  place.hidden = false;
}

/** As written: what waits in a template has no address to be resolved against. */
function pathOf(link: HTMLAnchorElement): string {
  return link.getAttribute('href') ?? '';
}
