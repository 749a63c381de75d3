import { apiPaths } from '../../domain/api-paths.ts';
import type { PublishedPage } from '../../domain/post.ts';

/** More than were built in: what was published since stands before it. */
const limit = 100;

/** The public posts without their content, newest first, from `cursor` on. @returns null where the API does not answer. */
export async function publishedPosts(cursor?: string): Promise<PublishedPage | null> {
  const query = new URLSearchParams({ view: 'summary', limit: String(limit), ...(cursor && { cursor }) });
  try {
    const response = await fetch(`${apiPaths.publishedPosts}?${query}`, { headers: { accept: 'application/json' } });
    if (!response.ok) return null;
    const answer = (await response.json()) as Partial<PublishedPage> | null;
    return Array.isArray(answer?.data) ? { data: answer.data, nextCursor: answer.nextCursor ?? null } : null;
  } catch {
    return null;
  }
}
