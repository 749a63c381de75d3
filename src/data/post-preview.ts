import { requireSession, signInAddress } from '../../netlify/server/auth/sessions.ts';
import { sessionStore } from '../../netlify/server/auth/store.ts';
import type { Database } from '../../netlify/server/db/database.ts';
import { openDatabase } from '../../netlify/server/db/open.ts';
import { sanitizedPost } from '../../netlify/server/posts/post-html.ts';
import { shareLinkStore } from '../../netlify/server/posts/share-links.ts';
import { postStore } from '../../netlify/server/posts/store.ts';
import { Refusal } from '../../netlify/server/refusal.ts';
import { logError } from '../../netlify/server/log.ts';
import { withCurrentFiles } from '../../netlify/server/files/file-versions.ts';
import { unsavedStore } from '../../netlify/server/unsaved/store.ts';
import { type UnsavedRecord, unsavedId } from '../domain/unsaved.ts';
import { contentProblem } from '../domain/posts/post-input.ts';
import type { PublicPost } from '../domain/posts/post.ts';
import { shownDate } from '../domain/posts/post-text.ts';
import { isPictureAddress } from '../domain/text/web-address.ts';

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
 * Reads the unsaved text of a post for its author, or for a person with an active share link. If there is no unsaved
 * text, or with `?saved`, reads the saved post.
 * @param key the id of the post, or of the unsaved text while the post is new; or the token of a share link.
 * @param context the context of the request, from Netlify or the self-hosted server.
 * @returns the text or the post, or the URL of the sign-in page for a visitor without a link. "nothing" if there is no
 *   such text or the link is invalid, "no answer" if the database could not be read.
 */
export async function postForPreview(
  key: string,
  request: Request,
  context: Parameters<typeof openDatabase>[0],
): Promise<Preview | { signIn: string } | 'nothing' | 'no answer'> {
  const isToken = !unsavedId.safeParse(key).success;
  try {
    const { env, database } = await openDatabase(context);
    const services = { env, now: () => new Date(), stores: { sessions: sessionStore(database) } };
    const shared = isToken ? await shareLinkStore(database, services).open(key) : null;
    if (isToken && shared === null) return 'nothing';
    const { email } = shared ?? (await requireSession(request, services));
    const id = shared?.key ?? key;
    const sharedUntil = shared && new Date(shared.expiresAt);
    const onlySaved = new URL(request.url).searchParams.has('saved');
    const draft = onlySaved ? null : await unsavedStore(database).ofAuthor(email, { kind: 'post', id });
    if (draft) return { post: await asPost(draft, database), savedAt: draft.updatedAt, sharedUntil };
    const post = await postStore(database).preview(id);
    return post ? { post: { ...post, date: shownDate(post) }, savedAt: post.updatedAt, sharedUntil } : 'nothing';
  } catch (error) {
    if (error instanceof Refusal) return { signIn: signInAddress(`/blog/preview/${key}`) };
    logError('a preview could not be read', {}, error);
    return 'no answer';
  }
}

/** Returns unsaved text as the saved post would look. */
async function asPost({ text, updatedAt }: UnsavedRecord, database: Database): Promise<PreviewedPost> {
  const { title = '', content = '', excerpt = '', featuredImage = '' } = text;
  const problem = contentProblem(content);
  const picture = featuredImage.trim();
  const post = {
    title: title.trim() || 'Untitled',
    content: problem === null ? await sanitizedPost(content) : `<p>${problem}</p>`,
    excerpt: excerpt.trim() || null,
    featuredImage: isPictureAddress(picture) ? picture : null,
    date: updatedAt,
    updatedAt: null,
  };
  const [shown] = await withCurrentFiles(database, [post]);
  return shown ?? post;
}
