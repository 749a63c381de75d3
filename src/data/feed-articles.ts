import { siteFile } from '../../netlify/server/site-file.ts';

/** One article or post as feed readers get it: whole, with addresses that stand by themselves. */
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
 * Where the build leaves the articles for the feeds. The feeds are rendered on request; with the articles' code in it,
 * their function would grow with every article.
 */
const feedArticlesPath = '/articles.json';

let read: Promise<FeedEntry[] | null> | undefined;

/** The articles as the build left them. @returns null where that file cannot be had. */
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
