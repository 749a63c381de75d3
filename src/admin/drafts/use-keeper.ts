import { useEffect, useState, useSyncExternalStore } from 'react';
import { type KeeperOptions, keeper } from './keeper.ts';

/** A keeper for as long as the component lives. The browser asks before it leaves a page whose latest words are kept nowhere. */
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
      // The browser's Back may have removed the component: what is written still goes to the server.
      void keep.flush();
    };
  }, [keep]);

  return { keep, keeping };
}
