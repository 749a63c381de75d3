import { useMemo } from 'react';
import * as z from 'zod/mini';
import { listQuery } from '../../domain/paging.ts';
import { go, returnsTo, useSearchText } from './location.ts';
import { type PagePosition, cursorTrail } from './paging.ts';

/** The state of a list. The URL stores this state, so the list survives a reload, the Back button and a copied link. */
export type ListView<Filters> = Filters &
  PagePosition & {
    readonly q: string;
    /** The id of the open row. */
    readonly open: string | undefined;
  };

interface ListUrlOptions<Filters> {
  /** The schema of each filter, which also defines the filter's default value. */
  filters: { readonly [Name in keyof Filters]: z.ZodMiniType<Filters[Name]> };
  /** The name of the parameter that contains the open row's id. */
  open: string;
  /** Reads the parameters of links from outside the admin area, such as links in emails. */
  linked?: (parameters: URLSearchParams) => Partial<ListView<Filters>>;
}

const { q, cursor } = listQuery.shape;
const laterPage = z._default(z.coerce.number().check(z.int(), z.gte(2), z.lte(1_000_000)), 2);

/** Reads and writes the state of a list in the URL, without reloading the document. */
export function listUrl<Filters>({ filters, open, linked }: ListUrlOptions<Filters>) {
  type View = ListView<Filters>;
  const schemas: Record<string, z.ZodMiniType> = {
    ...filters,
    q,
    page: laterPage,
    after: cursor,
    open: z.optional(z.string()),
  };
  const parameterOf = (name: string) => (name === 'open' ? open : name);
  const trail = cursorTrail();

  /** Reads a URL's query. Invalid values fall back to the default. */
  const read = (search: string): View => {
    const parameters = new URLSearchParams(search);
    const values = Object.entries(schemas).map(([name, schema]) => {
      const parsed = schema.safeParse(parameters.get(parameterOf(name)) ?? undefined);
      return [name, parsed.success ? parsed.data : schema.parse(undefined)];
    });
    const view = { ...Object.fromEntries(values), ...linked?.(parameters) } as View;
    return view.after === undefined ? { ...view, page: 1 } : view;
  };
  const first = read('');

  /** Returns the URL's query for a view. Omits default values. */
  const write = (view: View): string => {
    const parameters = new URLSearchParams();
    for (const name of Object.keys(schemas) as (keyof View & string)[]) {
      const value = view[name] as string | number | undefined;
      if (value !== undefined && value !== first[name]) parameters.set(parameterOf(name), String(value));
    }
    const text = parameters.toString();
    return text && `?${text}`;
  };

  // Each change starts from the current URL instead of the last rendered view, because timers and repeated key presses
  // may come before the next render.
  const current = () => read(window.location.search);
  const turnTo = (view: View) => go(write(view), view.open ? { replace: true, from: undefined } : {});
  const openRow = (id: string) => {
    const view = current();
    if (id !== view.open) go(write({ ...view, open: id }), view.open ? { replace: true } : { from: open });
  };

  return {
    read,
    write,
    current,
    useView: (): View => {
      const search = useSearchText();
      return useMemo(() => read(search), [search]);
    },
    /**
     * Shows the first page with changed filters. Typing a search adds one history entry instead of one entry for each
     * letter.
     */
    filter: (changes: Partial<Filters & Pick<View, 'q'>>): void => {
      const view = current();
      const { page, after, open: closed } = first;
      go(write({ ...view, ...changes, page, after, open: closed }), {
        replace: changes.q !== undefined && view.q !== '',
      });
    },
    /** Opens a row instead of the row that is open now, if any. */
    open: openRow,
    /** Opens another row, but only if a row is open now. */
    follow: (id: string): void => {
      if (current().open) openRow(id);
    },
    close: (): void => {
      const view = current();
      if (!view.open) return;
      if (returnsTo(open)) window.history.back();
      else go(write({ ...view, open: undefined }), { replace: true });
    },
    /** Shows the next page. An open row stays open. When the admin closes the row, the list stays on the new page. */
    next: (cursor: string): void => {
      const view = current();
      turnTo({ ...view, ...trail.next(view, cursor) });
    },
    /** Shows the previous page, or the first page if the previous page is unknown ({@link cursorTrail}). */
    previous: (): void => {
      const view = current();
      turnTo({ ...view, ...trail.previous(view) });
    },
  };
}

export type ListUrl<Filters> = ReturnType<typeof listUrl<Filters>>;
