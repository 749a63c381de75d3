import { requireSession } from '../../netlify/server/auth/sessions.ts';
import { signInAddress } from '../../netlify/server/auth/sign-in-page.ts';
import { sharedPreview } from '../../netlify/server/auth/shared-preview.ts';
import { openDatabase } from '../../netlify/server/platform/open-database.ts';
import { Refusal } from '../../netlify/server/runtime/refusal.ts';
import { logError } from '../../netlify/server/runtime/log.ts';
import { postDraftStore } from '../../netlify/server/stores/post-drafts.ts';
import { shareLinkStore } from '../../netlify/server/stores/share-links.ts';
import { sessionStore } from '../../netlify/server/stores/sessions.ts';
import { type PostDraftRecord, draftKey } from '../domain/post-draft.ts';

interface Preview {
  /** `html` is the sanitized content for the preview. */
  readonly draft: PostDraftRecord & { html: string };
  /** When the share link expires; null if the draft's author is signed in and uses no link. */
  readonly sharedUntil: Date | null;
}

/**
 * Reads a draft for its author, or for a person with an active share link (`?share=`).
 * @param context the context of the request, from Netlify or the self-hosted server.
 * @returns the draft, or the URL of the sign-in page for a visitor without a link. "nothing" if the draft or the link
 *   is invalid, "no answer" if the database could not be read.
 */
export async function draftForPreview(
  key: string,
  request: Request,
  context: Parameters<typeof openDatabase>[0],
): Promise<Preview | { signIn: string } | 'nothing' | 'no answer'> {
  if (!draftKey.safeParse(key).success) return 'nothing';
  const pathname = `/blog/preview/${key}`;
  const token = new URL(request.url).searchParams.get('share');
  try {
    const { env, database } = await openDatabase(context);
    const stores = { sessions: sessionStore(database), shareLinks: shareLinkStore(database) };
    const services = { env, now: () => new Date(), stores };
    const shared = token === null ? null : await sharedPreview(token, key, services);
    if (token !== null && shared === null) return 'nothing';
    const { email } = shared ?? (await requireSession(request, services));
    const draft = await postDraftStore(database).preview(email, key);
    if (!draft) return 'nothing';
    return { draft, sharedUntil: shared?.until ?? null };
  } catch (error) {
    if (error instanceof Refusal) return { signIn: signInAddress(pathname) };
    logError('a draft could not be read', {}, error);
    return 'no answer';
  }
}
