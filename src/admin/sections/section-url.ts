import { go, inCurrentTab, returnsTo, useLocationSearch } from '../lib/location.ts';

/** Marks a history entry as opened from the list, so closing the section goes back to the list. */
const fromList = 'section-list';

/** Returns the key of the section that the URL names; null for the list. */
export function useOpenSection(): string | null {
  return new URLSearchParams(useLocationSearch()).get('section');
}

const own = (key: string) => `?${new URLSearchParams({ section: key })}`;

/** Returns the full URL query for a section, for links that open in a new tab. */
export function searchOfSection(key: string): string {
  return inCurrentTab(own(key));
}

export function openSection(key: string): void {
  go(own(key), { from: fromList });
}

export function closeSection(): void {
  if (returnsTo(fromList)) window.history.back();
  else go('', { replace: true });
}
