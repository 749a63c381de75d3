import { postFields, postStatusNames, slugOf } from '../../domain/post-input.ts';
import type { PostRecord, PostVersion } from '../../domain/post.ts';
import { scheduleOf } from '../../domain/post-text.ts';
import { zonedTimeText } from '../../lib/dates.ts';

/** The values of the form while a post is being written. The values may be incomplete or invalid. */
export type PostForm = Readonly<
  Record<'title' | 'slug' | 'content' | 'excerpt' | 'featuredImage' | 'publishAt', string> & {
    status: PostRecord['status'];
  }
>;

export const emptyForm: PostForm = {
  title: '',
  slug: '',
  content: '',
  excerpt: '',
  featuredImage: '',
  status: 'draft',
  /** When the site publishes a draft: ISO 8601, UTC; '' for never. */
  publishAt: '',
};

/** Returns the form values of a saved post. */
export function formOf(post: PostRecord): PostForm {
  return { ...writingIn(post), status: post.status, publishAt: post.publishAt ?? '' };
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

/**
 * Returns an error for each field that prevents saving, in the order of the form.
 * @param lacksTime the post is scheduled, but its time is empty or incomplete.
 */
export function problemsIn({ title, slug, content }: PostForm, lacksTime: boolean): Record<string, string> {
  const nothingIn = (html: string) => !/<img\b/i.test(html) && html.replace(/<[^<>]*>|&nbsp;|\s/g, '') === '';
  const missing = [
    ...(title.trim() === '' ? (['title'] as const) : []),
    ...(slug.trim() === '' ? (['slug'] as const) : []),
    ...(nothingIn(content) ? (['content'] as const) : []),
  ];
  if (missing.length === 0 && lacksTime) return { publishAt: 'Please enter the date and the time.' };
  return Object.fromEntries(missing.map((field) => [field, postFields[field].message]));
}

/** Returns a whole post as lines of text: first the fields, then the content. */
export function linesOfPost(form: PostForm): string[] {
  return [
    `${postFields.title.label}: ${form.title}`,
    `URL: /blog/${form.slug}`,
    `${postFields.status.label}: ${statusOf(form)}`,
    ...(form.excerpt ? [`${postFields.excerpt.label}: ${form.excerpt}`] : []),
    ...(form.featuredImage ? [`${postFields.featuredImage.label}: ${form.featuredImage}`] : []),
    ...linesOf(form.content),
  ];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': '’', nbsp: ' ' };

/** Converts HTML to plain text with one line for each block. An image becomes a line with its description. */
function linesOf(html: string): string[] {
  return html
    .replace(/<img\b[^<>]*>/gi, (tag) => `\n[Picture: ${/\balt="([^"]*)"/i.exec(tag)?.[1] || 'no description'}]\n`)
    .replace(/(?:<\/p>\s*)?<\/t[dh]>\s*(?=<t[dh]\b)/gi, ' | ')
    .replace(/<li\b[^<>]*>/gi, '\n• ')
    .replace(/<\/(p|h[1-6]|li|blockquote|pre|tr|div|figcaption)>|<(br|hr)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => /[^\s•|]/.test(line));
}

function statusOf(form: PostForm): string {
  if (form.status === 'published') return postStatusNames.published;
  const schedule = scheduleOf(form);
  return schedule === null ? postStatusNames.draft : `${postStatusNames.scheduled} for ${zonedTimeText(schedule)}`;
}

/** Returns how many pictures of a post have no description and are not marked as decorative. */
export function undescribedPictures(html: string): number {
  const pictures = html.match(/<img\b[^<>]*>/gi) ?? [];
  const described = (tag: string) => /\balt="([^"]*)"/i.exec(tag)?.[1]?.trim() || /\brole="presentation"/i.test(tag);
  return pictures.filter((tag) => !described(tag)).length;
}
