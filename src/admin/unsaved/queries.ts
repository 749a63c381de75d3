import { useQuery } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { type UnsavedKind, type UnsavedSummary, unsavedList } from '../../domain/unsaved.ts';
import { useRequest } from '../lib/signed-in-request.ts';
import { useSession } from '../session/queries.ts';
import { deviceCopies } from './device-copies.ts';

export const unsavedKey = ['unsaved'] as const;

/** Lists the unsaved changes of one kind: those of all admins on the server, and the admin's own in this browser. */
export function useUnsavedList(kind: UnsavedKind): readonly (UnsavedSummary & { readonly own: boolean })[] {
  const send = useRequest();
  const by = useSession().data?.user.email ?? '';
  const { data } = useQuery({
    queryKey: unsavedKey,
    queryFn: async ({ signal }) => (await send(apiPaths.allUnsaved, { schema: unsavedList, signal })).data,
  });
  const here = deviceCopies(by).map(({ text, ...copy }) => ({ ...copy, title: text['title'] ?? '' }));
  const onServer = (data ?? []).filter((one) => !here.some(({ id }) => id === one.id && one.by === by));
  return [...here, ...onServer].filter((one) => one.kind === kind).map((one) => ({ ...one, own: one.by === by }));
}
