import * as z from 'zod/mini';
import { apiPaths } from '../../domain/api-paths.ts';
import { keptDays } from '../../domain/submissions/retention.ts';
import {
  type UnsavedKind,
  type UnsavedSummary,
  unsavedKind,
  unsavedList,
  unsavedRecord,
} from '../../domain/unsaved.ts';
import { attempt } from '../../lib/request/attempt.ts';
import { useGet } from '../lib/act.ts';
import { useSession } from '../session/queries.ts';

const prefix = 'unsaved:';

const deviceCopy = z.extend(unsavedRecord, {
  kind: unsavedKind,
  id: z.string(),
  /** When the server stored the text from which these changes started; '' if it had none. */
  was: z._default(z.string(), ''),
  /** The text that was sent last, if the server did not confirm it. The server may have stored it. */
  sent: z._default(z.nullable(unsavedRecord.shape.text), null),
});

/** Unsaved changes that only this browser has, because the server did not get them yet. */
type DeviceCopy = z.infer<typeof deviceCopy>;

type Place = Pick<DeviceCopy, 'kind' | 'id' | 'by'>;

/** Several admins may share a browser, so the name contains the author. */
const nameOnDevice = ({ kind, id, by }: Place) => `${prefix}${kind}/${id}/${by}`;

// Earlier versions of this site stored unsaved text in these databases. This version cannot read them.
attempt(() => ['admin-writing', 'admin-notes'].forEach((name) => indexedDB.deleteDatabase(name)));

/** @returns whether the browser could store the copy. */
export const keepOnDevice = (copy: DeviceCopy): boolean =>
  attempt(() => {
    localStorage.setItem(nameOnDevice(copy), JSON.stringify(copy));
    return true;
  }) ?? false;

export function dropFromDevice(place: Place): true {
  attempt(() => localStorage.removeItem(nameOnDevice(place)));
  return true;
}

/** Deletes this browser's copies of the chosen records, including the copies of other admins. */
export function dropDeviceCopies(isChosen: (record: { kind: string; id: string }) => boolean): void {
  attempt(() => {
    for (const name of Object.keys(localStorage)) {
      const [, kind = '', id = ''] = /^unsaved:([^/]+)\/([^/]+)\//.exec(name) ?? [];
      if (kind && isChosen({ kind, id })) localStorage.removeItem(name);
    }
  });
}

/** Returns an admin's copies in this browser. Deletes copies that are too old or unreadable. */
export function deviceCopies(by: string): DeviceCopy[] {
  const oldest = new Date(Date.now() - keptDays.unsaved * 86_400_000).toISOString();
  const copies = attempt(() =>
    Object.keys(localStorage).flatMap((name) => {
      if (!name.startsWith(prefix)) return [];
      const copy = deviceCopy.safeParse(attempt(() => JSON.parse(localStorage.getItem(name) ?? '') as unknown));
      if (!copy.success || copy.data.updatedAt < oldest) localStorage.removeItem(name);
      return copy.success && copy.data.by === by ? [copy.data] : [];
    }),
  );
  return copies ?? [];
}

export const unsavedKey = [apiPaths.allUnsaved] as const;

/** Lists the unsaved changes of one kind: those of all admins on the server, and the admin's own in this browser. */
export function useUnsavedList(kind: UnsavedKind): readonly (UnsavedSummary & { readonly own: boolean })[] {
  const by = useSession().data?.user.email ?? '';
  const onServer = useGet([], apiPaths.allUnsaved, unsavedList).data?.data ?? [];
  const here = deviceCopies(by).map(({ text, ...copy }) => ({ ...copy, title: text['title'] ?? '' }));
  const others = onServer.filter((one) => !here.some(({ id }) => id === one.id && one.by === by));
  return [...here, ...others].filter((one) => one.kind === kind).map((one) => ({ ...one, own: one.by === by }));
}

/** Names the admins who have unsaved changes of a record; '' if there are none. */
export function writersOf(unsaved: ReturnType<typeof useUnsavedList>, id: string): string {
  const changes = unsaved.filter((one) => one.id === id);
  return changes.map(({ own, by }) => (own ? 'you' : by)).join(', ');
}
