import type { PublicPost } from './post.ts';
import { sectionText } from './section-text.ts';
import { parseUrl } from './web-address.ts';

/** Characters of a slug at most. */
export const longestSlug = 120;

/**
 * The slug that follows a title (spec §4): lower case; what is no letter, digit, space or hyphen removed; spaces to hyphens;
 * repeated hyphens collapsed. Keeps letters of every script. No hyphen at either end.
 * @returns '' where the title has no letter and no digit.
 */
export function slugOf(title: string): string {
  return title
    .slice(0, 4 * longestSlug)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s-]/gu, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, longestSlug)
    .replace(/-$/, '');
}

/** An https address, or a path of this site that no browser takes for another host. */
export function isPictureAddress(address: string): boolean {
  if (/^\/(?![/\\])\S*$/.test(address)) return true;
  return /^https:\/\/\S+$/i.test(address) && parseUrl(address) !== null;
}

/** The date that a post shows: of its publication, else of its creation (spec §2, 'Blog listing'). */
export function shownDate({ publishedAt, createdAt }: Pick<PublicPost, 'publishedAt' | 'createdAt'>): string {
  return publishedAt ?? createdAt;
}

/** Tells one state of a listed post from another: it was saved since, or another file took its picture's place. */
export function listedState({ id, updatedAt, featuredImage }: Pick<PublicPost, 'id' | 'updatedAt' | 'featuredImage'>) {
  const version = featuredImage?.split('?v=')[1];
  return `${id}:${updatedAt}${version ? `:${version}` : ''}`;
}

/** The words of a post's HTML, for search, descriptions and the reading time. */
export function postText(html: string): string {
  return sectionText(html);
}

/** What a search engine is told of a post: its excerpt, else how its text begins; cut between words at 155 characters. */
export function postDescription({ excerpt, content }: { excerpt: string | null; content: string }): string {
  const text = excerpt?.trim() || postText(content).slice(0, 300);
  return text.length <= 155
    ? text
    : `${text
        .slice(0, 154)
        .replace(/\s\S*$/, '')
        .trimEnd()}…`;
}

/** Counts the words of a post's HTML. A punctuation mark alone is not a word. */
export function wordCount(html: string): number {
  return postText(html)
    .split(' ')
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Minutes that reading takes at 220 words a minute, at least one (decisions, 'Routes'). */
export function readingMinutes(html: string): number {
  return Math.max(1, Math.round(wordCount(html) / 220));
}

/** Address of a post's page. */
export function postPath(slug: string): string {
  return `/blog/${encodeURIComponent(slug)}`;
}
