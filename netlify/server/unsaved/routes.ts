import * as z from 'zod/mini';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import { keptDays } from '../../../src/domain/submissions/retention.ts';
import {
  type UnsavedRecord,
  unsavedAnswer,
  unsavedId,
  unsavedInput,
  unsavedKind,
  unsavedList,
  unsavedReceipt,
} from '../../../src/domain/unsaved.ts';
import { on, patternOf } from '../http/endpoint.ts';
import { Refusal, notFound } from '../refusal.ts';
import type { Edited } from './store.ts';

/** The largest request body in bytes. A character can take three bytes, and JSON escapes some characters. */
const bodyLimit = 4 * 1024 * 1024;

function editedOf(params: Readonly<Record<string, string>>): Edited {
  const [kind, id] = [unsavedKind.safeParse(params.kind), unsavedId.safeParse(params.id)];
  if (!kind.success || !id.success) throw notFound('This record');
  return { kind: kind.data, id: id.data };
}

/** When the server stored the changes that a client knows; '' for none. Without it, a request replaces any changes. */
const query = z.object({ was: z.optional(z.string()) });

const errors = { conflict: 'The admin stored other changes after the time in `was`. The response contains them.' };

/** Refuses a request that would replace or delete changes that the admin stored in another tab or on another computer. */
async function refuseUnlessGone(stored: Promise<UnsavedRecord | null>): Promise<void> {
  const current = await stored;
  if (current)
    throw new Refusal('conflict', 'You changed this text in another tab or on another computer.', { current });
}

const one = patternOf(apiPaths.unsaved, ':kind', ':id');

export const unsavedRoutes = [
  on('GET', apiPaths.allUnsaved, {
    summary: 'The unsaved changes of all admins, newest first, without their text',
    output: unsavedList,
    run: async ({ services: { stores } }) => ({ data: await stores.unsaved.list() }),
  }),
  on('GET', one, {
    summary: "The signed-in admin's unsaved changes to a post, section or note, else another admin's latest ones",
    output: unsavedAnswer,
    run: async ({ params, session, services: { stores } }) => ({
      data: await stores.unsaved.get(session.email, editedOf(params)),
    }),
  }),
  on('PUT', one, {
    summary: `Stores unsaved changes for ${keptDays.unsaved} days. The post, section or note does not change`,
    query,
    errors,
    input: unsavedInput,
    output: unsavedReceipt,
    bodyLimit,
    run: async ({ params, query: { was }, input, session, services: { stores, now } }) => {
      const updatedAt = now().toISOString();
      const done = await stores.unsaved.put(editedOf(params), { ...input, by: session.email, updatedAt }, was);
      if (!done) await refuseUnlessGone(stores.unsaved.ofAuthor(session.email, editedOf(params)));
      return { data: { updatedAt } };
    },
  }),
  on('DELETE', one, {
    summary: 'Deletes unsaved changes that were saved or discarded',
    query,
    errors,
    run: async ({ params, query: { was }, session, services: { stores } }) => {
      const done = await stores.unsaved.remove(session.email, editedOf(params), was);
      if (!done) await refuseUnlessGone(stores.unsaved.ofAuthor(session.email, editedOf(params)));
    },
  }),
];
