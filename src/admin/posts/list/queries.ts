import { useCallback } from 'react';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../../domain/api-paths.ts';
import { type PostPage, type PostSummary, postAnswer } from '../../../domain/post.ts';
import { keptDays } from '../../../domain/retention.ts';
import { showToast } from '../../../lib/toast/toast.ts';
import { errorText, undo } from '../../lib/act.ts';
import { isSignedOut, useRequest } from '../../lib/signed-in-request.ts';
import { postList } from './list.ts';

interface TrashMove {
  readonly post: PostSummary;
  readonly to: 'trash' | 'list';
}

/**
 * Moves posts to the trash and restores them. The post leaves the current list immediately. A toast shows the result;
 * after a deletion, the toast offers Undo.
 */
export function useTrash(onRestored?: () => void) {
  const client = useQueryClient();
  const send = useRequest();
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ post, to }: TrashMove) => {
      const [path, method] =
        to === 'trash' ? [apiPaths.post(post.id), 'DELETE' as const] : [apiPaths.restorePost(post.id), 'POST' as const];
      return (await send(path, { method, schema: postAnswer })).data;
    },
    onMutate: ({ post }) => showInLists(client, post.id, () => null),
    onSuccess: (post, { to }) => {
      if (to === 'list') {
        showToast({ title: 'Blog post restored', description: `“${post.title}” is back at /blog/${post.slug}.` });
        onRestored?.();
        return;
      }
      showToast({
        title: 'Blog post deleted successfully!',
        description: `“${post.title}” is in the trash for ${keptDays.trashedPost} days.`,
        ...undo(() => mutate({ post, to: 'list' })),
      });
    },
    onError: (error, { to }, before) => {
      before?.undo();
      showToast({
        title: to === 'trash' ? 'Failed to delete blog post' : 'Failed to restore blog post',
        description: errorText(error),
        variant: 'destructive',
      });
    },
    onSettled: (_post, error) => {
      if (!isSignedOut(error)) void client.invalidateQueries({ queryKey: postList.key });
    },
  });
  return {
    pending: isPending,
    remove: (post: PostSummary) => mutate({ post, to: 'trash' }),
    restore: useCallback((post: PostSummary) => mutate({ post, to: 'list' }), [mutate]),
  };
}

/**
 * Changes a row in every list that shows the post. If `change` returns null, the row is removed.
 * @returns a function that undoes the change.
 */
export async function showInLists(client: QueryClient, id: string, change: (row: PostSummary) => PostSummary | null) {
  await client.cancelQueries({ queryKey: postList.key });
  const before = client.getQueriesData<PostPage>({ queryKey: postList.key });
  for (const [key, page] of before) {
    if (!page) continue;
    const data = page.data.flatMap((row) => (row.id === id ? (change(row) ?? []) : row));
    client.setQueryData(key, { ...page, data });
  }
  return { undo: () => before.forEach(([key, page]) => client.setQueryData(key, page)) };
}
