import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import {
  type SectionChange,
  type SectionEntry,
  sectionList,
  sectionSaved,
  sectionsInitialized,
} from '../../domain/section.ts';
import { type Request, useRequest } from '../lib/signed-in-request.ts';

const listKey = ['sections'] as const;

const sectionsQuery = (send: Request) =>
  queryOptions({
    queryKey: listKey,
    queryFn: async ({ signal }) => (await send(apiPaths.sections, { schema: sectionList, signal })).data,
  });

/** Fetches all sections, in page order. */
export function useSections() {
  return useQuery(sectionsQuery(useRequest()));
}

/** Saves the default text of every section that has no saved text. */
export function useInitialize() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: () => send(apiPaths.initializeSections, { method: 'POST', schema: sectionsInitialized }),
    onSuccess: ({ data }) => client.setQueryData(listKey, data),
  });
}

/** Returns a function that saves a section's text. Fails if another admin changed the section first. */
export function useSaveSection(key: string) {
  const client = useQueryClient();
  const send = useRequest();
  return async (change: SectionChange) => {
    try {
      const saved = await send(apiPaths.section(key), { method: 'PUT', body: change, schema: sectionSaved });
      client.setQueryData<SectionEntry[]>(listKey, (entries) =>
        entries?.map((entry) => (entry.sectionKey === key ? { ...entry, ...saved.data } : entry)),
      );
      return saved;
    } catch (error) {
      // Someone else may have changed the section.
      void client.invalidateQueries({ queryKey: listKey });
      throw error;
    }
  };
}
