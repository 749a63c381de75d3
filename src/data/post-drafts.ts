import { requireSession, signInAddress } from '../../netlify/server/auth/sessions.ts';
import { sharedPreview } from '../../netlify/server/auth/shared-preview.ts';
import { openDatabase } from '../../netlify/server/platform/open-database.ts';
import { Refusal } from '../../netlify/server/runtime/refusal.ts';
import { logError } from '../../netlify/server/runtime/log.ts';
import { postDraftStore } from '../../netlify/server/stores/post-drafts.ts';
import { postStore } from '../../netlify/server/stores/posts.ts';
import { shareLinkStore } from '../../netlify/server/stores/share-links.ts';
import { sessionStore } from '../../netlify/server/auth/store.ts';
import { draftKey } from '../domain/post-draft.ts';
import type { PublicPost } from '../domain/post.ts';
import { shownDate } from '../domain/post-text.ts';
import { isPictureAddress } from '../domain/web-address.ts';

interface PreviewedPost extends Pick<PublicPost, 'title' | 'content' | 'excerpt' | 'featuredImage'> {
  readonly date: string;
  readonly updatedAt: string | null;
}

interface Preview {
  readonly post: PreviewedPost;
  /** When the draft or the post was saved; ISO 8601, UTC. */
  readonly savedAt: string;
  /** When the share link expires; null for a signed-in admin, who uses no link. */
  readonly sharedUntil: Date | null;
}

/**
 * Reads a draft for its author, or for a person with an active share link (`?share=`). If the author has no draft of the
 * post, or with `?saved`, reads the saved post.
 * @param key the draft's key. A share link contains its own key, because the key changes when a new post is saved.
 * @param context the context of the request, from Netlify or the self-hosted server.
 * @returns the draft or the post, or the URL of the sign-in page for a visitor without a link. "nothing" if there is no
 *   such text or the link is invalid, "no answer" if the database could not be read.
 */
export async function postForPreview(
  key: string,
  request: Request,
  context: Parameters<typeof openDatabase>[0],
): Promise<Preview | { signIn: string } | 'nothing' | 'no answer'> {
  if (!draftKey.safeParse(key).success) return 'nothing';
  const pathname = `/blog/preview/${key}`;
  const query = new URL(request.url).searchParams;
  const token = query.get('share');
  try {
    const { env, database } = await openDatabase(context);
    const stores = { sessions: sessionStore(database), shareLinks: shareLinkStore(database) };
    const services = { env, now: () => new Date(), stores };
    const shared = token === null ? null : await sharedPreview(token, services);
    if (token !== null && shared === null) return 'nothing';
    const { email } = shared ?? (await requireSession(request, services));
    const of = shared?.key ?? key;
    const sharedUntil = shared?.until ?? null;
    const draft = query.has('saved') ? null : await postDraftStore(database).preview(email, of);
    if (draft) return { post: asPost(draft), savedAt: draft.updatedAt, sharedUntil };
    const post = await postStore(database).preview(of);
    return post ? { post: { ...post, date: shownDate(post) }, savedAt: post.updatedAt, sharedUntil } : 'nothing';
  } catch (error) {
    if (error instanceof Refusal) return { signIn: signInAddress(pathname) };
    logError('a preview could not be read', {}, error);
    return 'no answer';
  }
}

type Draft = NonNullable<Awaited<ReturnType<ReturnType<typeof postDraftStore>['preview']>>>;

function asPost({ title, html, excerpt, featuredImage, updatedAt }: Draft): PreviewedPost {
  const picture = featuredImage.trim();
  return {
    title: title.trim() || 'Untitled',
    content: html,
    excerpt: excerpt.trim() || null,
    featuredImage: isPictureAddress(picture) ? picture : null,
    date: updatedAt,
    updatedAt: null,
  };
}
