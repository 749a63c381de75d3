import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { adminQueryClient } from './query-client.ts';

/** What every page of the admin stands in: its own store of answers, which no page that the browser kept shows again. */
export function AdminShell({ children }: { children: ReactNode }) {
  const [client] = useState(adminQueryClient);

  useEffect(() => {
    // A page that the browser kept whole must not show its data again after the session has ended.
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) window.location.reload();
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
