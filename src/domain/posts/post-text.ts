import { longestDescription, textOfHtml } from '../text/text.ts';
import type { PublicPost } from './post.ts';

/** Returns the date to show for a post: its publication, or the creation of a draft (docs/product.md#blog). */
export function shownDate({ publishedAt, createdAt }: Pick<PublicPost, 'publishedAt' | 'createdAt'>): string {
  return publishedAt ?? createdAt;
}

/**
 * Returns the meta description of a post: its excerpt or the beginning of its text, cut at a space within
 * {@link longestDescription} characters. A post of only pictures has its title.
 */
export function postDescription({
  title,
  excerpt,
  content,
}: Pick<PublicPost, 'title' | 'excerpt' | 'content'>): string {
  const text = excerpt?.trim() || textOfHtml(content).slice(0, 300) || title;
  return text.length <= longestDescription
    ? text
    : `${text
        .slice(0, longestDescription - 1)
        .replace(/\s\S*$/, '')
        .trimEnd()}…`;
}

/** Counts the words of a post's HTML. A punctuation mark alone is not a word. */
export function wordCount(html: string): number {
  return textOfHtml(html)
    .split(' ')
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Returns the reading time in minutes at 220 words a minute, at least one. */
export function readingMinutes(html: string): number {
  return Math.max(1, Math.round(wordCount(html) / 220));
}

export function postPath(slug: string): string {
  return `/blog/${encodeURIComponent(slug)}`;
}
