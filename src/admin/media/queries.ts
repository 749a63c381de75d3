import { type QueryKey, keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import {
  type MediaInput,
  type MediaListQuery,
  type MediaRecord,
  mediaAnswer,
  mediaDetail,
  mediaPage,
  mediaRemoval,
} from '../../domain/media.ts';
import { listSearch } from '../ui/paging.ts';
import { useRequest } from '../ui/signed-in-request.ts';

const all = ['media'] as const;
const listsKey = [...all, 'list'] as const;
const oneKey = (id: string): QueryKey => [...all, 'one', id];
const countKey = [...all, 'count'] as const;

/** A page of the library. While another one is on its way, the one before stays. */
export function useMediaPage(query: MediaListQuery) {
  const client = useQueryClient();
  const send = useRequest();
  return useQuery({
    queryKey: [...listsKey, query],
    queryFn: async ({ signal }) => {
      const page = await send(apiPaths.media + listSearch(query), { schema: mediaPage, signal });
      client.setQueryData(countKey, page.total);
      return page;
    },
    placeholderData: keepPreviousData,
  });
}

/** How many files the library holds. */
export function useMediaCount() {
  const send = useRequest();
  return useQuery({
    queryKey: countKey,
    queryFn: async ({ signal }) =>
      (await send(`${apiPaths.media}${listSearch({ limit: 1 })}`, { schema: mediaPage, signal })).total,
  });
}

/** One file and where the site uses it; asked for anew each time it is opened, since uses change elsewhere. */
export function useMediaFile(id: string) {
  const send = useRequest();
  return useQuery({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => send(apiPaths.mediaFile(id), { schema: mediaDetail, signal }),
    staleTime: 0,
  });
}

/** Asks the API anew for everything that is shown of the library. */
export function useMediaRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: all });
}

/** Writes a picture's description. */
export function useDescribe() {
  const refresh = useMediaRefresh();
  const send = useRequest();
  return useMutation({
    mutationFn: async ({ id, input }: { id: string; input: MediaInput }) =>
      (await send(apiPaths.mediaFile(id), { method: 'PUT', body: input, schema: mediaAnswer })).data,
    onSuccess: refresh,
  });
}

/** Deletes a file. What is asked anew is the lists alone: the file itself is still shown, and is no longer there. */
export function useRemove() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: (file: MediaRecord) => send(apiPaths.mediaFile(file.id), { method: 'DELETE', schema: mediaRemoval }),
    onSuccess: () =>
      Promise.all([listsKey, countKey].map((queryKey) => client.invalidateQueries({ queryKey }))).then(() => undefined),
  });
}

/** Puts back what stood at a file's address before the version that is given. */
export function usePutBack() {
  const refresh = useMediaRefresh();
  const send = useRequest();
  return useMutation({
    mutationFn: async ({ id, version }: Pick<MediaRecord, 'id' | 'version'>) =>
      (await send(apiPaths.undoReplaceMediaFile(id), { body: { version }, schema: mediaAnswer })).data,
    onSettled: refresh,
  });
}

export function useRestore() {
  const refresh = useMediaRefresh();
  const send = useRequest();
  return useMutation({
    mutationFn: async (id: string) =>
      (await send(apiPaths.restoreMediaFile(id), { method: 'POST', schema: mediaAnswer })).data,
    onSuccess: refresh,
  });
}
