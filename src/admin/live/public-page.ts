import type { PostRecord } from '../../domain/post.ts';
import { postPath } from '../../domain/post-text.ts';
import { type SectionKey, sectionPages, type SectionRecord } from '../../domain/section.ts';
import { sectionText } from '../../domain/section-text.ts';

const waitMs = 10_000;

/** Asks as a visitor does: without the session, and past every cache of this browser. */
async function visit(path: string): Promise<{ status: number; html: string } | string> {
  try {
    const response = await fetch(path, {
      cache: 'no-store',
      credentials: 'omit',
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(waitMs),
    });
    return { status: response.status, html: await response.text() };
  } catch {
    return `This browser couldn’t reach ${path}.`;
  }
}

/** Reads a page that should be there. @returns its HTML, or what is wrong. */
async function pageAt(path: string): Promise<{ html: string } | string> {
  const found = await visit(path);
  if (typeof found === 'string' || found.status === 200) return found;
  return `The page ${path} answers with error ${found.status}.`;
}

/** @returns what is wrong with the public pages that show a section; null if they show it as saved. */
export async function lookForSection(section: SectionRecord): Promise<string | null> {
  for (const path of sectionPages) {
    const page = await pageAt(path);
    if (typeof page === 'string') return page;
    if (!showsSection(page.html, section)) return `The page ${path} still shows the earlier text.`;
  }
  return null;
}

/** True if every element of the section shows what was saved; a page without the section has nothing to show. */
export function showsSection(html: string, { sectionKey, title, content }: SectionRecord): boolean {
  return elementsOf(html, sectionKey).every(
    ({ part, text }) => text === sectionText(part === 'content' ? content : title),
  );
}

/** The elements hold only text, so no parser is needed, which the admin's Trusted Types policy would have to let through. */
function elementsOf(html: string, key: SectionKey): { part: 'title' | 'content'; text: string }[] {
  return [...html.matchAll(/<(\w[^<>]*)>([^<]*)/g)]
    .filter(([, tag = '']) => tag.includes(` data-section="${key}"`))
    .map(([, tag = '', text = '']) => ({
      part: tag.includes(' data-section-part="content"') ? 'content' : 'title',
      text: sectionText(text),
    }));
}

/** @returns what is wrong with the page of a post, and with the blog if the post was published just now; null if both are right. */
export async function lookForPost(post: PostRecord): Promise<string | null> {
  const path = postPath(post.slug);
  const page = await pageAt(path);
  if (typeof page === 'string') return page;
  if (!page.html.includes(`"dateModified":"${post.updatedAt}"`))
    return `The page ${path} still shows the earlier text.`;
  if (post.publishedAt !== post.updatedAt) return null;
  const blog = await pageAt('/blog');
  if (typeof blog === 'string') return blog;
  return blog.html.includes(`href="${path}"`) ? null : 'The page /blog does not list the post.';
}

/** @returns what is wrong if the page of a post that was taken back is still public. */
export async function lookForNoPost(slug: string): Promise<string | null> {
  const path = postPath(slug);
  const found = await visit(path);
  if (typeof found === 'string') return found;
  if (found.status === 404) return null;
  return found.status === 200
    ? `The page ${path} still shows the post.`
    : `The page ${path} answers with error ${found.status}.`;
}
