import { siteFile } from '../../netlify/server/platform.ts';

/** An article or post in a feed. */
export interface FeedEntry {
  path: string;
  title: string;
  description: string;
  /** Full text as HTML. */
  html: string;
  publishedAt: Date;
  modifiedAt: Date;
  category: string;
}

/**
 * Path of the file in which the build stores the articles for the feeds. Feeds are rendered on request by a function,
 * which would grow with every article if it imported the articles.
 */
const feedArticlesPath = '/articles.json';

let read: Promise<FeedEntry[] | null> | undefined;

/**
 * Reads the articles that the build stored.
 * @returns null if the file is unavailable.
 */
export async function articlesForFeeds(request: Request): Promise<FeedEntry[] | null> {
  read ??= readArticles(request);
  const entries = await read;
  if (!entries) read = undefined;
  return entries;
}

async function readArticles(request: Request): Promise<FeedEntry[] | null> {
  const file = await siteFile(feedArticlesPath, request);
  if (!file) return null;
  const entries = JSON.parse(new TextDecoder().decode(file)) as (Omit<FeedEntry, 'publishedAt' | 'modifiedAt'> &
    Record<'publishedAt' | 'modifiedAt', string>)[];
  return entries.map((entry) => ({
    ...entry,
    publishedAt: new Date(entry.publishedAt),
    modifiedAt: new Date(entry.modifiedAt),
  }));
}
