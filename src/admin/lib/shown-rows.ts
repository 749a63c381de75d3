import { useDeferredValue } from 'react';
import { defaultPageSize } from '../../domain/paging.ts';

/** As many rows as the skeleton of a list has, so nothing moves when the list replaces the skeleton. */
const firstRows = 12;

/** Returns the number of rows to render: first the rows at the top, then all rows in a low-priority render. */
export function useShownRows(first = firstRows): number {
  return useDeferredValue(defaultPageSize, first);
}
