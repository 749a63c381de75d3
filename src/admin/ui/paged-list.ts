import { type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import type { Page } from '../../domain/paging.ts';
import { request } from '../../lib/api.ts';
import { listSearch } from './paging.ts';
import { type Request, useRequest } from './signed-in-request.ts';

type ListQuery = Readonly<Record<string, string | number | undefined>> & { readonly status: string };
type CountedPage<Row, Counts> = Page<Row> & { counts: Counts };

/** A list that the API gives page by page, each page with how many there are of each status. */
export interface PagedList<Query extends ListQuery, Row, Counts> {
  readonly path: string;
  readonly schema: z.core.$ZodType<CountedPage<Row, Counts>>;
  /** Where its pages are kept, each under its query. */
  readonly key: readonly string[];
  readonly countsKey: readonly string[];
  /** The query of the page that the list begins with. */
  readonly first: Query;
}

function pageQuery<Query extends ListQuery, Row, Counts>(
  { path, schema, key, countsKey }: PagedList<Query, Row, Counts>,
  query: Query,
  send: Request,
  client: QueryClient,
) {
  return {
    queryKey: [...key, query],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const page = await send(path + listSearch(query), { schema, signal });
      client.setQueryData(countsKey, page.counts);
      return page;
    },
  };
}

/** A page of the list. While another one of the same list and status is on its way, the one before stays. */
export function usePage<Query extends ListQuery, Row, Counts>(list: PagedList<Query, Row, Counts>, query: Query) {
  const client = useQueryClient();
  const send = useRequest();
  const isOfList = (key: QueryKey) =>
    list.key.every((part, index) => key[index] === part) &&
    (key[list.key.length] as Query | undefined)?.status === query.status;
  return useQuery({
    ...pageQuery(list, query, send, client),
    placeholderData: (before: CountedPage<Row, Counts> | undefined, beforeQuery: { queryKey: QueryKey } | undefined) =>
      beforeQuery && isOfList(beforeQuery.queryKey) ? before : undefined,
  });
}

/** Asks for a page before anything on the screen does. */
export function beginPage<Query extends ListQuery, Row, Counts>(
  client: QueryClient,
  list: PagedList<Query, Row, Counts>,
  query: Query,
): Promise<unknown> {
  return client.query(pageQuery(list, query, request, client));
}

/** Fetches a page that is likely to be asked for next. */
export function usePagePrefetch<Query extends ListQuery, Row, Counts>(list: PagedList<Query, Row, Counts>) {
  const client = useQueryClient();
  const send = useRequest();
  // Whoever goes to the page is told what went wrong.
  return (query: Query) => void client.query(pageQuery(list, query, send, client)).catch(() => undefined);
}

/** How many there are of each status. Every page of the list brings it along, so that opening the list asks for nothing more. */
export function useCounts<Query extends ListQuery, Row, Counts>(list: PagedList<Query, Row, Counts>) {
  const client = useQueryClient();
  const send = useRequest();
  return useQuery({
    queryKey: list.countsKey,
    queryFn: async (): Promise<Counts> => (await client.query(pageQuery(list, list.first, send, client))).counts,
  });
}
