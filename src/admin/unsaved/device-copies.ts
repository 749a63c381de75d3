import * as z from 'zod/mini';
import { keptDays } from '../../domain/retention.ts';
import { unsavedKind, unsavedRecord } from '../../domain/unsaved.ts';

const prefix = 'unsaved:';

const deviceCopy = z.extend(unsavedRecord, { kind: unsavedKind, id: z.string() });

/** Unsaved changes that only this browser has, because the server did not get them yet. */
export type DeviceCopy = z.infer<typeof deviceCopy>;

type Place = Pick<DeviceCopy, 'kind' | 'id' | 'by'>;

/** Several admins may share a browser, so the name contains the author. */
const nameOf = ({ kind, id, by }: Place) => `${prefix}${kind}/${id}/${by}`;

/** Stores a copy in this browser. @returns false if the browser has no storage, or the storage is full. */
export function keepOnDevice(copy: DeviceCopy): boolean {
  try {
    localStorage.setItem(nameOf(copy), JSON.stringify(copy));
    return true;
  } catch {
    return false;
  }
}

export function dropFromDevice(place: Place): void {
  try {
    localStorage.removeItem(nameOf(place));
  } catch {
    // A browser that blocks storage has no copy.
  }
}

/** Returns an admin's copies in this browser. Deletes copies that are too old. */
export function deviceCopies(by: string): DeviceCopy[] {
  try {
    const oldest = new Date(Date.now() - keptDays.unsaved * 86_400_000).toISOString();
    const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix));
    return names.flatMap((name) => {
      const copy = deviceCopy.safeParse(jsonOf(localStorage.getItem(name)));
      if (!copy.success || copy.data.updatedAt < oldest) localStorage.removeItem(name);
      return copy.success && copy.data.by === by ? [copy.data] : [];
    });
  } catch {
    return [];
  }
}

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Deletes all copies in this browser that fit, whoever wrote them. */
export function dropDeviceCopies(fits: (place: { kind: string; id: string }) => boolean): void {
  try {
    for (const name of Object.keys(localStorage)) {
      const [, kind = '', id = ''] = /^unsaved:([^/]+)\/([^/]+)\//.exec(name) ?? [];
      if (kind && fits({ kind, id })) localStorage.removeItem(name);
    }
  } catch {
    // A browser that blocks storage has no copies.
  }
}
