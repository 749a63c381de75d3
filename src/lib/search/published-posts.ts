import { apiPaths } from '../../domain/api-paths.ts';
import type { PublishedPage } from '../../domain/post.ts';

/** The same number of posts as in the built index (`newestPostsAtBuild` in src/data/posts.ts). */
const limit = 100;

/**
 * Returns the public posts without their content, newest first, starting at `cursor`.
 * @returns null if the API cannot be reached or returns an error.
 */
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
