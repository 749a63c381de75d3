import { useDeferredValue } from 'react';
import { defaultPageSize } from '../../domain/paging.ts';

/** The number of rows that fill a tall screen. */
const firstRows = 24;

/** Returns the number of rows to render: first those that fill a screen, and all rows when the browser is idle. */
export function useShownRows(): number {
  return useDeferredValue(defaultPageSize, firstRows);
}
