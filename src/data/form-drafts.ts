import { openDatabase } from '../../netlify/server/db/open.ts';
import { type FormDraft, formDraftStore } from '../../netlify/server/stores/form-drafts.ts';

/**
 * What a form without scripts sent and was refused for, read while a page is rendered on request.
 * @param context Netlify's, or the host's.
 * @returns null where there is none, it has expired, or the database does not answer.
 */
export async function formDraft(
  id: string | null,
  context: Parameters<typeof openDatabase>[0],
): Promise<FormDraft | null> {
  if (id === null) return null;
  try {
    const { database } = await openDatabase(context);
    return await formDraftStore(database).get(id, new Date().toISOString());
  } catch {
    return null;
  }
}
