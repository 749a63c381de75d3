import { type FeedEntry, articlesForFeeds } from './feed-articles.ts';
import { newestPosts } from './posts.ts';
import { standalone, xmlText } from './standalone.ts';
import type { PublicPost } from '../domain/post.ts';
import { postPath, postText, shownDate } from '../domain/post-text.ts';

/** Posts in a feed at most. */
const postCount = 30;

/**
 * Articles and the newest posts, newest first.
 * @param origin makes the addresses absolute.
 * @param request what the feed is asked with: the articles are a file of the same site.
 * @param context Netlify's, or the host's.
 * @returns null where the database, or the site, does not answer.
 */
export async function feedEntries(
  origin: URL,
  request: Request,
  context: Parameters<typeof newestPosts>[1],
): Promise<FeedEntry[] | null> {
  const [posts, articles] = await Promise.all([newestPosts(postCount, context), articlesForFeeds(request)]);
  if (!posts || !articles) return null;
  const entries = [...articles, ...posts.map(postEntry)];
  return entries
    .map((entry) => ({
      ...entry,
      title: xmlText(entry.title),
      description: xmlText(entry.description),
      html: standalone(entry.html, new URL(entry.path, origin)),
    }))
    .toSorted((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime());
}

function postEntry(post: PublicPost): FeedEntry {
  return {
    path: postPath(post.slug),
    title: post.title,
    description: post.excerpt ?? postText(post.content).slice(0, 200),
    html: post.content,
    publishedAt: new Date(post.firstPublishedAt ?? shownDate(post)),
    modifiedAt: new Date(post.updatedAt),
    category: 'Blog & News',
  };
}
