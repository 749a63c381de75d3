import { QueryClient } from '@tanstack/react-query';

/**
 * Creates the query client with its defaults: data never becomes stale, and there are no refetches on focus, no polling
 * and no retries (docs/product.md#admin-area).
 */
export function adminQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        retry: false,
        // In the default mode, a request made offline waits silently. With `always`, the request fails and the admin
        // sees the error. Nor are there refetches when the connection returns.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
