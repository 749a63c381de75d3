import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { type AdminList, type ListQuery, usePage, usePagePrefetch } from './paged-list.ts';
import { type PagePosition, rangeText } from './paging.ts';
import { useChoice } from './use-choice.ts';
import { type RowNavigation, useRowNavigation } from './use-row-navigation.ts';

/** The part of {@link useList} that the shared list components use. */
export interface ShownList<Row = unknown> {
  readonly view: PagePosition & { readonly q: string; readonly open: string | undefined; readonly sort?: string };
  /** The id of the row that is marked as open. */
  readonly marked: string | undefined;
  readonly page: UseQueryResult<unknown>;
  readonly rows: readonly Row[];
  readonly outdated: boolean;
  readonly many: string;
  readonly range: string;
  readonly navigation: RowNavigation;
  readonly searchField: RefObject<HTMLInputElement | null>;
  readonly shortcutsShown: boolean;
  readonly showShortcuts: (shown: boolean) => void;
  readonly refreshing: boolean;
  readonly refresh: () => void;
  readonly prefetchNext: () => void;
  filter(this: void, changes: { q?: string; sort?: 'createdAt' | '-createdAt' }): void;
  readonly hrefOf: (id: string) => string;
}

interface ListOptions {
  /** If true and a row is open in the panel, moving to another row with the keyboard opens that row instead. */
  panel?: boolean;
}

/** Reads the state of a list from the URL, and fetches its page from the API. */
export function useList<Filters, Query extends ListQuery, Row extends { readonly id: string }, Counts>(
  list: AdminList<Filters, Query, Row, Counts>,
  { panel = false }: ListOptions = {},
) {
  const { url } = list;
  const view = url.useView();
  const pages = list.pages(view);
  const query = list.queryOf(view);
  const page = usePage(pages, query);
  const prefetch = usePagePrefetch(pages);
  const client = useQueryClient();
  const searchField = useRef<HTMLInputElement>(null);
  const [shortcutsShown, showShortcuts] = useState(false);

  const [marked, openRow] = useChoice(view.open, url.open);
  const { data, isPlaceholderData: outdated } = page;
  const rows: readonly Row[] = data?.data ?? [];
  const nextCursor = data?.nextCursor ?? null;
  const navigation = useRowNavigation({
    rows,
    outdated,
    openId: panel ? view.open : undefined,
    onFollow: url.follow,
    onOlder: nextCursor === null ? undefined : () => url.next(nextCursor),
    onNewer: view.page > 1 ? url.previous : undefined,
  });
  const many = list.many(view);
  const counts = data && pages.countsOf(data);
  return {
    view,
    marked,
    openRow,
    page,
    rows,
    many,
    counts,
    navigation,
    searchField,
    shortcutsShown,
    showShortcuts,
    /** Whether the rows still belong to the page or search that was shown before, because the new page is loading. */
    outdated,
    /** The range of the visible rows, such as `51–100 of 3,412`; empty while another page loads. */
    range: outdated
      ? ''
      : rangeText({
          page: view.page,
          rows: rows.length,
          total: counts && view.q === '' ? list.totalOf(counts, view) : undefined,
          hasMore: nextCursor !== null,
          none: `No ${many}`,
        }),
    prefetchNext: () => {
      if (nextCursor !== null) prefetch({ ...query, cursor: nextCursor });
    },
    refreshing: page.isFetching && !page.isPending && !outdated,
    /** Refetches all queries for this kind of record, such as every list of posts and the open post. */
    refresh: () => void client.invalidateQueries({ queryKey: pages.key.slice(0, 1) }),
    filter: url.filter,
    /** Returns the URL query that opens a row. */
    hrefOf: (id: string) => url.write({ ...view, open: id }),
  };
}
