import { useQuery } from '@tanstack/react-query';
import type { ZodMiniType } from 'zod/mini';
import { type ActOptions, useAct } from '../lib/act.ts';
import { type Request, useRequest } from '../lib/signed-in-request.ts';

/** The first part of the key of every panel's data. */
export const settingsKey = ['settings'] as const;

/** Fetches the data of a panel each time the panel opens, because the data may have changed in another browser. */
export function usePanel<T>(path: string, schema: ZodMiniType<T>) {
  const send = useRequest();
  return useQuery({
    queryKey: [...settingsKey, path],
    queryFn: ({ signal }) => send(path, { schema, signal }),
    refetchOnMount: 'always',
  });
}

/** Changes a setting, and then fetches the data of all panels again, because the activity log changes as well. */
export function useChange<Input = void, T = unknown>(
  change: (send: Request, input: Input) => Promise<T>,
  options: Omit<ActOptions<Input, T>, 'refresh'> = {},
) {
  return useAct(change, { ...options, refresh: settingsKey });
}
