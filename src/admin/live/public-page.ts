import { type LogoDetail, defaultLogoPath, logoUrl } from '../../domain/logo.ts';
import type { PostRecord } from '../../domain/post.ts';
import { postPath } from '../../domain/post-text.ts';
import { sectionPages, type SectionRecord } from '../../domain/section.ts';
import { sectionText } from '../../domain/section-text.ts';

const waitMs = 10_000;
/**
 * If a post was saved within this many milliseconds after its publication, the blog's first page must list the post.
 * After that time, newer posts may have moved the post to another page of the blog.
 */
const recentMs = 600_000;

const nameOf = (path: string): string => (path === '/' ? 'Home page (/)' : `page ${path}`);

/**
 * Requests a page the way a visitor does: without the session, and without this browser's cache.
 * @returns the response, or a description of the problem if the request fails.
 */
async function visit(path: string): Promise<{ status: number; html: string; etag: string } | string> {
  try {
    const response = await fetch(path, {
      cache: 'no-store',
      credentials: 'omit',
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(waitMs),
    });
    return { status: response.status, html: await response.text(), etag: response.headers.get('etag') ?? '' };
  } catch {
    return `This browser couldn’t reach the ${nameOf(path)}.`;
  }
}

/**
 * Fetches a public page.
 * @returns the page's HTML and ETag, or a description of the problem.
 */
async function pageAt(path: string): Promise<{ html: string; etag: string } | string> {
  const found = await visit(path);
  if (typeof found === 'string' || found.status === 200) return found;
  return `The ${nameOf(path)} returns error ${found.status}.`;
}

/**
 * Checks the public pages that show a section.
 * @returns a description of the problem; null if the pages show the saved text.
 */
export async function lookForSection(section: SectionRecord): Promise<string | null> {
  for (const path of sectionPages) {
    const page = await pageAt(path);
    if (typeof page === 'string') return page;
    if (!showsSection(page.html, section)) return `The ${nameOf(path)} still shows the old text.`;
  }
  return null;
}

/** Whether every element of the section shows the saved text. True if the page does not contain the section. */
export function showsSection(html: string, { sectionKey, title, content }: SectionRecord): boolean {
  return elementsOf(html, sectionKey).every(
    ({ part, text }) => text === sectionText(part === 'content' ? content : title),
  );
}

/**
 * Finds a section's elements. These elements contain only text, so a regular expression is enough. A DOM parser would
 * need an exception from the admin's Trusted Types policy.
 */
function elementsOf(html: string, key: string): { part: 'title' | 'content'; text: string }[] {
  return [...html.matchAll(/<(\w[^<>]*)>([^<]*)/g)]
    .filter(([, tag = '']) => tag.includes(` data-section="${key}"`))
    .map(([, tag = '', text = '']) => ({
      part: tag.includes(' data-section-part="content"') ? 'content' : 'title',
      text: sectionText(text),
    }));
}

/**
 * Checks the page of a published post, and the blog's first page if the post was published recently.
 * @returns a description of the problem; null if the pages are up to date.
 */
export async function lookForPost(post: PostRecord): Promise<string | null> {
  const path = postPath(post.slug);
  const page = await pageAt(path);
  if (typeof page === 'string') return page;
  if (!page.html.includes(`"dateModified":"${post.updatedAt}"`)) return `The ${nameOf(path)} still shows the old text.`;
  if (Date.parse(post.updatedAt) - Date.parse(post.publishedAt ?? '') > recentMs) return null;
  const blog = await pageAt('/blog');
  if (typeof blog === 'string') return blog;
  return blog.html.includes(`href="${path}"`) ? null : 'The page /blog doesn’t list the post yet.';
}

/**
 * Checks that an unpublished post is no longer public.
 * @returns a description of the problem; null if the post is gone.
 */
export async function lookForNoPost(slug: string): Promise<string | null> {
  const path = postPath(slug);
  const found = await visit(path);
  if (typeof found === 'string') return found;
  if (found.status === 404) return null;
  return found.status === 200
    ? `The page ${path} still shows the post.`
    : `The page ${path} returns error ${found.status}.`;
}

/**
 * Checks the public logo.
 * @returns a description of the problem; null if the logo is the saved one.
 */
export async function lookForLogo({ sha256 }: LogoDetail): Promise<string | null> {
  const logo = await pageAt(logoUrl);
  if (typeof logo === 'string') return logo;
  const bundled = sha256 === null ? await pageAt(defaultLogoPath) : null;
  if (typeof bundled === 'string') return bundled;
  // A CDN that compresses a file may add characters to the ETag.
  const isSaved = sha256 === null ? logo.html === bundled?.html : logo.etag.includes(sha256.slice(0, 32));
  return isSaved ? null : `The page ${logoUrl} still shows the old logo.`;
}
