import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { type MediaInput, type MediaRecord, mediaAnswer, mediaDetail, mediaRemoval } from '../../domain/media.ts';
import { useRequest } from '../lib/signed-in-request.ts';
import { mediaList } from './list.ts';

const all = ['media'] as const;
const oneKey = (id: string): QueryKey => [...all, 'one', id];

/**
 * Returns one file and the places where the site uses it. Refetched each time the file is opened, because posts and
 * pages change.
 */
export function useMediaFile(id: string) {
  const send = useRequest();
  return useQuery({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => send(apiPaths.mediaFile(id), { schema: mediaDetail, signal }),
    staleTime: 0,
  });
}

/** Returns a function that refetches all queries of the library. */
export function useMediaRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: all });
}

/** Changes a file, and refetches all queries of the library. */
function useChange<Given>(requestOf: (given: Given) => { path: string; method: 'POST' | 'PUT'; body?: object }) {
  const refresh = useMediaRefresh();
  const send = useRequest();
  return useMutation({
    mutationFn: async (given: Given) => {
      const { path, ...request } = requestOf(given);
      return (await send(path, { ...request, schema: mediaAnswer })).data;
    },
    onSettled: refresh,
  });
}

/** Saves an image's description. */
export const useDescribe = () =>
  useChange(({ id, input }: { id: string; input: MediaInput }) => ({
    path: apiPaths.mediaFile(id),
    method: 'PUT',
    body: input,
  }));

/**
 * Undoes the last replacement of a file. `version` is the file's version on the admin's screen. The request fails if
 * another admin has replaced that version.
 */
export const usePutBack = () =>
  useChange(({ id, version }: Pick<MediaRecord, 'id' | 'version'>) => ({
    path: apiPaths.undoReplaceMediaFile(id),
    method: 'POST',
    body: { version },
  }));

export const useRestore = () => useChange((id: string) => ({ path: apiPaths.restoreMediaFile(id), method: 'POST' }));

/** Deletes a file and refetches only the lists. Refetching the file itself would fail. */
export function useRemove() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: (file: MediaRecord) => send(apiPaths.mediaFile(file.id), { method: 'DELETE', schema: mediaRemoval }),
    onSuccess: () => client.invalidateQueries({ queryKey: mediaList.key }),
  });
}
