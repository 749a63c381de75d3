import { requireSession } from '../../netlify/server/auth/sessions.ts';
import { signInAddress } from '../../netlify/server/auth/sign-in-page.ts';
import { sharedPreview } from '../../netlify/server/auth/shared-preview.ts';
import { openDatabase } from '../../netlify/server/db/open.ts';
import { Refusal } from '../../netlify/server/http/refusal.ts';
import { logError } from '../../netlify/server/log.ts';
import { postDraftStore } from '../../netlify/server/stores/post-drafts.ts';
import { shareLinkStore } from '../../netlify/server/stores/share-links.ts';
import { sessionStore } from '../../netlify/server/stores/sessions.ts';
import { type PostDraftRecord, draftKey } from '../domain/post-draft.ts';

interface Preview {
  /** With the HTML that its preview shows. */
  readonly draft: PostDraftRecord & { html: string };
  /** The end of the share link; null for the writer. */
  readonly sharedUntil: Date | null;
}

/**
 * A draft for the admin who writes it, or for people who have an active link to it (`?share=`).
 * @param context Netlify's, or the host's.
 * @returns the draft, where to sign in first, or that there is nothing to show.
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
