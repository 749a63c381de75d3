import { type ReactNode, useSyncExternalStore } from 'react';

let shown: ReactNode = null;
const listeners = new Set<() => void>();

/** Shows something in the dashboard's {@link LiveState}, in place of what it showed before. */
export function showLiveState(node: ReactNode): void {
  shown = node;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Whether visitors have the last save. Its words come with the code that looks (watch.tsx), after the first save. */
export function LiveState() {
  const node = useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
  return (
    <div role="status" className="live-state-room">
      {node}
    </div>
  );
}
