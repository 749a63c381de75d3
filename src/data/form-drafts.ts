import { openDatabase } from '../../netlify/server/platform/open-database.ts';
import { type FormDraft, formDraftStore } from '../../netlify/server/stores/form-drafts.ts';

/**
 * Reads the draft that the server stores if it rejects a form sent without JavaScript: the form's values and errors.
 * @param context the context of the request, from Netlify or the self-hosted server.
 * @returns null if the draft does not exist or has expired, or if the database is unavailable.
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

/** Returns the texts of the page that shows a rejected form again. */
export function reviewTexts(draft: FormDraft | null) {
  return draft
    ? {
        title: 'Please check what you entered.',
        status: 'Nothing has been sent yet.',
        advice: 'Everything you typed is in the form. Each field that you need to correct has a note.',
      }
    : {
        title: 'This form has expired.',
        status: 'Nothing has been sent.',
        advice: 'We keep an unsent form for one hour. Please fill in the form again.',
      };
}
