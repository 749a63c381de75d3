import type * as watch from './watch.tsx';

/**
 * Loads the code that checks public pages, and starts a check. If the code cannot be loaded, no status is shown; the
 * change is saved anyway.
 */
export function withWatch(begin: (module: typeof watch) => void): void {
  void import('./watch.tsx').then(begin, () => undefined);
}
