import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { type PostPage, type PostSummary, postAnswer } from '../../domain/post.ts';
import { keptDays } from '../../domain/retention.ts';
import { undo, useAct } from '../lib/act.ts';
import { postList } from './list.ts';

/**
 * Moves posts to the trash and restores them. The post leaves the current list immediately. A toast shows the result;
 * after a deletion, the toast offers Undo.
 */
export function useTrash(onRestored?: () => void) {
  const client = useQueryClient();
  const change = { refresh: postList.key, expect: ({ id }: PostSummary) => hideInLists(client, id) };
  const restore = useAct(
    async (send, { id }: PostSummary) =>
      (await send(apiPaths.restorePost(id), { method: 'POST', schema: postAnswer })).data,
    {
      ...change,
      failed: 'Failed to restore blog post',
      done: ({ title, slug }) => {
        onRestored?.();
        return { title: 'Blog post restored', description: `“${title}” is back at /blog/${slug}.` };
      },
    },
  );
  const remove = useAct(
    async (send, { id }: PostSummary) => (await send(apiPaths.post(id), { method: 'DELETE', schema: postAnswer })).data,
    {
      ...change,
      failed: 'Failed to delete blog post',
      done: (post) => ({
        title: 'Blog post deleted successfully!',
        description: `“${post.title}” is in the trash for ${keptDays.trashedPost} days.`,
        ...undo(() => restore.mutate(post)),
      }),
    },
  );
  return { pending: restore.isPending, remove: remove.mutate, restore: restore.mutate };
}

/** Removes a post from every list that shows it. @returns a function that undoes the change. */
function hideInLists(client: QueryClient, id: string): () => void {
  const before = client.getQueriesData<PostPage>({ queryKey: postList.key });
  client.setQueriesData<PostPage>(
    { queryKey: postList.key },
    (page) => page && { ...page, data: page.data.filter((row) => row.id !== id) },
  );
  return () => before.forEach(([key, page]) => client.setQueryData(key, page));
}
