import { type QueryClient, type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { type ApplicationRecord, applicationRecord } from '../../domain/application.ts';
import { type SubmissionFolder, folderOf } from '../../domain/submission.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { errorText } from '../lib/error-text.ts';
import { isSignedOut, useRequest } from '../lib/signed-in-request.ts';
import type { MessageId } from './delivery-text.ts';
import { type KindName, type Submission, type SubmissionPage, kindNameOf, kindOf } from './kinds.ts';

const all = ['submissions'] as const;
const lists = [...all, 'list'] as const;
const ones = [...all, 'one'] as const;
const oneKey = (id: string) => [...ones, id] as const;

/** Returns one submission. Starts with the copy from a loaded list, if there is one. */
export function useSubmission(kind: KindName, id: string) {
  const client = useQueryClient();
  const send = useRequest();
  return useQuery({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => send(kindOf(kind).paths.one(id), { schema: kindOf(kind).record, signal }),
    initialData: () => cachedPages(client).flatMap(([, page]) => page.data.filter((row) => row.id === id))[0],
  });
}

/**
 * Refetches the lists. The open submission is only marked as stale, because it may have been erased and a refetch would
 * fail.
 */
export function useRefreshLists() {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ones, refetchType: 'none' });
    await client.invalidateQueries({ queryKey: all, predicate: ({ queryKey }) => queryKey[1] !== ones[1] });
  };
}

export interface Move {
  readonly submission: Submission;
  /** `inbox` releases a submission from quarantine and sends its messages, or reopens a handled submission. */
  readonly to: SubmissionFolder;
}

const moveKey = [...all, 'move'] as const;

/**
 * Moves a submission between inbox, Handled and quarantine. The lists show the move immediately, and undo the move if
 * the request fails.
 */
export function useMove({
  onSuccess,
  onError,
}: {
  onSuccess: (move: Move) => void;
  onError: (error: Error, move: Move) => void;
}) {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationKey: moveKey,
    mutationFn: ({ submission, to }: Move) => {
      const { paths, record: schema } = kindOf(kindNameOf(submission));
      const { id, status } = submission;
      if (to === 'quarantine') return send(paths.quarantine(id), { method: 'POST', schema });
      if (status === 'quarantine') return send(paths.release(id), { method: 'POST', schema });
      return send(paths.handle(id), { body: { handled: to === 'handled' }, schema });
    },
    onMutate: async (move) => {
      await client.cancelQueries({ queryKey: lists });
      const before = { pages: cachedPages(client), one: client.getQueryData(oneKey(move.submission.id)) };
      showMoved(client, move);
      return before;
    },
    onSuccess: (record, move) => {
      client.setQueryData(oneKey(record.id), record);
      onSuccess(move);
    },
    onError: (error, move, before) => {
      for (const [key, page] of before?.pages ?? []) client.setQueryData(key, page);
      client.setQueryData(oneKey(move.submission.id), before?.one ?? move.submission);
      onError(error, move);
    },
    onSettled: (_record, error) => {
      // The refetch after one move must not revert another move that is still being sent. An admin who chose not to
      // sign in should not be asked again immediately.
      if (client.isMutating({ mutationKey: moveKey }) > 1 || isSignedOut(error)) return;
      void client.invalidateQueries({ queryKey: lists });
    },
  });
}

/**
 * Sends one of a submission's messages again. The request ends after the receiver has accepted or rejected the message.
 */
export function useResend({
  onSuccess,
  onError,
}: {
  onSuccess: (record: Submission, mail: MessageId) => void;
  onError: (error: Error) => void;
}) {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: ({ submission, mail }: { submission: Submission; mail: MessageId }) => {
      const { paths, record: schema } = kindOf(kindNameOf(submission));
      return send(paths.resend(submission.id), { body: { mail }, schema });
    },
    onSuccess: (record, { mail }) => {
      showChanged(client, record);
      onSuccess(record, mail);
      void client.invalidateQueries({ queryKey: lists });
    },
    onError,
  });
}

function cachedPages(client: QueryClient): [QueryKey, SubmissionPage][] {
  return client
    .getQueriesData<SubmissionPage>({ queryKey: lists })
    .flatMap(([key, page]) => (page ? [[key, page]] : []));
}

/** Shows a changed submission in every list and panel that contains the submission. */
function showChanged(client: QueryClient, record: Submission): void {
  client.setQueryData(oneKey(record.id), record);
  for (const [key, page] of cachedPages(client)) {
    client.setQueryData(key, { ...page, data: page.data.map((row) => (row.id === record.id ? record : row)) });
  }
}

/** Keeps an application after its deletion date, or allows its deletion again. */
export function useKeep() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: ({ application, kept }: { application: ApplicationRecord; kept: boolean }) =>
      send(apiPaths.applications.keep(application.id), { body: { kept }, schema: applicationRecord }),
    onSuccess: (record) => {
      showChanged(client, record);
      void client.invalidateQueries({ queryKey: lists });
    },
    onError: (error) =>
      showToast({ title: 'Couldn’t save the change', description: errorText(error), variant: 'destructive' }),
  });
}

/** Returns a function that saves the admins' note about a submission, unless the stored note is not `was`. */
export function useSaveNote() {
  const client = useQueryClient();
  const send = useRequest();
  return async (submission: Submission, note: string, was: string): Promise<Submission> => {
    const { paths, record: schema } = kindOf(kindNameOf(submission));
    try {
      const saved = await send(paths.note(submission.id), { method: 'PUT', body: { note, was }, schema });
      showChanged(client, saved);
      return saved;
    } catch (error) {
      // Someone else may have changed the note.
      void client.invalidateQueries({ queryKey: all });
      throw error;
    }
  };
}

/**
 * Removes a submission from the cached lists and updates their counts. The new folder's list shows the submission after
 * the next refetch.
 */
function showMoved(client: QueryClient, { submission, to }: Move): void {
  const from = folderOf(submission);
  const kind = kindNameOf(submission);
  if (from === to) return;
  for (const [key, page] of cachedPages(client)) {
    if (key[2] !== kind) continue;
    const counts = { ...page.counts, [from]: page.counts[from] - 1, [to]: page.counts[to] + 1 };
    client.setQueryData(key, { ...page, counts, data: page.data.filter((row) => row.id !== submission.id) });
  }
  client.setQueryData(oneKey(submission.id), movedTo(submission, to));
}

/** Returns a submission as it will be after a move. */
export function movedTo<T extends Submission>(submission: T, to: SubmissionFolder): T {
  const status = to === 'quarantine' ? 'quarantine' : 'inbox';
  return { ...submission, status, handledAt: to === 'handled' ? new Date().toISOString() : null };
}
