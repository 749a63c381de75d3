import { setImmediate as turn } from 'node:timers/promises';
import { type FeedEntry, articlesForFeeds } from './feed-articles.ts';
import { newestPosts } from './posts.ts';
import { standalone, xmlText } from './standalone.ts';
import { escapeHtml } from '../domain/text.ts';
import type { PublicPost } from '../domain/post.ts';
import { postPath, postText, shownDate } from '../domain/post-text.ts';

/** Maximum number of posts in a feed. */
const postCount = 30;
/**
 * Maximum total length of the full texts in a feed, in characters. The newest entries contain their full text. Entries
 * beyond this limit contain only a description.
 */
const longestFeed = 1_500_000;

/**
 * Returns the entries of the feeds: articles and the newest posts, newest first.
 * @param origin the base of all URLs in the entries.
 * @param request the request for the feed, whose origin also serves the file with the articles.
 * @param context the context of the request, from Netlify or the self-hosted server.
 * @returns null if the database or the file with the articles is unavailable.
 */
export async function feedEntries(
  origin: URL,
  request: Request,
  context: Parameters<typeof newestPosts>[1],
): Promise<FeedEntry[] | null> {
  const [posts, articles] = await Promise.all([newestPosts(postCount, context), articlesForFeeds(request)]);
  if (!posts || !articles) return null;
  const newestFirst = [...articles, ...posts.map(postEntry)].toSorted(
    (one, other) => other.publishedAt.getTime() - one.publishedAt.getTime(),
  );
  const entries: FeedEntry[] = [];
  let left = longestFeed;
  for (const entry of newestFirst) {
    await turn();
    left -= entry.html.length;
    const description = xmlText(entry.description);
    entries.push({
      ...entry,
      title: xmlText(entry.title),
      description,
      html: left < 0 ? `<p>${escapeHtml(description)}</p>` : standalone(entry.html, new URL(entry.path, origin)),
    });
  }
  return entries;
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
