import { type QueryClient, useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { type Page, defaultPageSize, listQuery } from '../../domain/text/paging.ts';
import { firstRequest, type Request, useRequest } from '../lib/signed-in-request.ts';
import { go, returnsTo } from '../lib/location.ts';

/** The part of a list's state that determines the rows of a page. */
type PageView<Filters> = Filters & {
  readonly q: string;
  /**
   * The cursors of the pages after the first one, up to the shown page. The API returns only the cursor of the next page,
   * so the earlier ones lead back.
   */
  readonly after: string;
};

/** The state of a list. The URL stores this state, so the list survives a reload, the Back button and a copied link. */
export type ListView<Filters> = PageView<Filters> & {
  /** The id of the open row. */
  readonly open: string | undefined;
};

// Cursors are in base64url, which has no comma.
const cursorsOf = (after: string): string[] => (after === '' ? [] : after.split(','));
export const pageNumber = ({ after }: { after: string }): number => cursorsOf(after).length + 1;
export const nextPage = (after: string, cursor: string): string => [...cursorsOf(after), cursor].join();
export const previousPage = (after: string): string => cursorsOf(after).slice(0, -1).join();

type Parameters = Readonly<Record<string, string | number | undefined>>;

interface ListOptions<Filters, P extends Page<unknown>> {
  /** The API path of the list, and the schema of a page. */
  readonly path: string;
  readonly schema: z.core.$ZodType<P>;
  /** The first parts of the React Query key of each page. The page's query is the last part. */
  readonly key: readonly string[];
  /** The plural name of the rows, such as `posts`. */
  readonly many: string;
  /** The schema of each filter, which also defines the filter's default value. Filters are parameters of the API. */
  readonly filters: { readonly [Name in keyof Filters]: z.ZodMiniType<Filters[Name]> };
  /** The name of the URL parameter that contains the open row's id, and another name in older links. */
  readonly openIn: string;
  readonly openAlsoIn?: string;
  /** Parameters with fixed values: in the URL of the admin area, and in requests to the API. */
  readonly inUrl?: Readonly<Record<string, string>>;
  readonly inQuery?: Parameters;
  /** Returns the number of rows for the view's filters; undefined if the page does not contain that number. */
  readonly totalOf: (page: P, view: Filters) => number | undefined;
  /** Whether a row still belongs to the list after a change. By default, every row that the API returned does. */
  readonly shows?: (row: P['data'][number], view: Filters) => boolean;
}

const { q } = listQuery.shape;
const after = z._default(z.string(), '');

/**
 * Defines a list that the API returns in pages. The list reads and writes its state in the URL, without reloading the
 * document.
 */
export function adminList<Filters, P extends Page<unknown>>(options: ListOptions<Filters, P>) {
  type View = ListView<Filters>;
  const { path, schema, key, filters, openIn, openAlsoIn = openIn, inUrl, inQuery } = options;
  const schemas: Record<string, z.ZodMiniType> = {
    ...filters,
    q,
    after,
    open: z.optional(z.string()),
  };
  const parameterOf = (name: string) => (name === 'open' ? openIn : name);

  /** Reads a URL's query. Invalid values fall back to the default. */
  const read = (search: string): View => {
    const parameters = new URLSearchParams(search);
    const values = Object.entries(schemas).map(([name, schema]) => {
      const value = parameters.get(parameterOf(name)) ?? (name === 'open' ? parameters.get(openAlsoIn) : null);
      const parsed = schema.safeParse(value ?? undefined);
      return [name, parsed.success ? parsed.data : schema.parse(undefined)];
    });
    return Object.fromEntries(values) as View;
  };
  const first = read('');

  /** Returns the URL's query for a view. Omits default values. */
  const write = (view: View): string => {
    const parameters = new URLSearchParams(inUrl);
    for (const name of Object.keys(schemas) as (keyof View & string)[]) {
      const value = view[name] as string | number | undefined;
      if (value !== undefined && value !== first[name]) parameters.set(parameterOf(name), String(value));
    }
    const text = parameters.toString();
    return text && `?${text}`;
  };

  // Each change starts from the current URL instead of the last rendered view, because a timer may run in between.
  const current = () => read(window.location.search);
  const turn = (to: (after: string) => string) => {
    const view = current();
    go(write({ ...view, after: to(view.after) }), view.open ? { replace: true, from: undefined } : {});
  };

  const pageQuery = (view: PageView<Filters>, send: Request) => {
    const query: Parameters = {
      ...Object.fromEntries(Object.keys(filters).map((name) => [name, view[name as keyof Filters]])),
      ...inQuery,
      q: view.q,
      limit: defaultPageSize,
      cursor: cursorsOf(view.after).at(-1),
    };
    const address = path + listSearch(query);
    return {
      address,
      queryKey: [...key, query],
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<P> => send(address, { schema, signal }),
    };
  };

  return {
    ...options,
    read,
    write,
    current,
    pageQuery,
    /** The API path of the page that the list shows for a URL without a query. */
    firstPath: pageQuery(first, firstRequest).address,
    /** Starts to fetch the page for a URL, before the list's screen renders. */
    begin: (client: QueryClient, search: string): Promise<unknown> =>
      client.query(pageQuery(read(search), firstRequest)),
    /**
     * Shows the first page with changed filters. Typing a search adds one history entry instead of one entry for each
     * letter.
     */
    filter: (changes: Partial<Filters & Pick<View, 'q'>>): void => {
      const view = current();
      go(write({ ...view, ...changes, after: '', open: undefined }), {
        replace: changes.q !== undefined && view.q !== '',
      });
    },
    /** Opens a row instead of the row that is open now, if any. */
    open: (id: string): void => {
      const view = current();
      if (id !== view.open) go(write({ ...view, open: id }), view.open ? { replace: true } : { from: openIn });
    },
    close: (): void => {
      const view = current();
      if (!view.open) return;
      if (returnsTo(openIn)) window.history.back();
      else go(write({ ...view, open: undefined }), { replace: true });
    },
    /** Shows the next page. An open row stays open. When the admin closes the row, the list stays on the new page. */
    next: (cursor: string): void => turn((after) => nextPage(after, cursor)),
    previous: (): void => turn(previousPage),
  };
}

export type AdminList<Filters, P extends Page<unknown>> = ReturnType<typeof adminList<Filters, P>>;

/** Returns a list's parameters as a URL query, without empty values. */
export function listSearch(query: Parameters): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  return `?${parameters}`;
}

/**
 * Returns a page of a list. While the page loads, returns the page that was shown before, if that page has the same
 * status filter.
 */
export function usePage<Filters, P extends Page<unknown>>(list: AdminList<Filters, P>, view: PageView<Filters>) {
  const { queryKey, queryFn } = list.pageQuery(view, useRequest());
  const { shows } = list;
  const statusIn = (key: readonly unknown[]) => (key.at(-1) as Parameters)['status'];
  return useQuery({
    queryKey,
    queryFn,
    ...(shows && { select: (page: P): P => ({ ...page, data: page.data.filter((row) => shows(row, view)) }) }),
    // The types of React Query do not accept a type parameter here.
    placeholderData: (before: unknown, query) =>
      query && statusIn(query.queryKey) === statusIn(queryKey) ? (before as never) : undefined,
  });
}

/** Returns the first page of a list without filters. Each page also contains the counts of the whole list. */
export function useFirstPage<Filters, P extends Page<unknown>>(list: AdminList<Filters, P>) {
  return usePage(list, list.read(''));
}
