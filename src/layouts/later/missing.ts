import { searchAddress, searchPath } from '../../domain/search.ts';
import { suggestionsFor, wordsOf } from '../../lib/suggestions.ts';

/**
 * Shows the pages whose paths resemble the unknown path, and adds the words of that path to the search link.
 * @param place the element to show; it contains a template with links to all pages.
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

/** Returns the `href` attribute as written, because links in a template have no base URL. */
function pathOf(link: HTMLAnchorElement): string {
  return link.getAttribute('href') ?? '';
}
