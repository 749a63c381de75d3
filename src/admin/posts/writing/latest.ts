import { useQuery } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { useRequest } from '../../lib/signed-in-request.ts';

/**
 * Reads something about a post from the API, and never from the cache, so editing starts from the latest version.
 * @param keep shows the former data while the data of another path loads.
 */
export function useLatest<T>(path: string | null, schema: z.core.$ZodType<{ data: T }>, keep = false) {
  const send = useRequest();
  const key = ['posts', 'latest', path];
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await send(path ?? '', { schema, signal })).data,
    enabled: path !== null,
    staleTime: 0,
    gcTime: 0,
    // The types of React Query do not accept a type parameter here.
    placeholderData: (before: unknown) => (keep ? (before as never) : undefined),
  });
  return { ...query, key };
}
