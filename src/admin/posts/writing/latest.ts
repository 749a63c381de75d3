import type * as z from 'zod/mini';
import { useGet } from '../../lib/act.ts';

export const latestKey = ['posts', 'latest'] as const;

/**
 * Reads something about a post from the API, and never from the cache, so editing starts from the latest version.
 * @param keep shows the former data while the data of another path loads.
 */
export function useLatest<T>(path: string | null, schema: z.core.$ZodType<{ data: T }>, keep = false) {
  return useGet(latestKey, path ?? '', schema, {
    select: ({ data }) => data,
    enabled: path !== null,
    staleTime: 0,
    gcTime: 0,
    placeholderData: (before) => (keep ? before : undefined),
  });
}
