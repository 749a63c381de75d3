import { type UseStore, createStore, del, entries, set } from 'idb-keyval';
import type * as z from 'zod/mini';

/** Drafts that nobody came back to for this long are deleted. */
const keptDays = 90;

interface Draft {
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

interface DeviceDraftsOptions<T> {
  /** The name of the IndexedDB database, and of the object store in it. */
  readonly database: string;
  readonly store: string;
  readonly schema: z.ZodMiniType<T>;
  /** Two drafts of one name replace each other. */
  readonly nameOf: (draft: T) => string;
}

/** Unsaved writing of one kind, as this browser keeps it. */
export function deviceDrafts<T extends Draft>({ database, store: name, schema, nameOf }: DeviceDraftsOptions<T>) {
  let opened: UseStore | undefined;
  const store = (): UseStore => (opened ??= createStore(database, name));

  return {
    /** @throws if the browser stores nothing, or its storage is full. */
    keep: (draft: T): Promise<void> => set(nameOf(draft), draft, store()),

    drop: async (draft: T): Promise<void> => {
      try {
        await del(nameOf(draft), store());
      } catch {
        // A draft that stays is offered once more, which does no harm.
      }
    },

    /** All that this browser keeps; nothing if it stores nothing. */
    all: async (): Promise<T[]> => {
      const found: T[] = [];
      const oldest = new Date(Date.now() - keptDays * 86_400_000).toISOString();
      try {
        for (const [key, value] of await entries<string, unknown>(store())) {
          const draft = schema.safeParse(value);
          // A draft of another version of this app, or an old one.
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
