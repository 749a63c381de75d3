import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { apiPaths } from '../../domain/api-paths.ts';
import { type PostPage, type PostSummary, postAnswer, postListQuery, postPage } from '../../domain/posts/post.ts';
import { postStatusNames } from '../../domain/posts/post-input.ts';
import { keptDays } from '../../domain/submissions/retention.ts';
import { newSubmissionKey } from '../../lib/forms/sending/submission-key.ts';
import { undo, useAct, useGet } from '../lib/act.ts';
import { adminList } from '../lists/list.ts';

const { status, sort } = postListQuery.shape;

export const postList = adminList({
  path: apiPaths.posts,
  schema: postPage,
  key: ['posts', 'list'],
  many: 'posts',
  filters: { status, sort },
  openIn: 'post',
  inQuery: { view: 'summary' },
  totalOf: ({ counts }, { status }) => (status === 'all' ? countOfAll(counts) : counts[status]),
});
export const { open: openPost, close: closePost } = postList;

/** Opens a new post. Its URL has an id for the unsaved text, so a reload finds the text again. */
export const openNewPost = (): void => openPost(`new-${newSubmissionKey()}`);

export const isNewPost = (id: string): boolean => id.startsWith('new-');

/** The number of posts outside the trash. */
export function countOfAll({ draft, scheduled, published }: PostPage['counts']): number {
  return draft + scheduled + published;
}

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
      done: ({ title }) => {
        onRestored?.();
        return { title: 'Blog post restored', description: `“${title}” is no longer in the trash.` };
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
        description: `“${post.title}” moved to the trash. You can restore the post within ${keptDays.trashedPost} days.`,
        ...undo(() => restore.mutate(post)),
      }),
    },
  );
  return { remove, restore };
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

export const latestKey = ['posts', 'latest'] as const;

/**
 * Reads something about a post from the API, and never from the cache, so editing starts from the latest version.
 * @param keep shows the former data while the data of another path loads.
 */
export function useLatest<T>(path: string | null, schema: z.core.$ZodType<{ data: T }>, keep = false) {
  return useGet(latestKey, path ?? '', schema, {
    select: ({ data }) => data,
    enabled: path !== null,
    staleTime: 0,
    gcTime: 0,
    placeholderData: (before) => (keep ? before : undefined),
  });
}

const icons = { draft: 'pencil', scheduled: 'clock', published: 'tick' } as const;

/** Returns the properties of the badge with a post's status. */
export function statusBadge({ status, publishAt }: Pick<PostSummary, 'status' | 'publishAt'>) {
  const shown = publishAt === null ? status : 'scheduled';
  const look = shown === 'draft' ? 'soft' : 'ink';
  return { icon: icons[shown], accent: shown === 'published', look, children: postStatusNames[shown] } as const;
}
