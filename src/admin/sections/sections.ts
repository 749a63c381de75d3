import { useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { type SectionChange, sectionList, sectionSaved, sectionsInitialized } from '../../domain/section.ts';
import { useAct, useGet } from '../lib/act.ts';
import { go, inCurrentTab, returnsTo, useLocationSearch } from '../lib/location.ts';
import { useRequest } from '../lib/signed-in-request.ts';

/** Marks a history entry as opened from the list, so closing the section goes back to the list. */
const fromList = 'section-list';
const searchOf = (sectionKey: string) => `?${new URLSearchParams({ section: sectionKey })}`;

/** Returns the key of the section that the URL names; null for the list. */
export const useOpenSection = () => new URLSearchParams(useLocationSearch()).get('section');

export const hrefOfSection = (sectionKey: string) => inCurrentTab(searchOf(sectionKey));

export const openSection = (sectionKey: string) => go(searchOf(sectionKey), { from: fromList });

export function closeSection(): void {
  if (returnsTo(fromList)) window.history.back();
  else go('', { replace: true });
}

const key = [apiPaths.sections] as const;

/** Reads all sections, in page order. */
export const useSections = () => useGet([], apiPaths.sections, sectionList, { select: ({ data }) => data });

/** Saves the default text of every section that has no saved text. */
export function useInitialize() {
  return useAct((send) => send(apiPaths.initializeSections, { method: 'POST', schema: sectionsInitialized }), {
    done: ({ added }) => ({
      title: 'Website content loaded successfully!',
      description: `Sections added: ${added.length}. Your edits are unchanged.`,
    }),
    failed: 'Failed to load website content',
    refresh: key,
  });
}

/** Returns a function that saves a section's text. Fails if another admin changed the section first. */
export function useSaveSection(sectionKey: string) {
  const client = useQueryClient();
  const send = useRequest();
  return async (change: SectionChange) => {
    try {
      return await send(apiPaths.section(sectionKey), { method: 'PUT', body: change, schema: sectionSaved });
    } finally {
      // After an error too, because someone else may have changed the section.
      await client.invalidateQueries({ queryKey: key });
    }
  };
}
