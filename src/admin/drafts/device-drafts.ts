import { type UseStore, createStore, del, entries, set } from 'idb-keyval';
import type * as z from 'zod/mini';

/** Drafts are deleted this many days after their last change. */
const keptDays = 90;

interface Draft {
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

interface DeviceDraftsOptions<T> {
  /** The name of the IndexedDB database; `store` is the name of its object store. */
  readonly database: string;
  readonly store: string;
  readonly schema: z.ZodMiniType<T>;
  /** Returns the draft's key. A draft replaces an earlier draft with the same key. */
  readonly nameOf: (draft: T) => string;
}

/** Creates a store for unsaved drafts of one kind in this browser's IndexedDB. */
export function deviceDrafts<T extends Draft>({ database, store: name, schema, nameOf }: DeviceDraftsOptions<T>) {
  let opened: UseStore | undefined;
  const store = (): UseStore => (opened ??= createStore(database, name));

  return {
    /** @throws if the browser has no storage, or the storage is full. */
    keep: (draft: T): Promise<void> => set(nameOf(draft), draft, store()),

    drop: async (draft: T): Promise<void> => {
      try {
        await del(nameOf(draft), store());
      } catch {
        // Harmless: the draft stays in the browser, and the admin can discard it again later.
      }
    },

    /** Returns all stored drafts; an empty list if storage is unavailable. */
    all: async (): Promise<T[]> => {
      const found: T[] = [];
      const oldest = new Date(Date.now() - keptDays * 86_400_000).toISOString();
      try {
        for (const [key, value] of await entries<string, unknown>(store())) {
          const draft = schema.safeParse(value);
          // Deletes a draft that is too old, or that another version of this app stored in another format.
          if (!draft.success || draft.data.savedAt < oldest) await del(key, store());
          else found.push(draft.data);
        }
      } catch {
        return [];
      }
      return found;
    },
  };
}
