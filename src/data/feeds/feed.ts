import { setImmediate as turn } from 'node:timers/promises';
import { publicText } from '../../../netlify/server/http/respond.ts';
import { siteFile } from '../../../netlify/server/platform.ts';
import { escapeHtml, xmlText } from '../../domain/text/text.ts';
import type { PublicPost } from '../../domain/posts/post.ts';
import { postDescription, postPath, shownDate } from '../../domain/posts/post-text.ts';
import { newestPosts } from '../posts.ts';

/** An article or post in a feed. */
export interface FeedEntry {
  path: string;
  title: string;
  description: string;
  /** Full text as HTML. */
  html: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
  category: string;
}

/**
 * Path of the file in which the build stores the articles for the feed. The feed is rendered on request by a function,
 * which would grow with every article if it imported the articles.
 */
const feedArticlesPath = '/articles.json';
/** Maximum number of posts in a feed. */
const postCount = 30;
/**
 * Maximum total length of the full texts in a feed, in characters. The newest entries contain their full text. Entries
 * beyond this limit contain only a description.
 */
const longestFeed = 1_500_000;

/**
 * Returns the entries of the feed: articles and the newest posts, newest first.
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
  const [posts, file] = await Promise.all([newestPosts(postCount, context), siteFile(feedArticlesPath, request)]);
  if (!posts || !file) return null;
  const articles = JSON.parse(new TextDecoder().decode(file)) as FeedEntry[];
  const newestFirst = [...articles, ...posts.map(postEntry)].toSorted(
    (one, other) => Date.parse(other.publishedAt) - Date.parse(one.publishedAt),
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
    description: post.excerpt ?? postDescription(post),
    html: post.content,
    publishedAt: post.firstPublishedAt ?? shownDate(post),
    category: 'Blog & News',
  };
}

/** Matches attributes that feed readers do not need. */
const ownAttribute =
  / (?:class|id|tabindex|role|data-[\w-]+|aria-[\w-]+|srcset|sizes|loading|decoding)(?:="[^"]*")?(?=[\s>/])/g;

/**
 * Prepares HTML for feed readers: makes URLs absolute, and removes attributes that feed readers do not need.
 * @param html HTML in which every attribute value is in double quotes and contains no angle brackets.
 * @param page the URL of the page with the HTML.
 */
export function standalone(html: string, page: URL): string {
  const whole = (tag: string) =>
    tag
      .replace(ownAttribute, '')
      .replace(/ (href|src)="((?![a-z]+:)[^"]*)"/g, (attribute, name: string, address: string) =>
        // Leaves an invalid URL unchanged.
        URL.canParse(address, page) ? ` ${name}="${new URL(address, page).href}"` : attribute,
      );
  return xmlText(html)
    .replace(/<[a-z][^<>]*>/gi, whole)
    .trim();
}

/**
 * Returns the response for a feed or a sitemap. The CDN stores the response until a post changes. Clients can
 * revalidate their copy instead of downloading the response again.
 */
export function feedResponse(body: string, type: string, request: Request): Response {
  const response = publicText(body, `${type}; charset=utf-8`, request, ['posts']);
  // Readers on other sites may show the feed.
  response.headers.set('cross-origin-resource-policy', 'cross-origin');
  return response;
}

/**
 * Returns the response if posts or articles cannot be read. Status 503 tells feed readers and crawlers to keep their
 * copy and to try again later.
 */
export function feedUnavailable(): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '120' };
  return new Response('We can’t load the posts right now. Please try again in a moment.', { status: 503, headers });
}
