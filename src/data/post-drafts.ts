import { requireSession } from '../../netlify/server/auth/sessions.ts';
import { signInAddress } from '../../netlify/server/auth/sign-in-page.ts';
import { openDatabase } from '../../netlify/server/db/open.ts';
import { Refusal } from '../../netlify/server/http/refusal.ts';
import { postDraftStore } from '../../netlify/server/stores/post-drafts.ts';
import { sessionStore } from '../../netlify/server/stores/sessions.ts';
import type { PostDraftRecord } from '../domain/post-draft.ts';

/** A draft with the HTML that its preview shows. */
type Preview = PostDraftRecord & { html: string };

/**
 * A draft of the admin who asks for its preview.
 * @param context Netlify's, or the host's.
 * @returns the draft, null where they have none of this key, or where to sign in first.
 */
export async function draftForPreview(
  key: string,
  request: Request,
  context: Parameters<typeof openDatabase>[0],
): Promise<Preview | { signIn: string } | null> {
  const { env, database } = await openDatabase(context);
  try {
    const stores = { sessions: sessionStore(database) };
    const { email } = await requireSession(request, { env, now: () => new Date(), stores });
    return await postDraftStore(database).preview(email, key);
  } catch (error) {
    if (error instanceof Refusal) return { signIn: signInAddress(new URL(request.url).pathname) };
    throw error;
  }
}
