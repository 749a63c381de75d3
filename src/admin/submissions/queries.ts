import {
  type QueryClient,
  type QueryKey,
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { type InquiryPage, type InquiryRecord, inquiryPage, inquiryRecord } from '../../domain/inquiry.ts';
import type { SubmissionListQuery, SubmissionStatus } from '../../domain/submission.ts';
import { listSearch } from '../ui/paging.ts';
import { type Request, isSignedOut, useRequest } from '../ui/signed-in-request.ts';
import type { Mail } from './delivery-text.ts';
import { listQueryOf, viewOf } from './view.ts';

const all = ['submissions'] as const;
const lists = [...all, 'list'] as const;
const listKey = (query: SubmissionListQuery) => [...lists, query] as const;
const oneKey = (id: string) => [...all, 'one', id] as const;
const countsKey = [...all, 'counts'] as const;

function pageQuery(query: SubmissionListQuery, send: Request, client: QueryClient) {
  return {
    queryKey: listKey(query),
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const page = await send(apiPaths.submissions + listSearch(query), { schema: inquiryPage, signal });
      client.setQueryData(countsKey, page.counts);
      return page;
    },
  };
}

/** A page of the list. While another one of the same place is on its way, the one before stays. */
export function useInquiryPage(query: SubmissionListQuery) {
  const client = useQueryClient();
  const send = useRequest();
  return useQuery({
    ...pageQuery(query, send, client),
    placeholderData: (before: InquiryPage | undefined, beforeQuery: { queryKey: QueryKey } | undefined) =>
      (beforeQuery?.queryKey as ReturnType<typeof listKey> | undefined)?.[2].status === query.status
        ? keepPreviousData(before)
        : undefined,
  });
}

/** Fetches a page that is likely to be asked for next. */
export function usePagePrefetch() {
  const client = useQueryClient();
  const send = useRequest();
  return (query: SubmissionListQuery) => void client.prefetchQuery(pageQuery(query, send, client));
}

/**
 * How many inquiries there are in each place. Every page of the list brings it along, so that opening the inbox asks for
 * nothing more.
 */
export function useInquiryCounts() {
  const client = useQueryClient();
  const send = useRequest();
  return useQuery({
    queryKey: countsKey,
    queryFn: async () => (await client.fetchQuery(pageQuery(listQueryOf(viewOf('')), send, client))).counts,
  });
}

/** One inquiry: at once where a list holds it, else from the API, for a link that leads straight to it. */
export function useInquiry(id: string) {
  const client = useQueryClient();
  const send = useRequest();
  return useQuery({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => send(apiPaths.submission(id), { schema: inquiryRecord, signal }),
    initialData: () => cachedPages(client).flatMap(([, page]) => page.data.filter((row) => row.id === id))[0],
  });
}

/** Asks the API anew for everything that is shown of the submissions. */
export function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: all });
}

export interface Move {
  readonly inquiry: InquiryRecord;
  /** `inbox` releases it from quarantine, and its mails go out. */
  readonly to: SubmissionStatus;
}

const moveKey = [...all, 'move'] as const;

/** Moves an inquiry between inbox and quarantine. It is shown at once, and taken back where the server refuses. */
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
    mutationFn: ({ inquiry, to }: Move) =>
      send(to === 'inbox' ? apiPaths.releaseSubmission(inquiry.id) : apiPaths.quarantineSubmission(inquiry.id), {
        method: 'POST',
        schema: inquiryRecord,
      }),
    onMutate: async (move) => {
      await client.cancelQueries({ queryKey: lists });
      const before = { pages: cachedPages(client), one: client.getQueryData(oneKey(move.inquiry.id)) };
      showMoved(client, move);
      return before;
    },
    onSuccess: (record, move) => {
      client.setQueryData(oneKey(record.id), record);
      onSuccess(move);
    },
    onError: (error, move, before) => {
      for (const [key, page] of before?.pages ?? []) client.setQueryData(key, page);
      client.setQueryData(oneKey(move.inquiry.id), before?.one ?? move.inquiry);
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

/** Sends one of an inquiry's mails again; the answer comes after the mail server's. */
export function useResend({
  onSuccess,
  onError,
}: {
  onSuccess: (record: InquiryRecord, mail: Mail) => void;
  onError: (error: Error) => void;
}) {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: ({ id, mail }: { id: string; mail: Mail }) =>
      send(apiPaths.resendSubmission(id), { body: { mail }, schema: inquiryRecord }),
    onSuccess: (record, { mail }) => {
      client.setQueryData(oneKey(record.id), record);
      for (const [key, page] of cachedPages(client)) {
        client.setQueryData(key, { ...page, data: page.data.map((row) => (row.id === record.id ? record : row)) });
      }
      onSuccess(record, mail);
      void client.invalidateQueries({ queryKey: lists });
    },
    onError,
  });
}

function cachedPages(client: QueryClient): [QueryKey, InquiryPage][] {
  return client.getQueriesData<InquiryPage>({ queryKey: lists }).flatMap(([key, page]) => (page ? [[key, page]] : []));
}

/** Takes the inquiry out of the lists of the place that it leaves; it comes into the other's when that is asked for. */
function showMoved(client: QueryClient, { inquiry, to }: Move): void {
  const from = inquiry.status;
  if (from === to) return;
  for (const [key, page] of cachedPages(client)) {
    const counts = { ...page.counts, [from]: page.counts[from] - 1, [to]: page.counts[to] + 1 };
    client.setQueryData(countsKey, counts);
    client.setQueryData(key, { ...page, counts, data: page.data.filter((row) => row.id !== inquiry.id) });
  }
  client.setQueryData(oneKey(inquiry.id), { ...inquiry, status: to });
}
