import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import {
  type SectionChange,
  type SectionEntry,
  type SectionKey,
  sectionList,
  sectionSaved,
  sectionsInitialized,
} from '../../domain/section.ts';
import { useRequest } from '../ui/signed-in-request.ts';

const listKey = ['sections'] as const;

/** All editable texts, in page order. */
export function useSections() {
  const send = useRequest();
  return useQuery({
    queryKey: listKey,
    queryFn: async ({ signal }) => (await send(apiPaths.sections, { schema: sectionList, signal })).data,
  });
}

/** Stores the first text of every section that has none. */
export function useInitialize() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: () => send(apiPaths.initializeSections, { method: 'POST', schema: sectionsInitialized }),
    onSuccess: ({ data }) => client.setQueryData(listKey, data),
  });
}

/** Saves a section's text; refused where somebody else changed it meanwhile. */
export function useSaveSection(key: SectionKey) {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: async (change: SectionChange) =>
      await send(apiPaths.section(key), { method: 'PUT', body: change, schema: sectionSaved }),
    onSuccess: ({ data: saved }) => {
      client.setQueryData<SectionEntry[]>(listKey, (entries) =>
        entries?.map((entry) => (entry.sectionKey === key ? { ...entry, ...saved } : entry)),
      );
    },
  });
}

/** Reads the sections anew. @returns the one with the key as it is now. */
export function useSectionNow() {
  const client = useQueryClient();
  return async (key: SectionKey): Promise<SectionEntry | undefined> => {
    await client.refetchQueries({ queryKey: listKey });
    return client.getQueryData<SectionEntry[]>(listKey)?.find((entry) => entry.sectionKey === key);
  };
}
