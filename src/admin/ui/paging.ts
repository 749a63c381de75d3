import { defaultPageSize } from '../../domain/paging.ts';

/** A list's query as the API reads it, without what is the default anyway. */
export function listSearch(query: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  return `?${parameters}`;
}

interface ShownRows {
  /** Counted from 1. */
  readonly page: number;
  readonly rows: number;
  /** Of all pages, where it is known. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  /** Said where there is no row. */
  readonly none: string;
}

/** The rows that a page shows, such as `51–100 of 3,412`. */
export function rangeText({ page, rows, total, hasMore, none }: ShownRows): string {
  const number = new Intl.NumberFormat('en-US');
  const first = (page - 1) * defaultPageSize + 1;
  const last = first + rows - 1;
  const whole = total ?? (hasMore ? undefined : last);
  if (rows === 0) return none;
  const range = `${number.format(first)}–${number.format(last)}`;
  return whole === undefined ? `${range} and more` : `${range} of ${number.format(Math.max(whole, last))}`;
}

/** A place in a list that is read by cursors. */
export interface PagePlace {
  /** Counted from 1; only for people, the cursor is what finds the rows. */
  readonly page: number;
  /** The list's cursor at which the page begins; none on the first one. */
  readonly after: string | undefined;
}

/** A cursor leads on only: this remembers from which page each was reached, for the way back. */
export function cursorTrail() {
  const reachedFrom = new Map<string, string | undefined>();
  return {
    on(place: PagePlace, cursor: string): PagePlace {
      reachedFrom.set(cursor, place.after);
      return { page: place.page + 1, after: cursor };
    },
    /** The page before; the first one where this page was reached by its address. */
    back({ page, after }: PagePlace): PagePlace {
      return after !== undefined && reachedFrom.has(after)
        ? { page: page - 1, after: reachedFrom.get(after) }
        : { page: 1, after: undefined };
    },
  };
}
