import { pauses } from '../../netlify/server/pauses.ts';
import { type FeedEntry, articlesForFeeds } from './feed-articles.ts';
import { newestPosts } from './posts.ts';
import { standalone, xmlText } from './standalone.ts';
import type { PublicPost } from '../domain/post.ts';
import { postPath, postText, shownDate } from '../domain/post-text.ts';

/** Most posts in a feed. */
const postCount = 30;
/** Characters of full text in a feed. The newest entries have their full text, older ones only a description. */
const longestFeed = 1_500_000;

/**
 * Articles and the newest posts, newest first.
 * @param origin makes the addresses absolute.
 * @param request the request for the feed. The articles are a file of the same site.
 * @param context Netlify's, or the host's.
 * @returns null if the database, or the site, does not answer.
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
  const pause = pauses();
  const entries: FeedEntry[] = [];
  let left = longestFeed;
  for (const entry of newestFirst) {
    if (pause.due()) await pause.take();
    left -= entry.html.length;
    const description = xmlText(entry.description);
    entries.push({
      ...entry,
      title: xmlText(entry.title),
      description,
      html: left < 0 ? `<p>${escaped(description)}</p>` : standalone(entry.html, new URL(entry.path, origin)),
    });
  }
  return entries;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
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
