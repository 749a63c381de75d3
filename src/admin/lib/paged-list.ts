import { type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import type { Page } from '../../domain/paging.ts';
import type { ListUrl, ListView } from './list-url.ts';
import { firstRequest } from './first-answers.ts';
import { listSearch } from './paging.ts';
import { type Request, useRequest } from './signed-in-request.ts';

export type ListQuery = Readonly<Record<string, string | number | undefined>>;

/** A list that the API returns in pages. Each page also contains the row counts of the whole list. */
export interface PagedList<Query extends ListQuery, Row, Counts> {
  readonly path: string;
  readonly schema: z.core.$ZodType<Page<Row>>;
  /** The first parts of the React Query key of each page. The page's query is the last part. */
  readonly key: readonly string[];
  readonly countsKey: readonly string[];
  countsOf(this: void, page: Page<Row>): Counts;
  /** The query that fetches the counts if no page has been loaded yet. */
  readonly countsQuery: Query;
}

/** The configuration of one list of the admin. */
export interface AdminList<Filters, Query extends ListQuery, Row, Counts> {
  readonly url: ListUrl<Filters>;
  readonly pages: (view: ListView<Filters>) => PagedList<Query, Row, Counts>;
  readonly queryOf: (view: ListView<Filters>) => Query;
  /** Returns the number of rows for the view's filters; undefined if the counts do not include that number. */
  readonly totalOf: (counts: Counts, view: ListView<Filters>) => number | undefined;
  /** Returns the plural name of the rows, such as `posts`. */
  readonly many: (view: ListView<Filters>) => string;
}

function pageQuery<Query extends ListQuery, Row, Counts>(
  { path, schema, key, countsKey, countsOf }: PagedList<Query, Row, Counts>,
  query: Query,
  send: Request,
  client: QueryClient,
) {
  return {
    queryKey: [...key, query],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const page = await send(path + listSearch(query), { schema, signal });
      client.setQueryData(countsKey, countsOf(page));
      return page;
    },
  };
}

/**
 * Returns a page of the list. While the page loads, returns the page that was shown before, if that page belongs to the
 * same list and has the same status filter.
 */
export function usePage<Query extends ListQuery, Row, Counts>(list: PagedList<Query, Row, Counts>, query: Query) {
  const client = useQueryClient();
  const send = useRequest();
  const isOfList = (key: QueryKey) =>
    list.key.every((part, index) => key[index] === part) &&
    (key[list.key.length] as Query | undefined)?.['status'] === query['status'];
  return useQuery({
    ...pageQuery(list, query, send, client),
    placeholderData: (before: Page<Row> | undefined, beforeQuery: { queryKey: QueryKey } | undefined) =>
      beforeQuery && isOfList(beforeQuery.queryKey) ? before : undefined,
  });
}

/** Returns a function that starts to fetch the page for a URL, before the list's screen renders. */
export function beginList<Filters, Query extends ListQuery, Row, Counts>({
  url,
  pages,
  queryOf,
}: AdminList<Filters, Query, Row, Counts>) {
  return (client: QueryClient, search: string): Promise<unknown> => {
    const view = url.read(search);
    return client.query(pageQuery(pages(view), queryOf(view), firstRequest, client));
  };
}

/** Returns the API path of the page that a list shows for a URL without a query. */
export function firstPathOf<Filters, Query extends ListQuery, Row, Counts>(
  list: AdminList<Filters, Query, Row, Counts>,
) {
  const view = list.url.read('');
  return list.pages(view).path + listSearch(list.queryOf(view));
}

/** Returns a function that prefetches a page that will probably be opened next. */
export function usePagePrefetch<Query extends ListQuery, Row, Counts>(list: PagedList<Query, Row, Counts>) {
  const client = useQueryClient();
  const send = useRequest();
  // Ignores an error here. If the admin opens the page, the list fetches the page again and shows the error.
  return (query: Query) => void client.query(pageQuery(list, query, send, client)).catch(() => undefined);
}

/** Returns the counts of a list. Every page contains the counts, so an open list causes no extra request. */
export function useCounts<Query extends ListQuery, Row, Counts>(list: PagedList<Query, Row, Counts>) {
  const client = useQueryClient();
  const send = useRequest();
  return useQuery({
    queryKey: list.countsKey,
    queryFn: async (): Promise<Counts> =>
      list.countsOf(await client.query(pageQuery(list, list.countsQuery, send, client))),
  });
}
