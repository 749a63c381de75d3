import { QueryClient } from '@tanstack/react-query';

/** Data-fetch defaults: never stale, no refocus refetch, no polling, no retries (spec §9). */
export function adminQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        refetchInterval: false,
        retry: false,
        // Otherwise a request made offline waits without a word; the person is to see that it failed.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
