import { useCallback } from 'react';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../../domain/api-paths.ts';
import { type PostPage, type PostRecord, type PostSummary, postAnswer } from '../../../domain/post.ts';
import { isSignedOut, useRequest } from '../../lib/signed-in-request.ts';
import { postPages } from './list.ts';

/** Returns a function that fetches the current version of a post. */
export function useReadPost() {
  const send = useRequest();
  return useCallback(
    async (id: string): Promise<PostRecord> => (await send(apiPaths.post(id), { schema: postAnswer })).data,
    [send],
  );
}

/** Moves a post to the trash or restores it. The post leaves the current list immediately. */
export function useTrash({
  onSuccess,
  onError,
}: {
  onSuccess: (post: PostSummary, to: 'trash' | 'list') => void;
  onError: (error: Error, to: 'trash' | 'list') => void;
}) {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: async ({ post, to }: { post: PostSummary; to: 'trash' | 'list' }) => {
      const [path, method] =
        to === 'trash' ? [apiPaths.post(post.id), 'DELETE' as const] : [apiPaths.restorePost(post.id), 'POST' as const];
      return (await send(path, { method, schema: postAnswer })).data;
    },
    onMutate: ({ post }) => showInLists(client, post.id, () => null),
    onSuccess: (post, { to }) => onSuccess(post, to),
    onError: (error, { to }, before) => {
      before?.undo();
      onError(error, to);
    },
    onSettled: (_post, error) => {
      if (!isSignedOut(error)) void client.invalidateQueries({ queryKey: postPages.key });
    },
  });
}

/**
 * Changes a row in every list that shows the post. If `change` returns null, the row is removed.
 * @returns a function that undoes the change.
 */
export async function showInLists(client: QueryClient, id: string, change: (row: PostSummary) => PostSummary | null) {
  await client.cancelQueries({ queryKey: postPages.key });
  const before = client.getQueriesData<PostPage>({ queryKey: postPages.key });
  for (const [key, page] of before) {
    if (!page) continue;
    const data = page.data.flatMap((row) => (row.id === id ? (change(row) ?? []) : row));
    client.setQueryData(key, { ...page, data });
  }
  return { undo: () => before.forEach(([key, page]) => client.setQueryData(key, page)) };
}
