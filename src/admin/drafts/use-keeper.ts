import { useEffect, useState, useSyncExternalStore } from 'react';
import { type KeeperOptions, keeper } from './keeper.ts';

/**
 * Creates a {@link keeper} for the lifetime of the component. The browser asks for confirmation before the user leaves
 * a page with text that is not stored yet.
 */
export function useKeeper<T>(options: KeeperOptions<T>) {
  const [keep] = useState(() => keeper(options));
  const keeping = useSyncExternalStore(keep.subscribe, keep.state);

  useEffect(() => {
    const online = () => void keep.flush();
    const leave = (event: BeforeUnloadEvent) => {
      if (keep.isAtRisk()) event.preventDefault();
    };
    window.addEventListener('online', online);
    window.addEventListener('beforeunload', leave);
    return () => {
      window.removeEventListener('online', online);
      window.removeEventListener('beforeunload', leave);
      // The Back button may have unmounted the component, so the latest value is sent to the server now.
      void keep.flush();
    };
  }, [keep]);

  return { keep, keeping };
}
