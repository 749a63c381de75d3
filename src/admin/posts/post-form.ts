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
  keepOriginalDate: false,
};

/** The form for a post that exists. */
export function formOf(post: PostRecord): PostForm {
  return { ...writingIn(post), status: post.status, keepOriginalDate: false };
}

/** The form with what a version says in it. Who may read the post stays as it is chosen: that is no writing. */
export function withVersion(form: PostForm, version: PostVersion): PostForm {
  return { ...form, ...writingIn(version) };
}

function writingIn({ title, slug, content, excerpt, featuredImage }: PostRecord | PostVersion) {
  return { title, slug, content, excerpt: excerpt ?? '', featuredImage: featuredImage ?? '' };
}

const words = ['title', 'slug', 'content', 'excerpt', 'featuredImage', 'status'] as const;

/** Whether two states say the same. The box for the date is a choice about saving, and no writing. */
export function sameWriting(one: PostForm, other: PostForm): boolean {
  return words.every((field) => one[field].trim() === other[field].trim());
}

/** Whether anything was written at all. */
export function isBlank(form: PostForm): boolean {
  return sameWriting({ ...form, slug: '', status: 'draft' }, emptyForm);
}

/** The form after its title changed: the slug follows until somebody edits it (decisions, 'Admin'). */
export function withTitle(form: PostForm, title: string, slugFollows: boolean): PostForm {
  return { ...form, title, slug: slugFollows ? slugOf(title) : form.slug };
}

/** The required fields that are empty (spec §5), in the order of the form. */
export function missingIn({ title, slug, content }: PostForm): ('title' | 'slug' | 'content')[] {
  const nothingIn = (html: string) => !/<img\b/i.test(html) && html.replace(/<[^>]*>|&nbsp;|\s/g, '') === '';
  return [
    ...(title.trim() === '' ? (['title'] as const) : []),
    ...(slug.trim() === '' ? (['slug'] as const) : []),
    ...(nothingIn(content) ? (['content'] as const) : []),
  ];
}
