import { postFields, postStatusNames, slugOf } from '../../../domain/posts/post-input.ts';
import type { PostRecord, PostVersion } from '../../../domain/posts/post.ts';
import { textOfHtml } from '../../../domain/text/text.ts';
import { zonedTimeText } from '../../../lib/dates.ts';

/** The values of the form while a post is being written. The values may be incomplete or invalid. */
export type PostForm = Readonly<
  Record<'title' | 'slug' | 'content' | 'excerpt' | 'featuredImage' | 'publishAt', string> & {
    status: keyof typeof postStatusNames;
  }
>;

export const emptyForm: PostForm = {
  title: '',
  slug: '',
  content: '',
  excerpt: '',
  featuredImage: '',
  status: 'draft',
  /** When the site publishes a scheduled post: ISO 8601, UTC; '' while the time is empty or incomplete. */
  publishAt: '',
};

/** Returns the form values of a saved post. */
export function formOf(post: PostRecord): PostForm {
  return { ...writingIn(post), status: post.publishAt ? 'scheduled' : post.status, publishAt: post.publishAt ?? '' };
}

/** Replaces the form's text with the text of a version. The status and the schedule of the form stay. */
export function withVersion(form: PostForm, version: PostVersion): PostForm {
  return { ...form, ...writingIn(version) };
}

function writingIn({ title, slug, content, excerpt, featuredImage }: PostRecord | PostVersion) {
  return { title, slug, content, excerpt: excerpt ?? '', featuredImage: featuredImage ?? '' };
}

/**
 * Adds the slug to a change of a new post's title. The slug follows the title until an admin edits the slug, and again
 * while the slug is empty.
 */
export function withSlug({ title, slug }: PostForm, change: Partial<PostForm>): Partial<PostForm> {
  const follows = change.title !== undefined && (slug === '' || slug === slugOf(title));
  return follows ? { slug: slugOf(change.title), ...change } : change;
}

/** Returns an error for each field that prevents saving, in the order of the form. */
export function problemsIn({ title, slug, content, status, publishAt }: PostForm): Record<string, string> {
  const nothingIn = (html: string) => !/<img\b/i.test(html) && html.replace(/<[^<>]*>|&nbsp;|\s/g, '') === '';
  const missing = [
    ...(title.trim() === '' ? (['title'] as const) : []),
    ...(slug.trim() === '' ? (['slug'] as const) : []),
    ...(nothingIn(content) ? (['content'] as const) : []),
  ];
  const lacksTime = status === 'scheduled' && publishAt === '';
  if (missing.length === 0 && lacksTime) return { publishAt: 'Please enter the date and the time.' };
  return Object.fromEntries(missing.map((field) => [field, postFields[field].message]));
}

/**
 * Says what saving the form does: who can read the post, and when.
 * @param wasPublished whether visitors can see the saved post.
 * @param keepsDate whether saving keeps the date of a published post.
 */
export function outcomeOf({ status, publishAt }: PostForm, wasPublished: boolean, keepsDate: boolean): string {
  if (status === 'published' && wasPublished) {
    return `Visitors can read this post. Saving updates the text and ${keepsDate ? 'keeps the date' : 'sets the post’s date to today'}.`;
  }
  if (status === 'published') {
    return publishAt === ''
      ? 'Everyone can read the post as soon as you save it.'
      : `Saving publishes the post now, not on ${zonedTimeText(publishAt)}.`;
  }
  if (status === 'scheduled') {
    if (publishAt === '') return 'Enter the date and time when the site should publish the post.';
    if (Date.parse(publishAt) < Date.now()) return 'This time has passed. Choose a later time.';
    const offUntil = wasPublished ? ' Until then, the post is off the blog.' : '';
    return `The site will publish the post on ${zonedTimeText(publishAt)}.${offUntil}`;
  }
  return wasPublished
    ? 'Saving takes the post off the blog.'
    : 'Only admins, and people with a share link, can read the post.';
}

/** Returns a whole post as lines of text: first the fields, then the content. */
export function linesOfPost({ title, slug, status, publishAt, excerpt, featuredImage, content }: PostForm): string[] {
  const time = status === 'scheduled' && publishAt ? ` for ${zonedTimeText(publishAt)}` : '';
  return [
    `${postFields.title.label}: ${title}`,
    `Slug: ${slug}`,
    `${postFields.status.label}: ${postStatusNames[status]}${time}`,
    ...(excerpt ? [`${postFields.excerpt.label}: ${excerpt}`] : []),
    ...(featuredImage ? [`${postFields.featuredImage.label}: ${featuredImage}`] : []),
    ...linesOf(content),
  ];
}

/** Converts HTML to plain text with one line for each block. An image becomes a line with its description. */
function linesOf(html: string): string[] {
  return html
    .replace(/<img\b[^<>]*>/gi, (tag) => `\n[Picture: ${/\balt="([^"]*)"/i.exec(tag)?.[1] || 'no description'}]\n`)
    .replace(/(?:<\/p>\s*)?<\/t[dh]>\s*(?=<t[dh]\b)/gi, ' | ')
    .replace(/<li\b[^<>]*>/gi, '\n• ')
    .replace(/<\/(p|h[1-6]|li|blockquote|pre|tr|div|figcaption)>|<(br|hr)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .split('\n')
    .map(textOfHtml)
    .filter((line) => /[^\s•|]/.test(line));
}

/** Returns how many pictures of a post have no description and are not marked as decorative. */
export function undescribedPictures(html: string): number {
  const pictures = html.match(/<img\b[^<>]*>/gi) ?? [];
  const described = (tag: string) => /\balt="([^"]*)"/i.exec(tag)?.[1]?.trim() || /\brole="presentation"/i.test(tag);
  return pictures.filter((tag) => !described(tag)).length;
}
