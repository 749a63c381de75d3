import { type QueryClient, type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { apiPaths } from '../../domain/api-paths.ts';
import { type ApplicationRecord, applicationRecord } from '../../domain/application.ts';
import { type SubmissionListQuery, type SubmissionPlace, placeOf } from '../../domain/submission.ts';
import { ApiError } from '../../lib/api.ts';
import { type PagedList, beginPage } from '../ui/paged-list.ts';
import { isSignedOut, useRequest } from '../ui/signed-in-request.ts';
import type { MessageId } from './delivery-text.ts';
import { type KindName, type ListCounts, type Submission, type SubmissionPage, kindNameOf, kindOf } from './kinds.ts';
import { listQueryOf, viewOf } from './view.ts';

const all = ['submissions'] as const;
const lists = [...all, 'list'] as const;
const listKey = (kind: KindName) => [...lists, kind] as const;
const ones = [...all, 'one'] as const;
const oneKey = (id: string) => [...ones, id] as const;
const countsKey = (kind: KindName) => [...all, 'counts', kind] as const;

/** The list of inquiries, or of applications. */
export function submissionList(kind: KindName): PagedList<SubmissionListQuery, Submission, ListCounts> {
  const { list: path, page: schema } = kindOf(kind);
  return { path, schema, key: listKey(kind), countsKey: countsKey(kind), first: listQueryOf(viewOf('')) };
}

/** Asks for the submissions that an address's query shows. */
export function beginSubmissions(client: QueryClient, search: string): Promise<unknown> {
  const view = viewOf(search);
  return beginPage(client, submissionList(view.list), listQueryOf(view));
}

/** One submission: at once where a list holds it, else from the API, for a link that leads straight to it. */
export function useSubmission(kind: KindName, id: string) {
  const client = useQueryClient();
  const send = useRequest();
  return useQuery({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => send(kindOf(kind).paths.get(id), { schema: kindOf(kind).record, signal }),
    initialData: () => cachedPages(client).flatMap(([, page]) => page.data.filter((row) => row.id === id))[0],
  });
}

/** Asks the API anew for everything that is shown of the submissions. */
export function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: all });
}

/** As {@link useRefresh}, but of what is open only once it is opened again: it may have been erased. */
export function useRefreshLists() {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ones, refetchType: 'none' });
    await client.invalidateQueries({ queryKey: all, predicate: ({ queryKey }) => queryKey[1] !== ones[1] });
  };
}

export interface Move {
  readonly submission: Submission;
  /** `inbox` releases it from quarantine, and its messages go out; or opens it again. */
  readonly to: SubmissionPlace;
}

const moveKey = [...all, 'move'] as const;

/** Moves a submission between inbox, handled and quarantine. It is shown at once, and taken back where the server refuses. */
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
      // The list of one move must not undo what another, still on its way, already shows; and somebody who would
      // rather not sign in is not to be asked at once again.
      if (client.isMutating({ mutationKey: moveKey }) > 1 || isSignedOut(error)) return;
      void client.invalidateQueries({ queryKey: lists });
    },
  });
}

/** Sends one of a submission's messages again; the answer comes after the receiver's. */
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

/** Shows a record as the server has it now, wherever it is shown. */
function showChanged(client: QueryClient, record: Submission): void {
  client.setQueryData(oneKey(record.id), record);
  for (const [key, page] of cachedPages(client)) {
    client.setQueryData(key, { ...page, data: page.data.map((row) => (row.id === record.id ? record : row)) });
  }
}

/** Puts a hold on an application, or releases it. */
export function useHold({
  onSuccess,
  onError,
}: {
  onSuccess: (held: boolean) => void;
  onError: (error: Error) => void;
}) {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    /** A reason of null releases the hold. */
    mutationFn: ({ application, reason }: { application: ApplicationRecord; reason: string | null }) => {
      const path = apiPaths.holdApplication(application.id);
      return reason === null
        ? send(path, { method: 'DELETE', schema: applicationRecord })
        : send(path, { method: 'PUT', body: { reason }, schema: applicationRecord });
    },
    onSuccess: (record) => {
      showChanged(client, record);
      onSuccess(record.hold !== null);
      void client.invalidateQueries({ queryKey: lists });
    },
    onError,
  });
}

interface SaveNote {
  readonly submission: Submission;
  readonly note: string;
  /** The note that the admin saw: if another one is stored by then, nothing is saved. */
  readonly was: string;
}

/** Keeps the admins' note about a submission. */
export function useNote({
  onSaved,
  onError,
}: {
  onSaved: (stored: string, sent: string) => void;
  /** @param conflict another note is stored, and shown by now. */
  onError: (error: Error, conflict: boolean) => void;
}) {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: ({ submission, note, was }: SaveNote) => {
      const { paths, record: schema } = kindOf(kindNameOf(submission));
      return send(paths.note(submission.id), { method: 'PUT', body: { note, was }, schema });
    },
    onSuccess: (record, { note }) => {
      showChanged(client, record);
      onSaved(record.note, note);
    },
    onError: (error, { submission }) => {
      const current = error instanceof ApiError ? error.current : undefined;
      const stored = kindOf(kindNameOf(submission)).record;
      const parsed = z.safeParse(stored, current);
      if (parsed.success) showChanged(client, parsed.data);
      onError(error, parsed.success);
    },
  });
}

/** Takes a submission out of the lists of the place that it leaves; it comes into the other's when that is asked for. */
function showMoved(client: QueryClient, { submission, to }: Move): void {
  const from = placeOf(submission);
  const kind = kindNameOf(submission);
  if (from === to) return;
  for (const [key, page] of cachedPages(client)) {
    if ((key as ReturnType<typeof listKey>)[2] !== kind) continue;
    const counts = { ...page.counts, [from]: page.counts[from] - 1, [to]: page.counts[to] + 1 };
    client.setQueryData(countsKey(kind), counts);
    client.setQueryData(key, { ...page, counts, data: page.data.filter((row) => row.id !== submission.id) });
  }
  client.setQueryData(oneKey(submission.id), movedTo(submission, to));
}

/** A submission as it is in another place. */
export function movedTo<T extends Submission>(submission: T, to: SubmissionPlace): T {
  const status = to === 'quarantine' ? 'quarantine' : 'inbox';
  return { ...submission, status, handledAt: to === 'handled' ? new Date().toISOString() : null };
}
