import * as z from 'zod/mini';
import { type PostRecord, postStatus } from '../../domain/post.ts';
import { scheduleOf } from '../../domain/post-text.ts';
import type { PostVersion } from '../../domain/post-version.ts';

/** The values of the form while a post is being written. The values may be incomplete or invalid. */
export const postForm = z.object({
  title: z.string(),
  slug: z.string(),
  content: z.string(),
  excerpt: z.string(),
  featuredImage: z.string(),
  status: postStatus,
  /**
   * When the site publishes a draft: ISO 8601, UTC; '' for never. Drafts that an earlier version of this app saved lack
   * this field.
   */
  publishAt: z._default(z.string(), ''),
  keepOriginalDate: z.boolean(),
});

export type PostForm = z.infer<typeof postForm>;

export const emptyForm: PostForm = {
  title: '',
  slug: '',
  content: '',
  excerpt: '',
  featuredImage: '',
  status: 'draft',
  publishAt: '',
  keepOriginalDate: false,
};

/** Returns the form values of a saved post. */
export function formOf(post: PostRecord): PostForm {
  return { ...writingIn(post), status: post.status, publishAt: post.publishAt ?? '', keepOriginalDate: false };
}

/** Replaces the form's text with the text of a version. The status and the schedule of the form stay. */
export function withVersion(form: PostForm, version: PostVersion): PostForm {
  return { ...form, ...writingIn(version) };
}

function writingIn({ title, slug, content, excerpt, featuredImage }: PostRecord | PostVersion) {
  return { title, slug, content, excerpt: excerpt ?? '', featuredImage: featuredImage ?? '' };
}

const words = ['title', 'slug', 'content', 'excerpt', 'featuredImage', 'status'] as const;

/**
 * Whether two forms have the same text, status and schedule. Ignores `keepOriginalDate`, because it is an option for
 * saving and not part of the text.
 */
export function sameWriting(one: PostForm, other: PostForm): boolean {
  return words.every((field) => one[field].trim() === other[field].trim()) && scheduleOf(one) === scheduleOf(other);
}

/** Whether the title, the excerpt, the content and the featured image are all empty. */
export function isBlank(form: PostForm): boolean {
  return sameWriting({ ...form, slug: '', status: 'draft', publishAt: '' }, emptyForm);
}

/** Returns the required fields that are empty, in the order of the form. */
export function missingIn({ title, slug, content }: PostForm): ('title' | 'slug' | 'content')[] {
  const nothingIn = (html: string) => !/<img\b/i.test(html) && html.replace(/<[^<>]*>|&nbsp;|\s/g, '') === '';
  return [
    ...(title.trim() === '' ? (['title'] as const) : []),
    ...(slug.trim() === '' ? (['slug'] as const) : []),
    ...(nothingIn(content) ? (['content'] as const) : []),
  ];
}
