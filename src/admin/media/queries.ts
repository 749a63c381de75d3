import { apiPaths } from '../../domain/api-paths.ts';
import { type MediaInput, type MediaRecord, mediaAnswer, mediaDetail, mediaRemoval } from '../../domain/media.ts';
import { undo, useAct, useGet } from '../lib/act.ts';
import { mediaList } from './list.ts';

/** The first part of the key of every query of the library. */
export const mediaKey = ['media'] as const;

/**
 * Returns one file and the places where the site uses it. Refetched each time the file is opened, because posts and
 * pages change.
 */
export function useMediaFile(id: string) {
  return useGet([...mediaKey, 'one'], apiPaths.mediaFile(id), mediaDetail, { staleTime: 0 });
}

/** Saves an image's description. */
export function useDescribe() {
  return useAct(
    async (send, { id, input }: { id: string; input: MediaInput }) =>
      (await send(apiPaths.mediaFile(id), { method: 'PUT', body: input, schema: mediaAnswer })).data,
    {
      done: ({ originalName }) => ({ title: 'Description saved', description: originalName }),
      failed: 'Couldn’t save the description',
      refresh: mediaKey,
    },
  );
}

/** Undoes the last replacement of a file, unless another admin has replaced the file since. */
export function usePutBack() {
  return useAct(
    (send, { id, version }: MediaRecord) =>
      send(apiPaths.undoReplaceMediaFile(id), { body: { version }, schema: mediaAnswer }),
    {
      done: ({ data }) => ({ title: 'Previous file restored', description: data.originalName }),
      failed: 'Couldn’t restore the previous file',
      refresh: mediaKey,
    },
  );
}

/** Deletes a file. The toast after the deletion has an Undo button. */
export function useRemove(onRemoved: () => void) {
  const restore = useAct(
    (send, { id }: MediaRecord) => send(apiPaths.restoreMediaFile(id), { method: 'POST', schema: mediaAnswer }),
    {
      done: ({ data }) => ({ title: 'File restored', description: data.originalName }),
      failed: 'Couldn’t restore the file',
      refresh: mediaKey,
    },
  );
  return useAct(
    (send, { id }: MediaRecord) => send(apiPaths.mediaFile(id), { method: 'DELETE', schema: mediaRemoval }),
    {
      done: (_answer, file) => {
        onRemoved();
        const title = 'File deleted successfully!';
        return { title, description: file.originalName, ...undo(() => restore.mutate(file)) };
      },
      failed: 'Failed to delete file',
      // Only the lists, because a request for the deleted file would fail.
      refresh: mediaList.key,
    },
  );
}
