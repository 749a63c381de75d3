import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';

interface AdminShellProps {
  /** The page's own store of answers. */
  client: QueryClient;
  children: ReactNode;
}

/** What every page of the admin stands in: its store of answers, which no page that the browser kept shows again. */
export function AdminShell({ client, children }: AdminShellProps) {
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
