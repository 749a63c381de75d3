import { type ReactNode, useSyncExternalStore } from 'react';

let shown: ReactNode = null;
const listeners = new Set<() => void>();

/** Shows a node in the dashboard's {@link LiveState}. Replaces the previous node. */
export function showLiveState(node: ReactNode): void {
  shown = node;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Says whether visitors already see the last saved change. watch.tsx provides the content, and loads after the first
 * save.
 */
export function LiveState() {
  const node = useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
  return (
    <div role="status" className="sticky top-0 z-1">
      {node}
    </div>
  );
}
