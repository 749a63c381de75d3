import * as z from 'zod/mini';
import { type PostRecord, postStatus } from '../../domain/post.ts';
import type { PostVersion } from '../../domain/post-version.ts';
import { slugOf } from '../../domain/post-text.ts';

/** What the form holds while a post is written: nothing of it need be right yet. */
export const postForm = z.object({
  title: z.string(),
  slug: z.string(),
  content: z.string(),
  excerpt: z.string(),
  featuredImage: z.string(),
  status: postStatus,
  /** When a draft is published by itself: ISO 8601, UTC; '' for never. What an earlier version of this app kept has none. */
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

/** The form for a post that exists. */
export function formOf(post: PostRecord): PostForm {
  return { ...writingIn(post), status: post.status, publishAt: post.publishAt ?? '', keepOriginalDate: false };
}

/** The form with what a version says in it. Who may read the post, and from when on, stays as it is chosen: that is no writing. */
export function withVersion(form: PostForm, version: PostVersion): PostForm {
  return { ...form, ...writingIn(version) };
}

function writingIn({ title, slug, content, excerpt, featuredImage }: PostRecord | PostVersion) {
  return { title, slug, content, excerpt: excerpt ?? '', featuredImage: featuredImage ?? '' };
}

const words = ['title', 'slug', 'content', 'excerpt', 'featuredImage', 'status'] as const;

/** Whether two states say the same. The box for the date is a choice about saving, and no writing. */
export function sameWriting(one: PostForm, other: PostForm): boolean {
  return words.every((field) => one[field].trim() === other[field].trim()) && scheduleOf(one) === scheduleOf(other);
}

/** When the post is published by itself, if it is. A time that was chosen before the post is published at once says nothing. */
export function scheduleOf({ status, publishAt }: PostForm): string | null {
  return (status === 'draft' && publishAt) || null;
}

/** Whether anything was written at all. */
export function isBlank(form: PostForm): boolean {
  return sameWriting({ ...form, slug: '', status: 'draft', publishAt: '' }, emptyForm);
}

/** The form after its title changed: the slug follows until somebody edits it (decisions, 'Admin'). */
export function withTitle(form: PostForm, title: string, slugFollows: boolean): PostForm {
  return { ...form, title, slug: slugFollows ? slugOf(title) : form.slug };
}

/** The required fields that are empty (spec §5), in the order of the form. */
export function missingIn({ title, slug, content }: PostForm): ('title' | 'slug' | 'content')[] {
  const nothingIn = (html: string) => !/<img\b/i.test(html) && html.replace(/<[^<>]*>|&nbsp;|\s/g, '') === '';
  return [
    ...(title.trim() === '' ? (['title'] as const) : []),
    ...(slug.trim() === '' ? (['slug'] as const) : []),
    ...(nothingIn(content) ? (['content'] as const) : []),
  ];
}
