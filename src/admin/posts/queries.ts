import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import {
  type PostRecord,
  postAnswer,
  postReceipt,
  shareLinkAnswer,
  shareLinkList,
  postVersionAnswer,
  postVersionList,
} from '../../domain/post.ts';
import { scheduleOf } from '../../domain/post-text.ts';
import { useRequest } from '../lib/signed-in-request.ts';
import { postList } from './list/list.ts';
import { showInLists } from './list/queries.ts';
import type { PostForm } from './post-form.ts';

const all = ['posts'] as const;
const oneKey = (id: string) => [...all, 'one', id] as const;
const shareLinksKey = (draft: string) => [...all, 'share-links', draft] as const;
const versionsKey = (id: string) => [...all, 'versions', id] as const;

/** Fetches a post to edit. Never uses the cache, so editing starts from the latest saved version. */
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

/** Fetches the active share links of a draft. Never uses the cache. */
export function useShareLinks(draft: string) {
  const send = useRequest();
  return useQuery({
    queryKey: shareLinksKey(draft),
    queryFn: async ({ signal }) => (await send(apiPaths.shareLinks(draft), { schema: shareLinkList, signal })).data,
    staleTime: 0,
    gcTime: 0,
  });
}

/**
 * @param keepDraft saves the draft on the server before the link is created, because a link shows the server's copy.
 */
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

/** Fetches the versions of a post. Never uses the cache. */
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
 * Fetches a version with its content. A version never changes, so it may come from the cache. The previously chosen
 * version stays visible while the new one loads.
 * @param revision undefined until a version is chosen.
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

export interface Save {
  /** Null for a post that has not been saved yet. */
  readonly id: string | null;
  readonly form: PostForm;
  /** The revision that the admin opened; undefined overwrites any revision. */
  readonly revision: number | undefined;
  /** The id of the unsaved text. It is also the idempotency key of every attempt to create the same post. */
  readonly key: string;
  readonly keepOriginalDate: boolean;
}

/** Saves a post. The lists show the change immediately, and undo the change if the request fails. */
export function useSave() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: async ({ id, form, revision, key, keepOriginalDate }: Save): Promise<PostRecord> => {
      const publishedAt = form.status === 'published' ? new Date().toISOString() : null;
      const body = { ...form, publishAt: scheduleOf(form), publishedAt, revision, keepOriginalDate };
      if (id !== null) return (await send(apiPaths.post(id), { method: 'PUT', body, schema: postAnswer })).data;
      return (await send(apiPaths.posts, { body, headers: { 'idempotency-key': key }, schema: postReceipt })).data;
    },
    onMutate: async ({ id, form }) => {
      const { title, slug, status } = form;
      const change = { title, slug, status, publishAt: scheduleOf(form) };
      return id === null ? undefined : await showInLists(client, id, (row) => ({ ...row, ...change }));
    },
    onError: (_error, _save, before) => before?.undo(),
    onSuccess: () => void client.invalidateQueries({ queryKey: postList.key }),
  });
}

/** Gives a post the date from before its last save. */
export function usePutBackDate() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: async (id: string) =>
      (await send(apiPaths.putBackPostDate(id), { method: 'POST', schema: postAnswer })).data,
    onSuccess: () => void client.invalidateQueries({ queryKey: postList.key }),
  });
}
