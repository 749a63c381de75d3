import { apiPaths } from '../../../src/domain/api-paths.ts';
import { keptDays } from '../../../src/domain/retention.ts';
import {
  unsavedAnswer,
  unsavedId,
  unsavedInput,
  unsavedKind,
  unsavedList,
  unsavedReceipt,
} from '../../../src/domain/unsaved.ts';
import { on, patternOf } from '../http/endpoint.ts';
import { notFound } from '../refusal.ts';
import type { Edited } from './store.ts';

/** The largest request body in bytes. A character can take three bytes, and JSON escapes some characters. */
const bodyLimit = 4 * 1024 * 1024;

function editedOf(params: Readonly<Record<string, string>>): Edited {
  const [kind, id] = [unsavedKind.safeParse(params.kind), unsavedId.safeParse(params.id)];
  if (!kind.success || !id.success) throw notFound('This record');
  return { kind: kind.data, id: id.data };
}

const one = patternOf(apiPaths.unsaved, ':kind', ':id');

export const unsavedRoutes = [
  on('GET', apiPaths.allUnsaved, {
    summary: 'The unsaved changes of all admins, newest first, without their text.',
    output: unsavedList,
    run: async ({ services: { stores } }) => ({ data: await stores.unsaved.list() }),
  }),
  on('GET', one, {
    summary: "The signed-in admin's unsaved changes to a post, home text or note, else another admin's latest ones.",
    output: unsavedAnswer,
    run: async ({ params, session, services: { stores } }) => ({
      data: await stores.unsaved.get(session.email, editedOf(params)),
    }),
  }),
  on('PUT', one, {
    summary: `Stores unsaved changes for ${keptDays.unsaved} days. The post, home text or note does not change.`,
    input: unsavedInput,
    output: unsavedReceipt,
    bodyLimit,
    run: async ({ params, input, session, services: { stores, now } }) => {
      const updatedAt = now().toISOString();
      await stores.unsaved.put(editedOf(params), { ...input, by: session.email, updatedAt });
      return { data: { updatedAt } };
    },
  }),
  on('DELETE', one, {
    summary: 'Deletes unsaved changes that were saved or discarded.',
    run: async ({ params, session, services: { stores } }) => {
      await stores.unsaved.remove(session.email, editedOf(params));
    },
  }),
];
