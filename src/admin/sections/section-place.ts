import { type SectionKey, sectionKey } from '../../domain/section.ts';
import { go, returnsTo, tabIn, useSearchText } from '../ui/location.ts';

/** Marks a history entry that opened a section from the list, so that closing it goes back. */
const fromList = 'section-list';

/** The section that the address names; undefined for the list. */
export function useOpenSection(): SectionKey | undefined {
  return sectionIn(useSearchText());
}

function sectionIn(search: string): SectionKey | undefined {
  const parsed = sectionKey.safeParse(new URLSearchParams(search).get('section'));
  return parsed.success ? parsed.data : undefined;
}

const own = (key: SectionKey) => `?${new URLSearchParams({ section: key })}`;

/** The whole query of a section's address, for a link that opens elsewhere. */
export function searchOfSection(key: SectionKey): string {
  const tab = tabIn(window.location.search);
  return `?${new URLSearchParams({ ...(tab !== null && { tab }), section: key })}`;
}

export function openSection(key: SectionKey): void {
  go(own(key), { from: fromList });
}

export function closeSection(): void {
  if (returnsTo(fromList)) window.history.back();
  else go('', { replace: true });
}
