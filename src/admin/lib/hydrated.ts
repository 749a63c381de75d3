import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Whether React has hydrated the page; false in the server's HTML and during hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
