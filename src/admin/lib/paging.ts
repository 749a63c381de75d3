import { defaultPageSize } from '../../domain/paging.ts';
import { numberText } from '../../domain/number-words.ts';

/** Returns a list's query as a URL query, without empty values. */
export function listSearch(query: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  return `?${parameters}`;
}

interface ShownRows {
  /** Starts at 1. */
  readonly page: number;
  readonly rows: number;
  /** The number of rows of all pages, if it is known. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  /** The text if there are no rows. */
  readonly none: string;
}

/** Returns the range of the visible rows, such as `51–100 of 3,412`. */
export function rangeText({ page, rows, total, hasMore, none }: ShownRows): string {
  const first = (page - 1) * defaultPageSize + 1;
  const last = first + rows - 1;
  const whole = total ?? (hasMore ? undefined : last);
  if (rows === 0) return none;
  const range = `${numberText(first)}–${numberText(last)}`;
  return whole === undefined
    ? `${range} of more than ${numberText(last)}`
    : `${range} of ${numberText(Math.max(whole, last))}`;
}

/** A position in a list that is paginated with cursors. */
export interface PagePosition {
  /** Starts at 1. Only for display, because the cursor determines the rows. */
  readonly page: number;
  /** The cursor at which the page begins; undefined on the first page. */
  readonly after: string | undefined;
}

/**
 * Creates a record of the visited pages. The API returns only the cursor of the next page, so the record maps each
 * visited page's cursor to the cursor of the page before.
 */
export function cursorTrail() {
  const reachedFrom = new Map<string, string | undefined>();
  return {
    next({ page, after }: PagePosition, cursor: string): PagePosition {
      reachedFrom.set(cursor, after);
      return { page: page + 1, after: cursor };
    },
    /** Returns the previous page. If the current page was opened by its URL, returns the first page. */
    previous({ page, after }: PagePosition): PagePosition {
      return after !== undefined && reachedFrom.has(after)
        ? { page: page - 1, after: reachedFrom.get(after) }
        : { page: 1, after: undefined };
    },
  };
}
