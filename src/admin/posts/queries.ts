import { type QueryClient, keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import {
  type PostListQuery,
  type PostPage,
  type PostRecord,
  type PostSummary,
  postAnswer,
  postPage,
  postReceipt,
} from '../../domain/post.ts';
import { shareLinkAnswer, shareLinkList } from '../../domain/post-draft.ts';
import { postVersionAnswer, postVersionList } from '../../domain/post-version.ts';
import { type PagedList, beginPage } from '../ui/paged-list.ts';
import { isSignedOut, useRequest } from '../ui/signed-in-request.ts';
import { type PostForm, scheduleOf } from './post-form.ts';
import { listQueryOf, viewOf } from './view.ts';

const all = ['posts'] as const;
const lists = [...all, 'list'] as const;
const oneKey = (id: string) => [...all, 'one', id] as const;
const shareLinksKey = (draft: string) => [...all, 'share-links', draft] as const;
const versionsKey = (id: string) => [...all, 'versions', id] as const;

export const postList: PagedList<PostListQuery, PostSummary, PostPage['counts']> = {
  path: apiPaths.posts,
  schema: postPage,
  key: lists,
  countsKey: [...all, 'counts'],
  first: listQueryOf(viewOf('')),
};

/** Asks for the posts that an address's query shows. */
export function beginPosts(client: QueryClient, search: string): Promise<unknown> {
  return beginPage(client, postList, listQueryOf(viewOf(search)));
}

/** A post to be edited, always as it is now: writing begins from what others saved last. */
export function usePost(id: string | null) {
  const send = useRequest();
  return useQuery({
    queryKey: oneKey(id ?? ''),
    queryFn: async ({ signal }) => (await send(apiPaths.post(id ?? ''), { schema: postAnswer, signal })).data,
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
  });
}

/** The active links to a draft, always as they are now. */
export function useShareLinks(draft: string) {
  const send = useRequest();
  return useQuery({
    queryKey: shareLinksKey(draft),
    queryFn: async ({ signal }) => (await send(apiPaths.shareLinks(draft), { schema: shareLinkList, signal })).data,
    staleTime: 0,
    gcTime: 0,
  });
}

/** @param keepDraft brings the draft to the server first: a link shows nothing else. */
export function useCreateShareLink(draft: string, keepDraft: () => Promise<unknown>) {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: async () => {
      await keepDraft();
      return await send(apiPaths.shareLinks(draft), { method: 'POST', schema: shareLinkAnswer });
    },
    onSettled: () => client.invalidateQueries({ queryKey: shareLinksKey(draft) }),
  });
}

export function useRevokeShareLink(draft: string) {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: (id: string) => send(apiPaths.shareLink(draft, id), { method: 'DELETE' }),
    onSettled: () => client.invalidateQueries({ queryKey: shareLinksKey(draft) }),
  });
}

/** The versions of a post, always as they are now. */
export function useVersions(postId: string) {
  const send = useRequest();
  return useQuery({
    queryKey: versionsKey(postId),
    queryFn: async ({ signal }) =>
      (await send(apiPaths.postVersions(postId), { schema: postVersionList, signal })).data,
    staleTime: 0,
    gcTime: 0,
  });
}

/**
 * A whole version, which never changes; the one that was shown before is shown until it is there.
 * @param revision undefined while it is not known which.
 */
export function useVersion(postId: string, revision: number | undefined) {
  const send = useRequest();
  return useQuery({
    queryKey: [...versionsKey(postId), revision],
    queryFn: async ({ signal }) =>
      (await send(apiPaths.postVersion(postId, revision ?? 0), { schema: postVersionAnswer, signal })).data,
    enabled: revision !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Asks the API anew for everything that is shown of the posts. */
export function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: all });
}

export interface Save {
  /** Null for a post that is not stored yet. */
  readonly id: string | null;
  readonly form: PostForm;
  /** The revision from which the writing began; undefined saves over whatever is there. */
  readonly revision: number | undefined;
  /** The same for each try of one creation. */
  readonly key: string;
}

/** Stores a post. A change is shown in the lists at once, and taken back where the server refuses it. */
export function useSave() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: async ({ id, form, revision, key }: Save): Promise<PostRecord> => {
      const publishedAt = form.status === 'published' ? new Date().toISOString() : null;
      const body = { ...form, publishAt: scheduleOf(form), publishedAt, revision };
      if (id !== null) return (await send(apiPaths.post(id), { method: 'PUT', body, schema: postAnswer })).data;
      return (await send(apiPaths.posts, { body, headers: { 'idempotency-key': key }, schema: postReceipt })).data;
    },
    onMutate: async ({ id, form }) => {
      const { title, slug, status } = form;
      const change = { title, slug, status, publishAt: scheduleOf(form) };
      return id === null ? undefined : await show(client, id, (row) => ({ ...row, ...change }));
    },
    onError: (_error, _save, before) => before?.undo(),
    onSuccess: () => void client.invalidateQueries({ queryKey: lists }),
  });
}

/** Puts a post into the trash, or takes it out again. It leaves the shown list at once. */
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
    onMutate: ({ post }) => show(client, post.id, () => null),
    onSuccess: (post, { to }) => onSuccess(post, to),
    onError: (error, { to }, before) => {
      before?.undo();
      onError(error, to);
    },
    onSettled: (_post, error) => {
      if (!isSignedOut(error)) void client.invalidateQueries({ queryKey: lists });
    },
  });
}

/** Changes a row in every list that shows it; null takes it out. @returns a way back. */
async function show(client: QueryClient, id: string, change: (row: PostSummary) => PostSummary | null) {
  await client.cancelQueries({ queryKey: lists });
  const before = client.getQueriesData<PostPage>({ queryKey: lists });
  for (const [key, page] of before) {
    if (!page) continue;
    const data = page.data.flatMap((row) => (row.id === id ? (change(row) ?? []) : row));
    client.setQueryData(key, { ...page, data });
  }
  return { undo: () => before.forEach(([key, page]) => client.setQueryData(key, page)) };
}
